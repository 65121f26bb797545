"""In which country somebody is, as far as the clock of their browser tells. Nobody in danger is asked."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def placed(locale: str, zone: str) -> str:
    """``locale`` with the country of the time ``zone`` (IANA) in the place of its own; as it is where the zone names no
    country (``UTC``, or one that nobody knows)."""
    country = _countries().get(zone)
    return f"{locale.replace('_', '-').partition('-')[0]}-{country}" if country else locale


@cache
def _countries() -> dict[str, str]:
    """The country (ISO 3166) of each zone, former names of zones too: browsers tell some of those."""
    data = files("tzdata").joinpath("zoneinfo")
    rows = [line.split("\t") for line in data.joinpath("zone.tab").read_text("utf-8").splitlines() if line[0] != "#"]
    found = {zone: country for country, _, zone, *_ in rows}
    links = [line.split() for line in data.joinpath("tzdata.zi").read_text("utf-8").splitlines() if line[:2] == "L "]
    former = {name: found[zone] for _, zone, name in links if zone in found}
    return {**former, **found}
