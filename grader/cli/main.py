"""`grader`: one command a file, imported when it is asked for."""

from __future__ import annotations

import io
import sys
import traceback
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

import click

from grader import __version__
from grader.cli.process import prepare_process
from grader.cli.say import say
from grader.model.errors import GraderError

# Whom a command is for -> name -> what --help says; written here so that --help imports no command.
_GROUPS = {
    "For students": {
        "check": "Run the visible tests on your own files.",
        "watch": "Show one exercise, and check it again with every save.",
        "picture": "Draw your matrix beside the right one, with the sums of its rows and columns.",
        "hint": "Show one more hint on an exercise.",
        "status": "Say how far you are.",
        "path": "Show the unit as a map: what comes after what, minutes, points.",
        "submit": "Pack what counts of your work, to hand in.",
        "worksheet": "Write a student's blank worksheet, with numbers of their own.",
    },
    "For instructors": {
        "new": "Make a student's kit of some assignments.",
        "grade": "Grade submissions and write a report for each.",
        "gradebook": "Show what a class earned, decide about it, compare runs, forget a student.",
        "review": "Hand to a person what a person should grade, and take back what they decided.",
        "similar": "Show which submissions are alike beyond what the task makes alike.",
        "report": "Write pages to look at: one for each student, one for the class.",
        "export": "Write what was graded in the form that another tool takes.",
        "bundle": "Write what a service needs to grade with this course.",
        "ci": "Grade a student's repository, in its own workflow.",
        "replay": "Run one test of a report again.",
        "doctor": "Say what isolation this machine gives, and what would give more.",
    },
    "For authors": {
        "author": "Make an assignment, and see what one lacks.",
        "template": "Make student templates from the reference, or check them.",
        "verify": "Prove the suites of assignments: right from wrong, and every wrong by name.",
        "schema": "Print the JSON Schema of a file that is read or written, such as a report or a manifest.",
    },
}
COMMANDS = {name: said for group in _GROUPS.values() for name, said in group.items()}


class Commands(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"grader.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest one where there is none of that name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if close := get_close_matches(args[0], COMMANDS, n=1):
                raise click.UsageError(f"{error.message} Did you mean {close[0]!r}?", ctx) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table by whom they are for, without importing one."""
        del ctx
        for group, commands in _GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(list(commands.items()))


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\n"
    "Exit codes: 0 done, 1 below --fail-under or a failed check, 2 usage,\n"
    "3 the course is invalid, 4 a fault of the grader or the sandbox, 130 interrupted.",
)
@click.version_option(__version__, prog_name="grader")
def cli() -> None:
    """Grade numerical Python: every score can be trusted, every mistake has a name."""


def main() -> None:
    """Run the command line and turn an error of ours into one message and its exit code."""
    prepare_process()
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        _end(_shown(error), error.exit_code)
    except GraderError as error:
        _end(f"error: {error}", error.exit_code)
    except (KeyboardInterrupt, click.Abort) as error:
        # click makes its own error of a ^C, and what the command said of it is the cause.
        _end(": ".join(("interrupted", *map(str, (error.__cause__ or error).args))), 130)
    except (OSError, MemoryError) as error:
        _end(f"error: this machine refused: {str(error) or type(error).__name__}", GraderError.exit_code)
    except Exception:  # noqa: BLE001 - it is ours, whatever it is; the exit code that Python would give means a low score
        _end(f"error: a fault of the grader itself, please report it\n{traceback.format_exc()}", GraderError.exit_code)


def _end(said: str, exit_code: int) -> NoReturn:
    say(said, err=True)
    sys.exit(exit_code)


def _shown(error: click.ClickException) -> str:
    """What click says of a bad command line, which names the files that a shell put there."""
    text = io.StringIO()
    error.show(text)
    return text.getvalue().removesuffix("\n")
