"""The checks of the settings: where each was found, and whether it can be used."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import cast

import click

from pulumi_dataprotection import client
from pulumi_dataprotection.cli.doctor.checks import Check, Finding, failed, ok, warning
from pulumi_dataprotection.cli.stack_settings import read_stack_config
from pulumi_dataprotection.client import errors

__all__ = ["SETTINGS", "Sources"]

_VARIABLES = {option.key: option.variable for option in client.OPTIONS}
_FILLING = {"apiKey": "filling", "baseUrl": "https://service.example"}
"""Values of the required settings, with which another setting is checked."""

_FIXES = {
    "apiKey": "Copy the key into {} again, whole and without anything else",
    "baseUrl": "Put the service's address into {}, as in https://api.example.com",
}
"""The fixes of invalid values of the required settings, with their source."""


@dataclass
class Sources:
    """The sources of the settings.

    Attributes:
        stack: the stack whose config is read beside the environment; None for the selected stack.
        profile: the entry of `profiles` that the key and the base URL come from.
        config: the stack's config.
    """

    stack: str | None
    profile: str | None
    config: dict[str, str] = field(default_factory=dict[str, str], repr=False)

    def find(self, key: str) -> tuple[str | None, str]:
        """Return the text of a setting and its source."""
        return client.find_setting(key, self.config.get, os.environ, self.profile)

    def load(self) -> client.Settings:
        """Find all settings."""
        return client.load_settings(self.config.get, os.environ, self.profile)

    def check_alone(self, option: client.Option) -> None:
        """Make sure that one setting can be used, whatever the others are.

        Raises:
            ConfigurationError: it cannot.
        """
        config = {**_FILLING, option.key: self.config.get(option.key, "")}
        environ = {option.variable: os.environ.get(option.variable, "")}
        client.load_settings(config.get, environ)
        client.load_preview_checks(config.get, environ)
        client.load_licence_check(config.get, environ)
        for name in _names(client.find_setting("profiles", config.get, environ)[0]):
            client.load_settings(config.get, environ, name)

    def keys(self) -> list[str]:
        """Return all API keys that stand anywhere, the longest first: no output may show them."""
        values = [
            text
            for key in ("apiKey", "profiles")
            for text in (self.config.get(key, ""), os.environ.get(_VARIABLES[key], ""))
        ]
        found = {key.strip() for text in values for key in _keys(text)}
        return sorted(found - {""}, key=len, reverse=True)


def _stack(sources: Sources) -> Finding:
    try:
        config = read_stack_config(sources.stack)
    except click.ClickException as error:
        return failed(
            error.message,
            "Run this in the project's folder, with what opens its stacks (`pulumi login`, PULUMI_CONFIG_PASSPHRASE); "
            "`pulumi stack ls` lists them",
        )
    if config is None:
        return ok("no stack is selected in this folder, so that only the environment counts; --stack names a stack")
    sources.config = config
    name = sources.stack or "the selected stack"
    return ok(f"{name}: {', '.join(sorted(sources.config)) or 'nothing'} of the namespace dataprotection")


def _profile(sources: Sources) -> Finding:
    if sources.profile is None:
        return ok("none was named")
    try:
        _, source = sources.find("apiKey")
    except errors.ConfigurationError as error:
        return failed(str(error), "Correct the profiles, or name another profile with --profile")
    return ok(source)


def _required(key: str, sources: Sources) -> Finding:
    """Check a setting without a default, whatever the other required setting is."""
    text, source = sources.find(key)
    if text is None:
        secret = "--secret " if key == "apiKey" else ""
        command = f"`pulumi config set {secret}dataprotection:{key}`"
        advice = f"Set the environment variable {_VARIABLES[key]}, or run {command} in the project's folder"
        return failed("there is none", advice)
    values = {**_FILLING, key: text}
    try:
        settings = client.Settings(values["apiKey"], values["baseUrl"], key_source=source)
    except errors.ConfigurationError as error:
        return failed(str(error), _FIXES[key].format(source))
    shown = settings.base_url if key == "baseUrl" else f"{len(settings.api_key)} characters"
    return ok(f"{shown}, from {source}")


def _others(sources: Sources) -> Finding:
    found: list[str] = []
    problems: list[str] = []
    for option in client.OPTIONS:
        text, source = (None, "") if option.key in _FILLING else sources.find(option.key)
        if text is None:
            continue
        shown = ", ".join(_names(text)) if option.key == "profiles" else text
        found.append(f"{option.key}: {shown} (from {source})")
        try:
            sources.check_alone(option)
        except errors.ConfigurationError as error:
            problems.append(str(error))
    if problems:
        return failed("; ".join(problems), "Correct these, or take them away")
    variables = [name for name in os.environ if name.startswith("DATAPROTECTION_") and name not in _VARIABLES.values()]
    if unknown := sorted([*variables, *(sources.config.keys() - _VARIABLES.keys())]):
        return warning(f"nothing reads {', '.join(unknown)}", "Look for a misspelled name")
    return ok("; ".join(found) or "all as they are by default")


def _names(text: str | None) -> list[str]:
    if text is None:
        return []
    try:
        profiles: object = json.loads(text)
    except (ValueError, RecursionError):
        profiles = None
    # A profile with an empty name does not exist, and reading it raises the error.
    return sorted(cast("dict[str, object]", profiles)) if isinstance(profiles, dict) else [""]


def _keys(text: str) -> list[str]:
    """Find the API keys in a setting: a single key, or profiles as JSON."""
    found: list[str] = []

    def note(values: list[tuple[str, object]]) -> None:
        found.extend(value for name, value in values if name == "apiKey" and isinstance(value, str))

    with suppress(ValueError, RecursionError):
        json.loads(text, object_pairs_hook=note)
    return [*found, text]


SETTINGS = (
    Check("stack's config", _stack),
    Check("profile", _profile, needs=["stack's config"]),
    Check("API key", partial(_required, "apiKey"), needs=["profile"]),
    Check("base URL", partial(_required, "baseUrl"), needs=["profile"]),
    Check("other settings", _others, needs=["stack's config"]),
)
"""The checks, in order."""
