"""The command line keeps its words: scripts of other people have them."""

import click

from pulumi_dataprotection.cli import main

OPTIONS = {
    "dataprotection": {"--version"},
    "dataprotection doctor": {"--json", "--profile", "--stack"},
    "dataprotection emulator": set[str](),
    "dataprotection emulator serve": {"--host", "--port", "--db", "--seed", "--dialect"},
}


def test_commands_and_options_keep_their_names() -> None:
    assert OPTIONS == dict(_options("dataprotection", main))


def _options(name: str, command: click.Command) -> list[tuple[str, set[str]]]:
    own = {option for parameter in command.params for option in parameter.opts}
    children = command.commands.items() if isinstance(command, click.Group) else ()
    return [(name, own), *(pair for word, child in children for pair in _options(f"{name} {word}", child))]
