"""The sources of the settings, and keys, base URLs and other values that are refused."""

import json
import traceback
from collections.abc import Callable, Mapping
from functools import partial

import pytest

from pulumi_dataprotection.client import (
    OPTIONS,
    Option,
    Settings,
    find_setting,
    load_licence_check,
    load_preview_checks,
    load_settings,
)
from pulumi_dataprotection.client.errors import ConfigurationError
from support.resources.servicer import assert_names

KEY = "abc-SECRET-0123456789"
URL = "https://backup.example"
BASE = {"apiKey": KEY, "baseUrl": URL}
NOTHING: dict[str, str] = {}

ATTRIBUTES = {
    "callsPerSecond": "calls_per_second",
    "concurrency": "concurrency",
    "pageSize": "page_size",
    "requestTimeout": "request_timeout",
    "readLag": "read_lag",
}
NUMBERS = [option for option in OPTIONS if option.key in ATTRIBUTES]

PROFILES = json.dumps({"acme": BASE, "zeta": {"apiKey": "other", "baseUrl": "https://zeta.example"}})

each_number = pytest.mark.parametrize("option", NUMBERS, ids=lambda option: option.key)


def load(
    config: Mapping[str, str] = NOTHING, environ: Mapping[str, str] = NOTHING, profile: str | None = None
) -> Settings:
    return load_settings(config.get, environ, profile)


def number(settings: Settings, option: Option) -> float:
    found: float = getattr(settings, ATTRIBUTES[option.key])
    return found


def refusal(make: Callable[[], object]) -> str:
    """Return the text of the error of settings that cannot be used; its traceback shows no key and no password."""
    with pytest.raises(ConfigurationError) as caught:
        make()
    shown = "".join(traceback.format_exception(caught.value))
    assert [] == [secret for secret in ("SECRET", "hunter2", "JSONDecodeError") if secret in shown]
    return str(caught.value)


def test_the_defaults_are_those_of_the_interface_and_of_the_documents() -> None:
    settings = load(BASE)
    expected = Settings(
        api_key=KEY,
        base_url=URL,
        key_source=settings.key_source,
        calls_per_second=10,
        concurrency=4,
        page_size=500,
        request_timeout=30,
        read_lag=5,
    )
    assert (expected, True) == (settings, load_preview_checks(NOTHING.get, NOTHING))
    assert "dataprotection:apiKey" in settings.key_source
    documented = {option.key: option.default for option in OPTIONS if option.default not in {"required", "none"}}
    found = {option.key: str(number(settings, option)) for option in NUMBERS}
    assert documented == {**found, "previewChecks": "true", "licenceCheck": "warn"}


@pytest.mark.parametrize("config", [NOTHING, BASE], ids=["without a config", "with a config"])
def test_the_key_and_the_url_of_the_environment_win_and_are_sufficient(config: Mapping[str, str]) -> None:
    settings = load(config, {"DATAPROTECTION_API_KEY": "other", "DATAPROTECTION_BASE_URL": "https://other.example"})
    expected = ("other", "https://other.example", "DATAPROTECTION_API_KEY")
    assert expected == (settings.api_key, settings.base_url, settings.key_source)


@each_number
def test_a_number_of_the_config_counts_and_a_number_of_the_environment_wins(option: Option) -> None:
    config = {**BASE, option.key: "7"}
    assert (7, 9) == (number(load(config), option), number(load(config, {option.variable: "9"}), option))


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_a_blank_text_counts_as_not_set(option: Option, blank: str) -> None:
    config = {**BASE, option.key: blank} if option in NUMBERS else BASE
    assert load(BASE) == load(BASE, {option.variable: blank}) == load(config)


@pytest.mark.parametrize(
    ("config", "key", "variable"),
    [
        ({"baseUrl": URL}, "apiKey", "DATAPROTECTION_API_KEY"),
        ({**BASE, "apiKey": ""}, "apiKey", "DATAPROTECTION_API_KEY"),
        ({**BASE, "apiKey": " "}, "apiKey", "DATAPROTECTION_API_KEY"),
        ({"apiKey": KEY}, "baseUrl", "DATAPROTECTION_BASE_URL"),
    ],
)
def test_a_missing_setting_is_refused_with_both_sources(config: Mapping[str, str], key: str, variable: str) -> None:
    secret = "--secret " if key == "apiKey" else ""
    names = [variable, f"config set {secret}dataprotection:{key}`", "previewChecks"]
    assert_names(refusal(lambda: load(config)), *names)


NO_NUMBERS = ["many", "nan", "inf", "-inf", "-1", "1,5", "1 2"]
BEYOND = {"concurrency": ["0", "2.7"], "pageSize": ["0", "2.7"], "requestTimeout": ["0"]}


@each_number
def test_a_number_that_cannot_be_used_is_refused_with_its_source(option: Option) -> None:
    for text in [*NO_NUMBERS, *BEYOND.get(option.key, [])]:
        of_config = refusal(partial(load, {**BASE, option.key: text}))
        assert_names(of_config, f"dataprotection:{option.key}", repr(text))
        of_environment = refusal(partial(load, BASE, {option.variable: text}))
        assert_names(of_environment, option.variable, repr(text))


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("callsPerSecond", "0", "0.0"),
        ("callsPerSecond", "2.5", "2.5"),
        ("requestTimeout", "0.5", "0.5"),
        ("readLag", "0", "0.0"),
        ("concurrency", "4.0", "4"),
        ("pageSize", " 1e2 ", "100"),
    ],
)
def test_a_number_may_be_zero_or_a_fraction_or_a_whole_float(key: str, text: str, expected: str) -> None:
    assert expected == repr(getattr(load({**BASE, key: text}), ATTRIBUTES[key]))


def test_a_profile_has_its_own_key_and_url_and_shares_the_other_settings() -> None:
    outside = {"DATAPROTECTION_API_KEY": "outside", "DATAPROTECTION_BASE_URL": "https://outside.example"}
    settings = load({"profiles": PROFILES, "pageSize": "50"}, outside, "zeta")
    assert ("other", "https://zeta.example", 50) == (settings.api_key, settings.base_url, settings.page_size)
    assert_names(settings.key_source, "'zeta'", "dataprotection:profiles")


def test_the_profiles_of_the_environment_win() -> None:
    own = json.dumps({"acme": {"apiKey": "own", "baseUrl": "https://own.example"}})
    settings = load({"profiles": PROFILES}, {"DATAPROTECTION_PROFILES": own}, "acme")
    assert "own" == settings.api_key
    assert_names(settings.key_source, "'acme'", "DATAPROTECTION_PROFILES")


@pytest.mark.parametrize(
    ("profiles", "names"),
    [
        ("", ["'acme'", "DATAPROTECTION_PROFILES", "dataprotection:profiles.NAME.apiKey", "baseUrl"]),
        ('{"acme": abc-SECRET', ["DATAPROTECTION_PROFILES", "JSON"]),
        ("[" * 100_000 + "SECRET", ["DATAPROTECTION_PROFILES", "JSON"]),
        ("[]", ["'acme'", "DATAPROTECTION_PROFILES", ": none"]),
        ('{"b": {}, "a": {}}', ["'acme'", "DATAPROTECTION_PROFILES", ": a, b"]),
        ('{"acme": "abc-SECRET"}', ["'acme'", "apiKey", "baseUrl"]),
        ('{"acme": {"apiKey": "abc-SECRET"}}', ["'acme'", "apiKey", "baseUrl"]),
        ('{"acme": {"apiKey": 5, "baseUrl": "https://a.example"}}', ["'acme'", "apiKey", "baseUrl"]),
        ('{"acme": {"apiKey": " ", "baseUrl": "https://a.example"}}', ["'acme'", "DATAPROTECTION_PROFILES", "API key"]),
        ('{"acme": {"apiKey": "a", "baseUrl": ""}}', ["base URL ''"]),
    ],
    ids=["none", "no JSON", "deep", "no object", "another", "text", "no URL", "a number", "blank key", "blank URL"],
)
def test_an_unusable_profile_is_refused_without_its_text(profiles: str, names: list[str]) -> None:
    environ = {"DATAPROTECTION_PROFILES": profiles}
    assert_names(refusal(lambda: load(environ=environ, profile="acme")), *names)


CHECKS = {"previewChecks": load_preview_checks, "licenceCheck": load_licence_check}


@pytest.mark.parametrize(
    ("key", "config", "variable", "expected"),
    [
        ("previewChecks", None, None, True),
        ("previewChecks", "", "", True),
        ("previewChecks", "true", None, True),
        ("previewChecks", " FALSE ", None, False),
        ("previewChecks", "false", "true", True),
        ("previewChecks", "true", "false", False),
        ("previewChecks", "false", " ", False),
        ("licenceCheck", None, None, "warn"),
        ("licenceCheck", " Fail ", None, "fail"),
        ("licenceCheck", "off", "fail", "fail"),
        ("licenceCheck", "off", " ", "off"),
    ],
)
def test_a_choice_has_a_default_and_the_environment_wins(
    key: str, config: str | None, variable: str | None, expected: object
) -> None:
    (option,) = (option for option in OPTIONS if option.key == key)
    environ = {} if variable is None else {option.variable: variable}
    assert expected == CHECKS[key](lambda _: config, environ)


@pytest.mark.parametrize(
    ("key", "text"),
    [*(("previewChecks", text) for text in ("no", "0", "off")), *(("licenceCheck", text) for text in ("no", "true"))],
)
def test_another_choice_is_refused_with_its_source(key: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match=f"dataprotection:{key} .*{text!r}"):
        CHECKS[key]({key: text}.get, NOTHING)


@pytest.mark.parametrize("field", ["key", "variable"])
def test_no_two_options_share_a_name(field: str) -> None:
    assert len(OPTIONS) == len({getattr(option, field) for option in OPTIONS})


@pytest.mark.parametrize(
    ("key", "profile", "text", "place"),
    [
        ("apiKey", None, KEY, "dataprotection:apiKey"),
        ("baseUrl", None, "https://environment.example", "DATAPROTECTION_BASE_URL"),
        ("pageSize", None, None, "dataprotection:pageSize"),
        ("apiKey", "zeta", "other", "dataprotection:profiles"),
        ("baseUrl", "zeta", "https://zeta.example", "dataprotection:profiles"),
        ("concurrency", "zeta", "9", "DATAPROTECTION_CONCURRENCY"),
    ],
)
def test_a_single_setting_is_found_with_its_place(key: str, profile: str | None, text: str | None, place: str) -> None:
    environ = {"DATAPROTECTION_BASE_URL": "https://environment.example", "DATAPROTECTION_CONCURRENCY": "9"}
    found, source = find_setting(key, {**BASE, "profiles": PROFILES}.get, environ, profile)
    assert (text, True) == (found, source.endswith(place))


def refused(api_key: str, base_url: str) -> str:
    return refusal(lambda: Settings(api_key, base_url, key_source="the variable KEY"))


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/api/v1", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/api/v1/", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080//api/v1//", "http://127.0.0.1:8080"),
        ("  http://127.0.0.1:8080\n", "http://127.0.0.1:8080"),
        ("HTTP://LOCALHOST:8080", "http://localhost:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://127.9.9.9", "http://127.9.9.9"),
        ("HTTPS://BACKUP.Example/Backup/api/v1/", "https://backup.example/Backup"),
        ("https://backup.example/backup/", "https://backup.example/backup"),
        ("https://backup.example/api/v10", "https://backup.example/api/v10"),
        ("https://backup.example:8443/v1", "https://backup.example:8443/v1"),
        ("https://sauvegarde-é.example", "https://sauvegarde-é.example"),
        ("https://backup.example.", "https://backup.example."),
        ("https://[2001:db8::1]/", "https://[2001:db8::1]"),
    ],
)
def test_a_base_url_may_be_written_in_several_ways(spelling: str, expected: str) -> None:
    assert expected == Settings(KEY, spelling).base_url


REFUSED = {
    "scheme": [
        *("", "backup.example", "127.0.0.1:8080", "localhost:8080", "//backup.example", "ftp://backup.example"),
        *("https://", "https:///api/v1", "https:backup.example", "https://backup..example", "https://.example"),
        *("https://backup example", "https://backup.example\\orgs", "https://ª-ªª\u0301.example"),
        f"https://{'a' * 64}.example",
    ],
    "port": ["https://[::1", "https://h:port", "https://h:99999", "https://h:-1"],
    "unencrypted": [
        *("http://backup.example", "http://10.0.0.1", "http://127.1", "http://[2001:db8::1]"),
        "http://localhost.example",
    ],
}
USERS = ["ada:hunter2@backup.example", "ada@backup.example", "backup.example?hunter2", "backup.example#hunter2"]
PASSWORDS = ["ada:hunter2@h", "ftp://ada:hunter2@h", "https://ada:hunter2@", "https://ada:hunter2@h:port"]


@pytest.mark.parametrize(
    ("base_url", "names"),
    [
        *((url, [word, repr(url)]) for word, urls in REFUSED.items() for url in urls),
        *((f"https://{rest}", ["fragment", URL]) for rest in USERS),
        *((url, []) for url in PASSWORDS),
        ("http://ada:hunter2@backup.example", []),
    ],
)
def test_an_unusable_base_url_is_refused_and_named_without_its_user(base_url: str, names: list[str]) -> None:
    assert_names(refused(KEY, base_url), *names)


@pytest.mark.parametrize("key", [f" {KEY}", f"{KEY}\n", f"{KEY}\r\n", f"\t{KEY}\t", f"\u2003{KEY}\xa0"], ids=ascii)
def test_white_space_around_a_key_is_removed(key: str) -> None:
    assert KEY == Settings(key, URL).api_key


@pytest.mark.parametrize(
    ("key", "place"),
    [
        *dict.fromkeys(["", " ", "\n"], "the variable KEY").items(),
        ("abc\n-SECRET", "(U+000A, character 4 of 11)"),
        ("abc -SECRET", "(U+0020, character 4 of 11)"),
        ("abc\x00-SECRET", "(U+0000, character 4 of 11)"),
        ("abc\x7f-SECRET", "(U+007F, character 4 of 11)"),
        ("abc\u200b-SECRET", "(U+200B, character 4 of 11)"),
        ("\ufeffabc-SECRET", "(U+FEFF, character 1 of 11)"),
        ("abc-SECRETé", "(U+00E9, character 11 of 11)"),
        ("abc-SECRET🔑", "(U+1F511, character 11 of 11)"),
        ("abc -SECRET" + "x" * 100_000, "(U+0020, character 4 of 100011)"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_a_key_with_an_impossible_character_is_refused_and_only_the_place_is_shown(key: str, place: str) -> None:
    text = refused(key, URL)
    assert_names(text, "the variable KEY", place)
    assert [] == [part for part in ("abc", "xx") if part in text]


def test_settings_do_not_show_their_key() -> None:
    settings = Settings(KEY, URL)
    assert KEY not in f"{settings!r} {settings}"
