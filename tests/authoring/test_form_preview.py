"""A form as the page draws it before it is saved: with all that the person's own form has."""

from __future__ import annotations

from tests.authoring.material import alone

from heartrule.authoring.form_preview import preview
from heartrule.server.shapes import FormField

FORM = """\
forms:
  - form: 睡眠
    id: sleep
    fields:
      - {id: rest, label: 睡得好吗, type: slider, range: [0, 10]}
      - {id: mood, label: 心情, type: mood}
      - {id: why, label: 为什么, type: text}
"""


def test_a_field_has_what_the_page_reads_of_it_also_where_nothing_was_written() -> None:
    """The page draws both with the same element, which takes the ends of a slider without asking whether they are."""
    nullable = {name for name, field in FormField.model_fields.items() if field.default is None}
    for each in preview(alone(session=FORM).now, "sleep", {})["form"]["fields"]:
        assert set(FormField.model_fields) - nullable <= set(each), each["id"]
        assert FormField.model_validate(each).ends == []
