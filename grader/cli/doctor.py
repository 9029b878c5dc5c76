"""`grader doctor`."""

from __future__ import annotations

import sys

import click

from grader.cli.say import say
from grader.sandbox.doctor import examine


@click.command(name="doctor")
@click.option(
    "--self-test",
    is_flag=True,
    help="Attack this machine with harmless submissions, at the strongest level it gives; exit 4 where one gets through.",
)
def command(self_test: bool) -> None:  # noqa: FBT001  # a flag of the command line
    """Say what isolation this machine gives, why not more, and the remedy.

    `grader grade` takes the strongest level there is, and refuses hidden tests below `container`.
    `grader check` runs at any level.
    """
    for finding in examine():
        say(f"{'ok' if finding.ok else 'no':<3} {finding.name:<18} {finding.detail}")
        if finding.remedy:
            say(f"    {'':<18} hint: {finding.remedy}")
    if self_test:
        _attack()


def _attack() -> None:
    from grader.selftest.machine import holds, prepare, tell  # noqa: PLC0415  # the judge's packages are many

    prepared = prepare()
    say(prepared.announcement)
    result = prepared.run()
    for line in tell(result):
        say(line)
    sys.exit(0 if holds(result) else 4)
