"""The joints of a conversation, at which an awareness script of priority P1 may be read."""

from __future__ import annotations

PLACES = ("answer", "topic_start", "topic_end")
EDGES = ("before", "after")
BUILT_IN = (
    *("say", "ai_say", "ask", "ai_ask", "ai_think", "ai_guide", "set_var", "use_skill", "user_option", "user_say"),
    *("show_form", "show_pic", "ai_pic", "parallel_actions"),
)
