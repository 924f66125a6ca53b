"""The plugin in the sessions of its users."""

import json
from collections.abc import Callable

import pytest

from pulumi_dataprotection import testing
from support import HANG

pytest_plugins = ["pytester"]

Session = Callable[..., pytest.RunResult]

USES_BOTH = """
def test_uses_both(dataprotection_emulator, dataprotection_stack):
    pass
"""


@pytest.fixture
def session(pytester: pytest.Pytester) -> Session:
    """Run the text of a test's file in a pytest of its own, in which a warning is an error."""

    def run(text: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(text)
        return pytester.runpytest_subprocess("-W", "error", "-p", "no:schemathesis", *options, timeout=HANG)

    return run


def test_a_right_test_passes_and_a_wrong_test_fails(session: Session) -> None:
    ended = session(
        """
        def names(emulator):
            return [org["name"] for org in emulator.state()["orgs"]]

        def test_right(dataprotection_emulator):
            assert "Contoso" in names(dataprotection_emulator)

        def test_wrong(dataprotection_emulator):
            assert "Contoso" not in names(dataprotection_emulator)
        """
    )
    ended.assert_outcomes(passed=1, failed=1)
    ended.stdout.fnmatch_lines(["E *assert 'Contoso' not in *'Contoso'*"])


def test_each_test_gets_the_server_in_its_first_state(session: Session) -> None:
    ended = session(
        """
        from urllib.request import Request, urlopen

        import pytest

        SEEN = []

        @pytest.mark.parametrize("turn", range(2))
        def test_orgs(dataprotection_emulator, turn):
            emulator = dataprotection_emulator
            policies = [policy["name"] for policy in emulator.state()["policies"]]
            SEEN.append([emulator.url, policies, emulator.now().date().year, emulator.requests()])
            assert SEEN[0] == SEEN[-1]
            emulator.advance(800 * 86400)
            emulator.patch({"policies": [{"tenant_id": "tenant-contoso", "id": "policy-x", "name": "X"}]})
            headers = {"Authorization": emulator.api_key}
            urlopen(Request(f"{emulator.url}/api/v1/applications/me/installations", headers=headers)).close()
            assert ["list_installations"] == [request["operation"] for request in emulator.requests()]
        """
    )
    ended.assert_outcomes(passed=2)


MOCKS = (
    "from pulumi.runtime import Mocks, set_mocks; "
    "set_mocks(type('Nothing', (Mocks,), {'new_resource': None, 'call': None})())"
)


@pytest.mark.parametrize("mocks", ["", MOCKS], ids=["no mocks", "mocks"])
def test_functions_that_tests_call_do_not_see_the_answers_of_earlier_tests(session: Session, mocks: str) -> None:
    ended = session(
        f"""
        import pytest
        from pulumi_dataprotection import get_policies
        {mocks}

        @pytest.mark.parametrize("name", ["Tin", "Lead"])
        def test_policies(dataprotection_emulator, monkeypatch, name):
            monkeypatch.setenv("DATAPROTECTION_BASE_URL", dataprotection_emulator.url)
            monkeypatch.setenv("DATAPROTECTION_API_KEY", dataprotection_emulator.api_key)
            policy = {{"tenant_id": "tenant-contoso", "id": "policy-x", "name": name}}
            dataprotection_emulator.patch({{"policies": [policy]}})
            assert name in [policy.name for policy in get_policies("tenant-contoso").items]
        """
    )
    ended.assert_outcomes(passed=2)


def test_the_marker_chooses_the_content_and_the_nearest_marker_wins(
    session: Session, pytester: pytest.Pytester
) -> None:
    content = {"orgs": [{"id": "org-1", "kind": "distributor", "name": "From a file"}]}
    pytester.makefile(".json", content=json.dumps(content))
    ended = session(
        """
        import pytest
        from pulumi_dataprotection.testing._control import send

        pytestmark = pytest.mark.dataprotection(seed="empty", dialect={"preset": "strict", "error_body": "html"})

        def seen(emulator):
            dialect = send(emulator.url, "GET", "dialect")
            names = [org["name"] for org in emulator.state()["orgs"]]
            return names, dialect["second_policy"], dialect["error_body"]

        def test_of_the_module(dataprotection_emulator):
            assert (["Root Organization"], "conflict", "html") == seen(dataprotection_emulator)

        @pytest.mark.dataprotection(dialect="late")
        def test_of_its_own(dataprotection_emulator):
            assert (["Root Organization"], "adds", "html") == seen(dataprotection_emulator)

        @pytest.mark.dataprotection(seed="content.json")
        def test_of_a_file(dataprotection_emulator):
            assert (["From a file"], "conflict", "html") == seen(dataprotection_emulator)

        @pytest.mark.dataprotection(seed={"orgs": [{"id": "org-1", "kind": "distributor", "name": "Mine"}]})
        def test_of_a_document(dataprotection_emulator):
            assert (["Mine"], "conflict", "html") == seen(dataprotection_emulator)

        @pytest.mark.dataprotection(seed="large:2x3", dialect="published")
        def test_of_a_size(dataprotection_emulator):
            assert (["Root Organization"], "invalid_argument", "published") == seen(dataprotection_emulator)
            assert 6 == len(dataprotection_emulator.state()["resources"])
        """,
        "--strict-markers",
    )
    ended.assert_outcomes(passed=5)


WRONG = {
    '"demo"': "@pytest.mark.dataprotection takes *, not 'demo'",
    'sed="demo", dialekt=3': "@pytest.mark.dataprotection takes *, not sed, dialekt",
    'seed="dmeo"': "*: dmeo *(demo, one-tenant, *, empty, large:TENANTSxRESOURCES or *)*: No such file *",
    "seed=3": "*: seed= takes *, not 3",
    'seed={"ogs": []}': '*: unknown section "ogs"; there are *',
    'dialect="stict"': "*: PUT dialect: no preset 'stict'; there are published, plain, *",
    'dialect={"second_polcy": "adds"}': '*: PUT dialect: the dialect has no "second_polcy"; it has *',
    "dialect=3": "*: dialect= takes *, not 3",
}


def test_a_wrong_argument_of_the_marker_is_an_error(session: Session) -> None:
    tests = (
        f"@mark.dataprotection({wrong})\ndef test_{n}(dataprotection_emulator): pass" for n, wrong in enumerate(WRONG)
    )
    ended = session("from pytest import mark\n" + "\n".join(tests))
    ended.assert_outcomes(errors=len(WRONG))
    # The error stands there without the code of the plugin.
    told = (line for n, line in enumerate(WRONG.values()) for line in (f"_* ERROR at setup of test_{n} _*", line))
    ended.stdout.fnmatch_lines([*told, "=* short test summary info =*"], consecutive=True)


def test_a_missing_package_or_command_is_an_error_with_its_remedy(
    session: Session, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = session("import sys\nsys.modules['uvicorn'] = None\n" + USES_BOTH)
    ended.assert_outcomes(errors=1)
    remedy = "* pip install 'pulumi-dataprotection[[]testing]' (uvicorn is missing)"
    ended.stdout.fnmatch_lines(["_* ERROR at setup of *", remedy], consecutive=True)

    monkeypatch.setenv("PATH", str(pytester.path))
    ended = session(USES_BOTH)
    ended.assert_outcomes(errors=1)
    ended.stdout.fnmatch_lines(["*`pulumi` is not on PATH, *dataprotection_stack*"])


def test_a_session_without_the_fixtures_imports_no_libraries(session: Session) -> None:
    heavy = "pulumi grpc starlette uvicorn httptools httpx pydantic yaml pulumi_dataprotection.emulator"
    ended = session(
        f"""
        import sys

        def test_light():
            assert "pulumi_dataprotection.testing" in sys.modules
            assert set() == set("{heavy}".split()) & set(sys.modules)
        """
    )
    ended.assert_outcomes(passed=1)


def test_the_plugin_is_loaded_once_and_lists_two_fixtures(session: Session) -> None:
    lines = session("", "--trace-config", "--fixtures", "-q").outlines
    modules = [
        line.split("'")[1] for line in lines if line.startswith("PLUGIN registered: <module 'pulumi_dataprotection.")
    ]
    assert ["pulumi_dataprotection.testing", "pulumi_dataprotection.testing._plugin"] == sorted(modules)
    fixtures = [line.partition(" --")[0] for line in lines if line.startswith("dataprotection_")]
    assert ["dataprotection_emulator", "dataprotection_stack"] == sorted(fixtures)


def test_each_public_name_exists() -> None:
    assert [] == [name for name in testing.__all__ if not hasattr(testing, name)]
    assert not hasattr(testing, "Emulater")
