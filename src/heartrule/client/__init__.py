"""Sessions over HTTP from Python: ``Client`` for plain code, ``AsyncClient`` for asyncio; both do the same.

    from heartrule.client import Client

    with Client("http://127.0.0.1:8000") as client:
        talk = client.begin("cbt/abc_intro")
        print(talk.said)
        talk.say("小林")

Everything that is said is sent under a key of its own: when the connection breaks or the server restarts, the same is
sent again under the same key, and counts once. What comes back are the shapes of ``heartrule.server.shapes``.
"""

from heartrule.client.asynchronous import AsyncClient, AsyncConversation
from heartrule.client.events import Event
from heartrule.client.identity import person_token
from heartrule.client.patience import Patience
from heartrule.client.problem import Problem
from heartrule.client.synchronous import Client, Conversation

__all__ = [
    "AsyncClient",
    "AsyncConversation",
    "Client",
    "Conversation",
    "Event",
    "Patience",
    "Problem",
    "person_token",
]
