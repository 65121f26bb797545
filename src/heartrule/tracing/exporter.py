"""Where traces go: as the standard variables of OpenTelemetry say, with the extra ``otel`` installed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from heartrule.language.bilingual import Bilingual, SaidError

TRUE = "true"
ADDRESSES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


class NotInstalled(SaidError):
    """An address for traces is set, and what would send them there is not installed."""

    def __init__(self) -> None:
        install = "pip install 'heartrule[otel]'"
        super().__init__(Bilingual(f"要发送追踪，先安装：{install}", f"traces are wanted: {install}"))


def wanted(environment: Mapping[str, str] | None = None) -> bool:
    """Whether an address is set, and nothing switches it off."""
    said = os.environ if environment is None else environment
    if said.get("OTEL_SDK_DISABLED", "").strip().lower() == TRUE:
        return False
    if said.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() != "otlp":
        return False
    return any(said.get(name, "").strip() for name in ADDRESSES)


@contextmanager
def exporting() -> Iterator[bool]:
    """Traces are sent for as long as this lasts, when they are ``wanted``; what is left is sent at its end. Somebody
    else's set-up (``opentelemetry-instrument``) is left as it is. Raises ``NotInstalled``."""
    from opentelemetry import trace

    if not wanted() or not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        yield False
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise NotInstalled from None
    named = os.environ.get("OTEL_SERVICE_NAME", "").strip()
    provider = TracerProvider(resource=Resource.create({} if named else {"service.name": "heartrule"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    try:
        yield True
    finally:
        provider.shutdown()
