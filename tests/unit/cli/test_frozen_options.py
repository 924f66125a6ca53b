"""The command line keeps its words, because scripts of users have them."""

from support.cli.commands import COMMANDS, options

OF_GET = {"--format", "--profile", "--stack"}
OF_TENANTS = OF_GET | {"--tenant", "--all-tenants", "--org", "--recursive"}
OF_ALL = {"--tenant", "--org", "--recursive", "--profile", "--stack"}
STATES = {"--stacks", "--project", "--state"}
FORMATS = {"--format", "--json"}
OPTIONS = {
    "dataprotection": {"--version"},
    "dataprotection adopt": {"--out", "--org", "--tenant", "--layout", "--as", "--own", "--on-conflict", "--check"}
    | {"--update", "--force", "--json", "--stack"},
    "dataprotection coverage": OF_ALL | STATES | FORMATS | {"--ignore", "--fail-under", "--max-unprotected"},
    "dataprotection report": OF_ALL | STATES | {"--ignore", "--out", "--days", "--since", "--anonymous"},
    "dataprotection doctor": {"--json", "--profile", "--stack"},
    "dataprotection drift": STATES | FORMATS | {"--stack"},
    "dataprotection emulator": set[str](),
    "dataprotection emulator serve": {"--host", "--port", "--db", "--seed", "--dialect"},
    "dataprotection licences": OF_ALL | FORMATS,
    "dataprotection get": set[str](),
    "dataprotection get coverage": OF_TENANTS | {"--kind"},
    "dataprotection get installations": OF_GET,
    "dataprotection get org": OF_GET | {"--id", "--external-id", "--parent"},
    "dataprotection get orgs": OF_GET | {"--parent", "--recursive"},
    "dataprotection get tenant": OF_GET | {"--id", "--name", "--org"},
    "dataprotection get tenants": OF_GET | {"--org", "--recursive", "--deleted"},
    "dataprotection get tenant-quotas": OF_TENANTS,
    "dataprotection get subscriptions": OF_GET | {"--org"},
    "dataprotection get subscription-history": OF_GET | {"--org", "--start", "--end"},
    "dataprotection get resource": OF_TENANTS | {"--resource"},
    "dataprotection get resources": OF_TENANTS
    | {"--kind", "--name", "--archived", "--not-archived", "--protected", "--unprotected"},
    "dataprotection get resource-stats": OF_TENANTS,
    "dataprotection get policy": OF_TENANTS | {"--policy"},
    "dataprotection get policies": OF_TENANTS | {"--name"},
    "dataprotection get protection": OF_TENANTS | {"--resource"},
    "dataprotection get protections": OF_TENANTS,
    "dataprotection get archives": OF_TENANTS | {"--resource"},
    "dataprotection get audit-events": OF_TENANTS | {"--start-time", "--end-time"},
    "dataprotection get task": OF_TENANTS | {"--task"},
    "dataprotection get task-stats": OF_TENANTS | {"--start-time", "--end-time"},
}


def test_commands_and_options_keep_their_names() -> None:
    # docs/command-line.md holds the options of commands that are new.
    assert OPTIONS == {name: options(command) for name, command in COMMANDS.items() if name in OPTIONS}
