"""The command group `dataprotection emulator`."""

import click

_MISSING = "the emulator needs more packages: pip install 'pulumi-dataprotection[emulator]'"


@click.group()
def emulator() -> None:
    """A local stand-in for the service."""


@emulator.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=0, show_default=True, type=click.IntRange(0, 65535), help="The port; 0: any free.")
@click.option("--db", "database", default=":memory:", show_default=True, help="The database file.")
@click.option(
    "--seed",
    default="demo",
    show_default=True,
    help="The content of a new database: demo, one-tenant, customer-left, empty, large:TENANTSxRESOURCES, "
    "estate:CUSTOMERSxTENANTSxSEATS, or a file with a state document.",
)
@click.option(
    "--dialect",
    default="published",
    show_default=True,
    help="How it reads what the interface leaves open: a preset's name, or a file of variants.",
)
def serve(host: str, port: int, database: str, seed: str, dialect: str) -> None:
    """Serve the emulator; once it answers, print one line of JSON: url, api_key, read_only_key, pid."""
    try:
        # Only this command needs the packages of the extra.
        from pulumi_dataprotection import emulator as implementation  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{_MISSING} ({error.name} is missing)") from None
    try:
        implementation.serve(host=host, port=port, database=database, seed=seed, dialect=dialect)
    except implementation.EmulatorError as error:
        raise click.ClickException(str(error)) from None
