"""Which keys and base URLs can be used, and that no part of a key is ever shown."""

import traceback

import pytest

from pulumi_dataprotection.client import Settings
from pulumi_dataprotection.client.errors import ConfigurationError

KEY = "abc-SECRET-0123456789"
URL = "https://api.example.com"


def refusal(api_key: str, base_url: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        Settings(api_key, base_url, key_source="DATAPROTECTION_API_KEY")
    return str(caught.value)


@pytest.mark.parametrize(
    ("spelled", "expected"),
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
        ("HTTPS://API.Example.COM/Backup/api/v1/", "https://api.example.com/Backup"),
        ("https://api.example.com/backup/", "https://api.example.com/backup"),
        ("https://api.example.com/api/v10", "https://api.example.com/api/v10"),
        ("https://api.example.com:8443/v1", "https://api.example.com:8443/v1"),
        ("https://sauvegarde-é.example", "https://sauvegarde-é.example"),
        ("https://api.example.com.", "https://api.example.com."),
        ("https://[2001:db8::1]/", "https://[2001:db8::1]"),
    ],
)
def test_a_base_url_is_read_however_it_is_spelled(spelled: str, expected: str) -> None:
    assert expected == Settings(KEY, spelled).base_url


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "api.example.com",
        "127.0.0.1:8080",
        "localhost:8080",
        "//api.example.com",
        "ftp://api.example.com",
        "https://",
        "https:///api/v1",
        "https:api.example.com",
        "https://api..example.com",
        "https://.example.com",
        "https://api example.com",
        "https://" + "a" * 64 + ".example",
        "https://api.example.com\\orgs",
    ],
)
def test_a_base_url_needs_a_scheme_and_a_host(base_url: str) -> None:
    expected = f"the base URL {base_url!r} needs a scheme and a host, as in https://api.example.com"
    assert expected == refusal(KEY, base_url)


@pytest.mark.parametrize("base_url", ["https://[::1", "https://h:port", "https://h:99999", "https://h:-1"])
def test_a_base_url_with_a_host_or_port_that_is_none_is_refused(base_url: str) -> None:
    expected = f"the base URL {base_url!r} has a host or a port that is none"
    assert expected == refusal(KEY, base_url)


@pytest.mark.parametrize(
    "base_url",
    [
        "http://api.example.com",
        "http://10.0.0.1",
        "http://localhost.example.com",
        "http://[2001:db8::1]",
        "http://127.1",
    ],
)
def test_a_key_is_never_sent_unencrypted_to_another_machine(base_url: str) -> None:
    expected = (
        f"the base URL {base_url!r} would send the API key unencrypted: use https (http is for loopback addresses)"
    )
    assert expected == refusal(KEY, base_url)


@pytest.mark.parametrize(
    "rest", ["ada:hunter2@api.example.com", "ada@api.example.com", "api.example.com?hunter2", "api.example.com#hunter2"]
)
def test_a_base_url_holds_no_user_no_query_and_no_fragment(rest: str) -> None:
    expected = "the base URL https://api.example.com must hold no user, no query and no fragment"
    assert expected == refusal(KEY, f"https://{rest}")


@pytest.mark.parametrize(
    "base_url",
    [
        "ada:hunter2@api.example.com",
        "ftp://ada:hunter2@api.example.com",
        "https://ada:hunter2@",
        "https://ada:hunter2@h:port",
        "http://ada:hunter2@api.example.com",
    ],
)
def test_a_password_in_a_base_url_is_not_shown(base_url: str) -> None:
    assert "hunter2" not in refusal(KEY, base_url)


@pytest.mark.parametrize("key", [f" {KEY}", f"{KEY}\n", f"{KEY}\r\n", f"\t{KEY}\t", f"\u2003{KEY}\xa0"], ids=ascii)
def test_white_space_around_a_key_is_none_of_it(key: str) -> None:
    assert Settings(key, URL).api_key == KEY


@pytest.mark.parametrize(
    ("key", "character"),
    [
        ("abc\n-SECRET", "U+000A, character 4 of 11"),
        ("abc -SECRET", "U+0020, character 4 of 11"),
        ("abc\x00-SECRET", "U+0000, character 4 of 11"),
        ("abc\x7f-SECRET", "U+007F, character 4 of 11"),
        ("abc\u200b-SECRET", "U+200B, character 4 of 11"),
        ("\ufeffabc-SECRET", "U+FEFF, character 1 of 11"),
        ("abc-SECRETé", "U+00E9, character 11 of 11"),
        ("abc-SECRET🔑", "U+1F511, character 11 of 11"),
    ],
    ids=ascii,
)
def test_a_key_with_a_character_that_no_key_has_is_refused(key: str, character: str) -> None:
    expected = (
        f"the API key from DATAPROTECTION_API_KEY holds a character that no key has ({character}): copy the key again"
    )
    assert expected == refusal(key, URL)


@pytest.mark.parametrize("key", ["", " ", "\n"])
def test_an_empty_key_is_refused(key: str) -> None:
    with pytest.raises(ConfigurationError, match="the API key from the program is empty"):
        Settings(key, URL)


@pytest.mark.parametrize("key", ["abc\n-SECRET", "abc\u200b-SECRET", "abc-SECRETé", "abc -SECRET" + "x" * 100_000])
def test_no_part_of_a_refused_key_is_shown(key: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Settings(key, URL)
    shown = (str(caught.value), repr(caught.value), *traceback.format_exception(caught.value))
    assert not [part for part in ("abc", "SECRET", "xx") for text in shown if part in text]


@pytest.mark.parametrize("base_url", ["http://api.example.com", "nothing", "https://h:port"])
def test_a_key_is_not_shown_with_a_base_url_that_is_refused(base_url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Settings(KEY, base_url)
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_settings_do_not_show_their_key() -> None:
    settings = Settings(KEY, URL)
    assert KEY not in f"{settings!r} {settings}"
