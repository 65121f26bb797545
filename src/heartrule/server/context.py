"""What every route is given: the sessions, and what the server keeps beside them."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from heartrule.debugger.service import Debugger
from heartrule.identity.accounts import Accounts
from heartrule.identity.federation import Federation
from heartrule.identity.passkeys import Passkeys
from heartrule.identity.services import Services
from heartrule.identity.sign_in import SignInService
from heartrule.jobs.worker import Worker
from heartrule.releases.service import ReleaseService
from heartrule.server.access_audit import Looks
from heartrule.server.backups import ScheduledBackups
from heartrule.server.board import Board
from heartrule.server.desk_news import DeskNews
from heartrule.server.limits import Limits
from heartrule.server.live import Live
from heartrule.server.message_order import MessageOrder
from heartrule.server.metrics import Metrics
from heartrule.server.presence import PresenceHub
from heartrule.server.review_metrics import Sums
from heartrule.server.running_turns import RunningTurns
from heartrule.server.settings import ServerSettings
from heartrule.server.shapes import ModelShape
from heartrule.server.tokens import Tokens
from heartrule.server.writable import Writable
from heartrule.sessions import Sessions
from heartrule.workbench.comments import CommentService
from heartrule.workbench.workbench import Workbench


@dataclass(frozen=True, slots=True)
class AppContext:
    """``model`` is None in script mode, ``federation`` without a provider. ``mails``: there is a mail server."""

    sessions: Sessions
    settings: ServerSettings
    tokens: Tokens
    accounts: Accounts
    sign_ins: SignInService
    passkeys: Passkeys
    services: Services
    federation: Federation | None
    board: Board
    news: DeskNews
    presence: PresenceHub
    looks: Looks
    running: RunningTurns
    live: Live
    limits: Limits
    message_order: MessageOrder
    metrics: Metrics
    review_sums: Sums
    jobs: Worker
    workbench: Workbench
    comments: CommentService
    debugger: Debugger
    releases: ReleaseService
    model: ModelShape | None
    backups: ScheduledBackups
    writable: Writable
    mails: bool


async def app_context(request: Request) -> AppContext:
    # A coroutine, like every dependency here: others would each be sent to a thread, and waited for.
    context: AppContext = request.app.state.context
    return context
