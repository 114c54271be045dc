"""The command: what is typed, and how it ends.

Every way to fail ends here, in one line and with the contract's exit code. Nothing else in the command catches.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from segue_cli.commands import check, convert, explain, formats, lint, models, rules, show

app = typer.Typer(
    name="segue",
    help="Fit a recorded conversation to another model, and show what it cost.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("convert")(convert.command)
app.command("check")(check.command)
app.command("lint")(lint.command)
app.command("show")(show.command)
app.command("explain")(explain.command)
app.command("rules")(rules.command)
app.command("formats")(formats.command)
app.command("models")(models.command)


def _version(wanted: bool) -> None:
    if wanted:
        from segue.__about__ import CATALOGUE_DATE, __version__

        print(f"segue {__version__} (models of {CATALOGUE_DATE})")
        raise typer.Exit


@app.callback()
def _app(
    version: Annotated[
        bool,
        typer.Option("--version", help="Version, and the date of the catalogue.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command and end the process with the contract's exit code."""
    gc.disable()  # a process of seconds: collecting costs more than it frees
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command; return its exit code, whatever happens."""
    try:
        code = _called(arguments)
        sys.stdout.flush()
        return code
    except (BrokenPipeError, SystemExit):  # the latter is how typer ends when the reader is gone
        _give_up_output()
        return 141
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return _failed(error)


def _called(arguments: list[str]) -> int:
    result: Any = app(arguments, prog_name="segue", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _failed(error: Exception) -> int:
    from segue.errors import SegueError
    from segue_cli.view.plain import plain

    if os.environ.get("SEGUE_DEBUG"):
        import traceback

        traceback.print_exc()
    if isinstance(error, SegueError):
        _say(plain(str(error)))
        return error.exit_code
    if isinstance(error, TyperException):
        return _misused(error)
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    spot = f" at {os.path.basename(where.tb_frame.f_code.co_filename)}:{where.tb_lineno}" if where else ""
    _say(f"a fault of segue's own: {type(error).__name__}{spot} (SEGUE_DEBUG=1 shows where)")
    return 70


def _misused(error: TyperException) -> int:
    """Say in one line what was wrong with the command; without any argument, what there is."""
    from segue_cli.view.plain import plain

    message = error.format_message()
    if message.lstrip().startswith("Usage:"):
        print(message, file=sys.stderr)
        return 2
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "segue"
    _say(f"{plain(message).rstrip('.')}; '{path} --help' tells more")
    return 2


def _say(line: str) -> None:
    with suppress(OSError):
        sys.stderr.write(f"segue: {line}\n")
        sys.stderr.flush()


def _give_up_output() -> None:
    """Let the interpreter's own flush at the end go nowhere: the reader is gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


if __name__ == "__main__":
    main()
