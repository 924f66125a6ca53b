"""The failures of `up`, as lines of a program, and their reasons."""

import re

from support.engine.programs import program as declare
from support.engine.stack import Outcome

PROGRAM = declare('org("fabrikam", "crm-1042", "Fabrikam", admin_email="it@fabrikam.example")', 'protect("wei", 12)\n')

FAILURES: dict[str, tuple[str, str, str]] = {
    "unknown tenant": ('protect("p", "res-contoso-user-13", tenant="x")', "tenant_id", '"tenant-x"'),
    "unknown resource": ('protect("p", "nobody@contoso.example")', "resource", '"nobody@contoso.example"'),
    "another policy on it by now": ('protect("wei", 12, "Silver")', "policy", "on_conflict"),
    "unknown profile": ('protect("p", 13, profile="nobody")', "", "no profile 'nobody'"),
    "wrong key": ('protect("p", 13, profile="wrong")', "", "401 unauthenticated"),
    "no permission to read": ('protect("p", 13, profile="blind")', "", '403 forbidden .* the permission "read"'),
    "service unreachable": ('protect("p", 13, profile="distrusted")', "", "cannot be reached"),
    "unknown parent": ('org("p", "crm-7", "Litware", parent_org_id="org-x")', "parent_org_id", '"org-x"'),
    "no installation": ('org("p", "crm-7", "Litware", profile="lone")', "parent_org_id", "installed for none"),
    "several installations": ('org("p", "crm-7", "Litware", profile="several")', "parent_org_id", "installed for 2"),
    "name taken": ('org("p", "crm-7", "Contoso", parent_org_id="org-alpine")', "external_id", '"Contoso"'),
    "external_id taken": ('org("p", "crm-1002", "Litware", parent_org_id="org-alpine")', "name", '"crm-1002"'),
}
"""For each failure the line of the program, the property that the preview ties it to, and words of its reason."""


def program(*cases: str, named: bool = False) -> str:
    """Return the program with the lines of some cases, if `named` with a name for each case."""
    text = PROGRAM
    for case in cases:
        line = FAILURES[case][0]
        if '"wei"' in line:
            text = text.replace('protect("wei", 12)', line)
        else:
            text += line.replace('("p"', f'("{case}"' if named else '("p"') + "\n"
    return text


def reason(outcome: Outcome, name: str) -> str:
    """Return the reason of a failure, without the action, which each command words differently."""
    message = outcome.messages[name].strip().removeprefix("Preview failed: ")
    return re.sub(r"^cannot [^:]*: ", "", message.split("has a problem: ", 1)[-1])
