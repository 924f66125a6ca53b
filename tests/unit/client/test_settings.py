"""Where the settings come from, and what is refused."""

import json
import traceback
from collections.abc import Mapping

import pytest

from pulumi_dataprotection.client import OPTIONS, Option, Settings, find_setting, load_preview_checks, load_settings
from pulumi_dataprotection.client.errors import ConfigurationError

KEY = "abc-SECRET-0123456789"
URL = "https://api.example.com"
BASE = {"apiKey": KEY, "baseUrl": URL}
NOTHING: dict[str, str] = {}

NUMBERS = [
    ("callsPerSecond", "DATAPROTECTION_CALLS_PER_SECOND", "calls_per_second"),
    ("concurrency", "DATAPROTECTION_CONCURRENCY", "concurrency"),
    ("pageSize", "DATAPROTECTION_PAGE_SIZE", "page_size"),
    ("requestTimeout", "DATAPROTECTION_REQUEST_TIMEOUT", "request_timeout"),
    ("readLag", "DATAPROTECTION_READ_LAG", "read_lag"),
]

PROFILES = {"acme": {"apiKey": KEY, "baseUrl": URL}, "zeta": {"apiKey": "other", "baseUrl": "https://zeta.example"}}

NO_PROFILES = (
    "profile 'acme' is asked for, and there are no profiles: set DATAPROTECTION_PROFILES, or run "
    "`pulumi config set --secret --path dataprotection:profiles.NAME.apiKey` and the same for baseUrl"
)


def load(
    config: Mapping[str, str] = NOTHING, environ: Mapping[str, str] = NOTHING, profile: str | None = None
) -> Settings:
    return load_settings(config.get, environ, profile)


def refusal(
    config: Mapping[str, str] = NOTHING, environ: Mapping[str, str] = NOTHING, profile: str | None = None
) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load(config, environ, profile)
    return str(caught.value)


def test_without_anything_else_the_documented_defaults_hold() -> None:
    expected = Settings(
        api_key=KEY,
        base_url=URL,
        key_source="the config key dataprotection:apiKey",
        calls_per_second=10,
        concurrency=4,
        page_size=500,
        request_timeout=30,
        read_lag=5,
    )
    assert expected == load(BASE)


def test_the_documented_defaults_are_those_of_the_code() -> None:
    settings = load(BASE)
    expected = {option.key: option.default for option in OPTIONS}
    found = {key: str(getattr(settings, attribute)) for key, _, attribute in NUMBERS}
    found["previewChecks"] = str(load_preview_checks(NOTHING.get, NOTHING)).lower()
    assert {key: text for key, text in expected.items() if text not in {"required", "none"}} == found


def test_config_alone_is_enough() -> None:
    numbers = {"callsPerSecond": "2.5", "concurrency": "8", "pageSize": "50", "requestTimeout": "0.5", "readLag": "7"}
    settings = load({**BASE, **numbers})
    expected = (2.5, 8, 50, 0.5, 7)
    assert expected == tuple(getattr(settings, attribute) for _, _, attribute in NUMBERS)


def test_the_environment_alone_is_enough() -> None:
    settings = load(environ={"DATAPROTECTION_API_KEY": KEY, "DATAPROTECTION_BASE_URL": URL})
    expected = (KEY, URL, "DATAPROTECTION_API_KEY")
    assert expected == (settings.api_key, settings.base_url, settings.key_source)


@pytest.mark.parametrize(("key", "variable", "attribute"), NUMBERS)
def test_the_environment_wins(key: str, variable: str, attribute: str) -> None:
    assert getattr(load({**BASE, key: "7"}, {variable: "9"}), attribute) == 9


def test_the_environments_key_and_url_win() -> None:
    settings = load(BASE, {"DATAPROTECTION_API_KEY": "other", "DATAPROTECTION_BASE_URL": "https://other.example"})
    expected = ("other", "https://other.example")
    assert expected == (settings.api_key, settings.base_url)


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_a_blank_variable_counts_as_not_set(option: Option, blank: str) -> None:
    assert load(BASE) == load(BASE, {option.variable: blank})


@pytest.mark.parametrize("blank", ["", " "])
@pytest.mark.parametrize("key", [key for key, _, _ in NUMBERS])
def test_a_blank_config_value_counts_as_not_set(key: str, blank: str) -> None:
    assert load(BASE) == load({**BASE, key: blank})


@pytest.mark.parametrize("blank", [None, "", " "])
def test_without_a_key_both_ways_to_set_it_are_named(blank: str | None) -> None:
    config = {"baseUrl": URL} if blank is None else {"baseUrl": URL, "apiKey": blank}
    expected = (
        "no apiKey: set the environment variable DATAPROTECTION_API_KEY, "
        "or run `pulumi config set --secret dataprotection:apiKey`; a preview without look-ups needs none where "
        "previewChecks is false"
    )
    assert expected == refusal(config)


def test_without_a_base_url_both_ways_to_set_it_are_named() -> None:
    expected = (
        "no baseUrl: set the environment variable DATAPROTECTION_BASE_URL, "
        "or run `pulumi config set dataprotection:baseUrl`; a preview without look-ups needs none where "
        "previewChecks is false"
    )
    assert expected == refusal({"apiKey": KEY})


@pytest.mark.parametrize("text", ["many", "nan", "inf", "-inf", "-1", "1,5", "ten", "1 2"])
@pytest.mark.parametrize(("key", "variable"), [(key, variable) for key, variable, _ in NUMBERS])
def test_a_number_that_is_none_is_refused_with_its_source(key: str, variable: str, text: str) -> None:
    both = {refusal({**BASE, key: text}), refusal(BASE, {variable: text})}
    start = f" is {text!r}, and must be a number of at least "
    assert all(f"the config key dataprotection:{key}{start}" in one or f"{variable}{start}" in one for one in both)


@pytest.mark.parametrize("key", ["concurrency", "pageSize", "requestTimeout"])
def test_only_the_call_budget_may_be_zero(key: str) -> None:
    assert f"dataprotection:{key} is '0', and must be a number" in refusal({**BASE, key: "0"})


@pytest.mark.parametrize("key", ["concurrency", "pageSize"])
def test_a_count_must_be_whole(key: str) -> None:
    expected = f"the config key dataprotection:{key} is '2.7', and must be a whole number"
    assert expected == refusal({**BASE, key: "2.7"})


def test_a_call_budget_of_zero_is_no_limit() -> None:
    assert load({**BASE, "callsPerSecond": "0"}).calls_per_second == 0


def test_whole_numbers_may_be_written_as_floats() -> None:
    settings = load({**BASE, "concurrency": "4.0", "pageSize": " 1e2 "})
    expected = ("4", "100")
    assert expected == (repr(settings.concurrency), repr(settings.page_size))


def test_a_profile_has_its_own_key_and_url() -> None:
    settings = load({"profiles": json.dumps(PROFILES)}, profile="zeta")
    expected = ("other", "https://zeta.example", "the profile 'zeta' in the config key dataprotection:profiles")
    assert expected == (settings.api_key, settings.base_url, settings.key_source)


def test_a_profile_shares_the_other_settings() -> None:
    assert load({"profiles": json.dumps(PROFILES), "pageSize": "50"}, profile="acme").page_size == 50


def test_a_profile_does_not_mix_with_the_key_outside() -> None:
    outside = {"DATAPROTECTION_API_KEY": "outside", "DATAPROTECTION_BASE_URL": "https://outside.example"}
    settings = load({"profiles": json.dumps(PROFILES)}, outside, "acme")
    expected = (KEY, URL)
    assert expected == (settings.api_key, settings.base_url)


def test_the_environments_profiles_win() -> None:
    own = json.dumps({"acme": {"apiKey": "own", "baseUrl": "https://own.example"}})
    settings = load({"profiles": json.dumps(PROFILES)}, {"DATAPROTECTION_PROFILES": own}, "acme")
    expected = ("own", "the profile 'acme' in DATAPROTECTION_PROFILES")
    assert expected == (settings.api_key, settings.key_source)


@pytest.mark.parametrize(
    ("profiles", "reason"),
    [
        (
            "",
            NO_PROFILES,
        ),
        ('{"acme": abc-SECRET', "DATAPROTECTION_PROFILES is not JSON"),
        ("[" * 100_000 + "SECRET", "DATAPROTECTION_PROFILES is not JSON"),
        ("[]", "no profile 'acme' in DATAPROTECTION_PROFILES; there are: none"),
        ('{"b": {}, "a": {}}', "no profile 'acme' in DATAPROTECTION_PROFILES; there are: a, b"),
        ('{"acme": "abc-SECRET"}', "profile 'acme' in DATAPROTECTION_PROFILES needs apiKey and baseUrl, both text"),
        (
            '{"acme": {"apiKey": "abc-SECRET"}}',
            "profile 'acme' in DATAPROTECTION_PROFILES needs apiKey and baseUrl, both text",
        ),
        (
            '{"acme": {"apiKey": 5, "baseUrl": "https://a.example"}}',
            "profile 'acme' in DATAPROTECTION_PROFILES needs apiKey and baseUrl, both text",
        ),
        (
            '{"acme": {"apiKey": " ", "baseUrl": "https://a.example"}}',
            "the API key from the profile 'acme' in DATAPROTECTION_PROFILES is empty",
        ),
        (
            '{"acme": {"apiKey": "a", "baseUrl": ""}}',
            "the base URL '' needs a scheme and a host, as in https://api.example.com",
        ),
    ],
    ids=["none", "no JSON", "deep", "no object", "another", "text", "no URL", "a number", "blank key", "blank URL"],
)
def test_a_profile_that_cannot_be_used_is_refused(profiles: str, reason: str) -> None:
    assert reason == refusal(environ={"DATAPROTECTION_PROFILES": profiles}, profile="acme")


def test_profiles_that_are_no_json_are_not_shown_in_a_traceback() -> None:
    with pytest.raises(ConfigurationError) as caught:
        load({"profiles": f'{{"acme": {KEY}'}, profile="acme")
    shown = "".join(traceback.format_exception(caught.value))
    assert [text for text in (KEY, "JSONDecodeError") if text in shown] == []


@pytest.mark.parametrize(
    ("config", "variable", "expected"),
    [
        (None, None, True),
        ("", "", True),
        ("true", None, True),
        ("false", None, False),
        ("False", None, False),
        (" FALSE ", None, False),
        ("false", "true", True),
        ("true", "false", False),
        ("false", " ", False),
    ],
)
def test_preview_checks_are_on_unless_switched_off(config: str | None, variable: str | None, expected: bool) -> None:  # noqa: FBT001 - a table
    environ = {} if variable is None else {"DATAPROTECTION_PREVIEW_CHECKS": variable}
    assert expected == load_preview_checks(lambda _: config, environ)


@pytest.mark.parametrize("text", ["no", "0", "off", "falsch"])
def test_preview_checks_are_true_or_false(text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_preview_checks({"previewChecks": text}.get, NOTHING)
    expected = f"the config key dataprotection:previewChecks is {text!r}, and must be true or false"
    assert expected == str(caught.value)


@pytest.mark.parametrize("field", ["key", "variable"])
def test_no_two_options_share_a_name(field: str) -> None:
    assert len(OPTIONS) == len({getattr(option, field) for option in OPTIONS})


@pytest.mark.parametrize(
    ("key", "profile", "expected"),
    [
        ("apiKey", None, (KEY, "the config key dataprotection:apiKey")),
        ("baseUrl", None, ("https://environment.example", "DATAPROTECTION_BASE_URL")),
        ("pageSize", None, (None, "the config key dataprotection:pageSize")),
        ("apiKey", "zeta", ("other", "the profile 'zeta' in the config key dataprotection:profiles")),
        ("baseUrl", "zeta", ("https://zeta.example", "the profile 'zeta' in the config key dataprotection:profiles")),
        ("concurrency", "zeta", ("9", "DATAPROTECTION_CONCURRENCY")),
    ],
)
def test_a_single_setting_is_found_with_its_place(
    key: str, profile: str | None, expected: tuple[str | None, str]
) -> None:
    config = {**BASE, "profiles": json.dumps(PROFILES)}
    environ = {"DATAPROTECTION_BASE_URL": "https://environment.example", "DATAPROTECTION_CONCURRENCY": "9"}
    assert expected == find_setting(key, config.get, environ, profile)
