"""The `dataprotection` command."""

import click

from pulumi_dataprotection.cli.adopt import adopt
from pulumi_dataprotection.cli.coverage import coverage
from pulumi_dataprotection.cli.doctor import doctor
from pulumi_dataprotection.cli.drift import drift
from pulumi_dataprotection.cli.emulator import emulator
from pulumi_dataprotection.cli.get import get
from pulumi_dataprotection.cli.licences import licences
from pulumi_dataprotection.cli.report import report

__all__ = ["main"]


@click.group()
@click.version_option(package_name="pulumi-dataprotection")
def main() -> None:
    """Tools around the data-protection service."""


main.add_command(adopt)
main.add_command(coverage)
main.add_command(doctor)
main.add_command(drift)
main.add_command(emulator)
main.add_command(get)
main.add_command(licences)
main.add_command(report)
