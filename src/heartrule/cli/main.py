"""The command ``heartrule``. A command is a file; what it needs is imported when it runs, so that starting is quick."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from heartrule import logs
from heartrule.cli.accounts import accounts
from heartrule.cli.backup import backup, restore
from heartrule.cli.chat import chat
from heartrule.cli.coverage import coverage
from heartrule.cli.dap import dap
from heartrule.cli.escalations import escalations
from heartrule.cli.fmt import fmt
from heartrule.cli.forms import forms
from heartrule.cli.keys import keys
from heartrule.cli.lint import lint
from heartrule.cli.lsp import lsp
from heartrule.cli.new import new
from heartrule.cli.packages import install, pack, packages, update
from heartrule.cli.projects import projects
from heartrule.cli.prompts import prompts
from heartrule.cli.releases import releases
from heartrule.cli.safe_text import echo
from heartrule.cli.schema import schema
from heartrule.cli.scripts import scripts
from heartrule.cli.serve import serve
from heartrule.cli.service_tokens import service_tokens
from heartrule.cli.simulate import HELP as SIMULATE
from heartrule.cli.simulate import simulate
from heartrule.cli.stats import stats
from heartrule.cli.test import run_tests
from heartrule.cli.token import audit, token
from heartrule.cli.why import why
from heartrule.cli.words import Words, said, spoken_here
from heartrule.language.bilingual import reading

app = typer.Typer(
    name="heartrule",
    help=said("照脚本进行的专业谈话。", "Professional conversations held from scripts."),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(help=said("照一个脚本进行一次会谈，或接着上次的谈。", "Hold a session from a script, or go on with one."))(
    chat
)
app.command(help=said("在浏览器里用：启动服务器和网页。", "Serve the API and the page, for the browser."))(serve)
app.command(help=said("用模板开始一个脚本项目。", "Begin a project of scripts from a template."))(new)
app.add_typer(
    projects,
    name="projects",
    help=said("工作台里的项目：列出，收进来，写出去。", "Projects of the workbench: list, take in, write out."),
)
app.command(help=said("把一个项目做成签了名的包。", "Make a signed package of a project."))(pack)
app.command(
    help=said(
        "装一个包和它需要的：先看它能做什么、检查、跑它的测试。",
        "Install a package and what it requires, after showing what it may do, lint and its tests.",
    )
)(install)
app.command(help=said("把装好的包换成更新的版本。", "Bring installed packages to newer versions."))(update)
app.add_typer(
    packages, name="packages", help=said("包：找，列出，做签名的钥匙。", "Packages: search, list, make a key.")
)
app.add_typer(
    releases,
    name="releases",
    help=said("发布：做、检查、看影响、发布、退回。", "Releases: make, check, weigh, publish, go back."),
)
app.command(help=said("列出可以谈的脚本。", "List the scripts that can be held."))(scripts)
app.command(
    help=said("检查脚本文件或文件夹；有错误时以 1 退出。", "Check script files or folders; exits 1 on errors.")
)(lint)
app.command(
    name="test",
    help=said(
        "把写好的谈话照脚本走一遍，看期望的有没有发生；有没通过的就以 1 退出。",
        "Hold the conversations of test files and check what they expect; exits 1 when one fails.",
    ),
)(run_tests)
app.command(
    help=said(
        "测试和真实会谈走到了脚本的哪些部分。",
        "What tests, and sessions that were held, come to of scripts.",
    )
)(coverage)
app.command(
    help=said(
        "把另一种写法的脚本改成标准写法，注释和空行都不动。",
        "Rewrite scripts in other spellings as ours; comments and blank lines stay.",
    )
)(fmt)
app.command(help=SIMULATE)(simulate)
app.command(help=said("输出脚本文件的 JSON Schema，给编辑器用。", "Print the JSON Schema of scripts, for editors."))(
    schema
)
app.command(
    help=said(
        "给编辑器用的语言服务（LSP），走标准输入输出。",
        "The language server for editors (LSP), on standard input and output.",
    )
)(lsp)
app.command(
    help=said(
        "给编辑器用的调试器（DAP），走标准输入输出。",
        "The debugger for editors (DAP), on standard input and output.",
    )
)(dap)
app.command(
    help=said("语言模型的用量、费用、时间和成败。", "What language models were asked: usage, cost, time and success.")
)(stats)
app.command(
    help=said(
        "一场谈过的会谈为什么这样往下走：每一轮每个意识脚本的判断、指令、话题队列、退出。",
        "Why a session went as it did: verdicts of awareness scripts, directives, topic queue and exits, turn by turn.",
    )
)(why)
app.add_typer(
    accounts,
    name="accounts",
    help=said("工作人员的账户：谁能登录，谁进不来了。", "Accounts of the staff: who can sign in."),
)
app.add_typer(
    service_tokens,
    name="service-tokens",
    help=said("程序的令牌：能做什么，可以撤销。", "Tokens of programs: what each may do; they can be called back."),
)
app.command(
    help=said("给一个程序一个凭证，替咨询师用接口。", "Make a token for a program that acts for a counsellor.")
)(token)
app.command(help=said("值班的人看过、做过什么。", "What staff looked at and did."))(audit)
app.command(
    help=said(
        "把保存的一切另存一份，服务不用停；密钥不在里面。",
        "Copy everything that is kept while it is being served; the keys are not in it.",
    )
)(backup)
app.command(help=said("把一份副本放进还没有数据的文件夹。", "Put a copy where nothing is kept yet."))(restore)
app.add_typer(
    forms,
    name="forms",
    help=said("表单：列出、查看、算分，和 FHIR 互相转换。", "Forms: list, show, score, and convert from and to FHIR."),
)
app.add_typer(
    prompts, name="prompts", help=said("看脚本问语言模型的原文。", "See what a script asks a language model.")
)
app.add_typer(
    escalations,
    name="escalations",
    help=said("谁该被告知有人需要帮助。", "Who was to be told that somebody needs help."),
)
app.add_typer(
    keys,
    name="keys",
    help=said("查看或更换保护谈话内容的主密钥。", "Show or replace the key that protects what is said."),
)


def _add_optional_parts() -> None:
    """Commands of parts that nothing else needs: where one has been taken away, its command is not there."""
    if find_spec("heartrule.script_tests.mutation") is not None:
        from heartrule.cli.mutate import HELP, mutate

        app.command(help=HELP)(mutate)
    if find_spec("heartrule.evals") is not None:
        from heartrule.cli.eval import evaluations

        app.add_typer(evaluations, name="eval", help=said("看模型判断得准不准。", "See how well the model judges."))


_add_optional_parts()


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        echo(f"heartrule {version('heartrule')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=said("显示版本。", "Show the version."))
    ] = False,
) -> None:
    return


def main() -> None:
    """Text is UTF-8 whatever the system's locale says, and what cannot be shown is replaced instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    logs.write(level="warning")
    with reading(spoken_here()):
        try:
            app()
        except Exception as error:
            sys.exit(_fault(error))


def _fault(error: Exception) -> int:
    from heartrule.cli.faults import told_of

    echo(told_of(error, Words(spoken_here())), err=True)
    return 1
