"""The failures of `up`, as lines of a program, and their reasons."""

import re

from support.engine.stack import Outcome

PROGRAM = """
def protect(name, resource, policy="Gold", tenant_id="tenant-contoso", **more):
    return Protection(name, tenant_id=tenant_id, resource=resource, policy=policy, **more)

Org("fabrikam", external_id="crm-1042", name="Fabrikam", admin_email="it@fabrikam.example")
protect("wei", "res-contoso-user-12")
"""
FREE = "res-contoso-user-13"

FAILURES: dict[str, tuple[str, str, str]] = {
    "unknown tenant": (f'protect("p", "{FREE}", tenant_id="tenant-x")', "tenant_id", 'there is no tenant "tenant-x"'),
    "unknown resource": ('protect("p", "nobody@contoso.example")', "resource", 'no resource "nobody@contoso.example"'),
    "ambiguous resource": ('protect("p", "support@contoso.example")', "resource", "means 2 resources"),
    "archived resource": ('protect("p", "former.employee@contoso.example")', "resource", "is archived"),
    "unknown policy": (f'protect("p", "{FREE}", "Golf")', "policy", 'no policy "Golf"'),
    "ambiguous policy": ('protect("p", "res-contoso-user-14", "Twin")', "policy", '"Twin" means 2 policies'),
    "another policy on it": ('protect("p", "res-contoso-user-01")', "policy", "on_conflict"),
    "another policy on it by now": ('protect("wei", "res-contoso-user-12", "Silver")', "policy", "on_conflict"),
    "unknown profile": (f'protect("p", "{FREE}", profile="nobody")', "", "no profile 'nobody'"),
    "wrong key": (f'protect("p", "{FREE}", profile="wrong")', "", "401 unauthenticated"),
    "no permission to read": (f'protect("p", "{FREE}", profile="blind")', "", '403 forbidden .* the permission "read"'),
    "service unreachable": (f'protect("p", "{FREE}", profile="distrusted")', "", "cannot be reached"),
    "unknown parent": (
        'Org("p", external_id="crm-7", name="Litware", parent_org_id="org-x")',
        "parent_org_id",
        'there is no organization "org-x"',
    ),
    "no installation": (
        'Org("p", external_id="crm-7", name="Litware", profile="lone")',
        "parent_org_id",
        "installed for none",
    ),
    "several installations": (
        'Org("p", external_id="crm-7", name="Litware", profile="several")',
        "parent_org_id",
        "installed for 2",
    ),
    "name taken": (
        'Org("p", external_id="crm-7", name="Contoso", parent_org_id="org-alpine")',
        "external_id",
        'an organization named "Contoso" exists already',
    ),
    "external_id taken": (
        'Org("p", external_id="crm-1002", name="Litware", parent_org_id="org-alpine")',
        "name",
        'the external_id "crm-1002" belongs to',
    ),
}
"""For each failure the line of the program, the property that the preview ties it to, and words of its reason."""


def program(*cases: str, named: bool = False) -> str:
    """Return the program with the lines of some cases, if `named` with a name for each case."""
    text = PROGRAM
    for case in cases:
        line = FAILURES[case][0]
        if '"wei"' in line:
            text = text.replace('protect("wei", "res-contoso-user-12")', line)
        else:
            text += line.replace('("p"', f'("{case}"' if named else '("p"') + "\n"
    return text


def reason(outcome: Outcome, name: str) -> str:
    """Return the reason of a failure, without the action, which each command words differently."""
    message = outcome.messages[name].strip().removeprefix("Preview failed: ")
    return re.sub(r"^cannot [^:]*: ", "", message.split("has a problem: ", 1)[-1])
