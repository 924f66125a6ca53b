"""The command `dataprotection doctor`."""

import click

__all__ = ["doctor"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects: name, result, found, advice.")
@click.option("--profile", metavar="NAME", help="Take the key and the base URL from this profile.")
@click.option(
    "--stack", metavar="NAME", help="The stack whose config counts, after the environment; the selected stack."
)
def doctor(*, as_json: bool, profile: str | None, stack: str | None) -> None:
    """Find out why a set-up does not work: this machine, the project, the settings, the service.

    Nothing is written to the service. The exit status is 1 if a check failed.
    """
    # Imported here, because it takes half a second, which other commands need not wait for.
    from pulumi_dataprotection.cli.doctor.run import run  # noqa: PLC0415 - see above

    run(stack, profile, as_json=as_json)
