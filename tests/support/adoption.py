"""Drawn tenants: names that are hard to write down, doubles, and archived items."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from pulumi_dataprotection.client.records import Policy, Resource, Tenant
from pulumi_dataprotection.inventory import TenantContents

__all__ = ["HARD_NAMES", "contents", "contents_of", "single_policies", "texts"]

HARD_NAMES = (
    "yes", "No", "on", "y", "null", "~", "1e3", "1_000", "0o17", "0x1F", ".inf", "2026-11-29", "12:30:45", "1", "3.14",
    "=", "<<", "a: b", "a #b", "#a", "- a", "? a", "a:", ": ", "!tag", "&a", "*a", "@a", "`a`", "%YAML", "---", "...",
    "{a}", "[a]", "a, b", "'", '"', "it's", 'a"b', "\\", "\\n", "a\nb", "a\r\nb", "\t", "\x00", "\x1b[31m", "\x85",
    "\u2028", "\u202eabc", "\u200f", "\ufeff", "\ufffe", "\uffff", "\ud83d", "", " ", " a", "a ", "ext$usr-1", "ext$",
    "res-1", "policy-1", "Marketing 🚀", "👩\u200d💻", "josé", "jose\u0301", "JOSÉ", "STRASSE", "straße",
    "##[error]x", "::error::x", "a" * 300, "\u202e" * 300, "..", "/",
    "Support@contoso.example", "support@contoso.example", "tenant", "policies",
)  # fmt: skip

texts = st.one_of(
    st.sampled_from(HARD_NAMES),
    st.text(max_size=20),
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.from_regex(r"[a-z]{1,6}@(contoso|fabrikam)\.example", fullmatch=True),
)


def contents_of(items: Sequence[Resource], policies: Sequence[Policy], on: Mapping[str, str]) -> TenantContents:
    """Return the contents of a tenant, with the id of one policy by the id of each protected item."""
    tenant = Tenant(id="tenant-1", name="Contoso", fields={})
    return TenantContents(tenant, items, {one.id: one for one in policies}, {item: [id] for item, id in on.items()})


@st.composite
def contents(draw: st.DrawFn, *, max_items: int = 12) -> TenantContents:
    """Draw the contents of a tenant, where each item has at most one policy."""
    kinds = st.sampled_from(["office_user", "office_teamdrive"])
    rows = draw(st.lists(st.tuples(st.none() | texts, kinds, st.booleans() | st.just(value=False)), max_size=max_items))
    items = [
        Resource(id=f"res-{number}", external_id=f"usr-{number}", name=name, kind=kind, archived=archived)
        for number, (name, kind, archived) in enumerate(rows)
    ]
    names = draw(st.lists(st.sampled_from(["Gold", "Silver"]) | st.none() | texts, min_size=1, max_size=4))
    policies = [Policy(id=f"policy-{number}", name=name) for number, name in enumerate(names)]
    ids = st.sampled_from([policy.id for policy in policies])
    chosen = draw(st.lists(st.none() | ids, min_size=len(items), max_size=len(items)))
    on = {item.id: id for item, id in zip(items, chosen, strict=True) if id}
    return contents_of(items, policies, on)


def single_policies(tenant: TenantContents) -> dict[str, str]:
    """Return the policy of each protected item that can still be backed up."""
    living = {item.id for item in tenant.items if not item.archived}
    return {item: ids[0] for item, ids in tenant.policy_ids.items() if item in living}
