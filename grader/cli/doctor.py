"""`grader doctor`."""

from __future__ import annotations

import click

from grader.sandbox.doctor import examine


@click.command(name="doctor")
def command() -> None:
    """Say what isolation this machine gives, why not more, and the remedy.

    `grader grade` refuses hidden tests below the level `container`; of the levels above it, `full` is
    the one that there is. `grader check` runs at any level.
    """
    for finding in examine():
        click.echo(f"{'ok' if finding.ok else 'no':<3} {finding.name:<18} {finding.detail}")
        if finding.remedy:
            click.echo(f"    {'':<18} hint: {finding.remedy}")
