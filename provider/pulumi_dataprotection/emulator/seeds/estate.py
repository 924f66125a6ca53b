"""The seed `estate`: the customers of service providers, protected by hand over years."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import accumulate, pairwise

from pulumi_dataprotection.emulator.seeds._common import keys, number_tenants, policies, tenant
from pulumi_dataprotection.emulator.store.document import Document, Record

_CUSTOMERS_OF_PROVIDER = 25
_FIRST = (
    "Northwind", "Contoso", "Adatum", "Fabrikam", "Müller", "Łódź", "Tailspin", "Wingtip", "Litware", "Proseware",
    "Graphic", "Søndergaard",
)  # fmt: skip
_LAST = ("Traders", "Logistik", "& Söhne", "Health", "Energy", "Legal / Tax", "Studios", "Foods", "IT")
_NAMES = (
    "jane", "john", "amélie", "aoife", "sinéad", "josé", "zoë", "søren", "łukasz", "chiara", "priya", "wei", "yuki",
    "fatima", "omar", "grace", "tomás", "ingrid", "nikolai", "hannah", "diego", "eva", "liam",
)  # fmt: skip
_SURNAMES = (
    "doe", "smith", "dubois", "byrne", "o'connor", "garcía", "müller", "kjær", "nowak", "rossi", "sharma", "zhang",
    "tanaka", "haddad", "farouk", "okafor", "silva", "larsen", "petrov", "cohen", "morales", "novák", "murphy",
    "devries", "mensah", "lindqvist", "patel", "weiß", "holt",
)  # fmt: skip
_DRIVES = ("Finance", "Sales", "Marketing 🚀", "Projects / 2026", "Legal & Compliance", "Archive", "Board")


def estate(customers: int, tenants: int, seats: int, now: datetime) -> Document:
    """Return an estate of a given size; its records are made one by one, as they are stored.

    A seventh of the customers has no `external_id`, a twentieth has the name of another customer, and a tenth has
    organizations of its own, so that the tree is up to five levels deep. Most people have the policy Silver, a second
    domain has Gold, most drives have Bronze. Service accounts and a few people have no policy. Some archived items are
    still protected, and some drives have the name of a user.

    Args:
        customers: the number of customers.
        tenants: the number of tenants of all customers.
        seats: the number of items in all tenants, a tenth of them drives; tenants differ in size.
        now: the time at which the tenants are created.
    """
    tenant_ids = number_tenants(tenants)
    # Of ten tenants, the largest is ten times as large as the smallest.
    sums = [0, *accumulate(1 / (number % 10 + 1) for number in range(tenants))]
    ends = [round(seats * part / sums[-1]) for part in sums] if tenants else [0]
    sizes = [end - start for start, end in pairwise(ends)]
    return {
        "orgs": _orgs(customers),
        **keys(org_id="org-root"),
        "tenants": (
            tenant(
                id,
                _owner(number % customers + 1, number // customers),
                f"{_customer_name(number % customers + 1)} {('EU', 'US', 'APAC')[number // customers % 3]}",
                now,
            )
            for number, id in enumerate(tenant_ids)
        ),
        "policies": policies(tenant_ids),
        "resources": (item for id, size in zip(tenant_ids, sizes, strict=True) for item in _items(id, size)),
        "protections": (
            {
                "tenant_id": id,
                "id": f"prot-{str(item['id'])[4:]}",
                "resource_id": item["id"],
                "policy_id": policy_id,
                "job_id": f"job-{str(item['id'])[4:]}",
            }
            for id, size in zip(tenant_ids, sizes, strict=True)
            for item, policy_id in _protected(_items(id, size))
        ),
    }


def _orgs(customers: int) -> Iterator[Record]:
    yield {"id": "org-root", "kind": "distributor", "name": "Meridian Distribution"}
    for provider in range((customers - 1) // _CUSTOMERS_OF_PROVIDER + 1):
        id = f"org-provider-{provider + 1:02}"
        yield {"id": id, "kind": "msp", "name": f"Provider {provider + 1}", "parent_org_id": "org-root"}
    for number in range(1, customers + 1):
        parent = f"org-provider-{(number - 1) // _CUSTOMERS_OF_PROVIDER + 1:02}"
        for id, suffix in zip(_chain(number), ("", " Group", " Research"), strict=False):
            external_id = f"crm-{id[4:]}" if number % 7 else ""
            name = f"{_customer_name(number)}{suffix}"
            yield {"id": id, "external_id": external_id, "name": name, "parent_org_id": parent}
            parent = id


def _chain(number: int) -> Sequence[str]:
    """Return the organizations of a customer, from the top."""
    top = f"org-{number:04}"
    return (top, f"{top}-group", f"{top}-research") if number % 10 == 0 else (top,)


def _owner(number: int, nth: int) -> str:
    chain = _chain(number)
    return chain[min(nth, len(chain) - 1)]


def _customer_name(number: int) -> str:
    # Every twentieth is a namesake of the customer before, in other letters.
    if number % 20 == 0:
        return _customer_name(number - 1).upper()
    return f"{_FIRST[number % len(_FIRST)]} {_LAST[number // len(_FIRST) % len(_LAST)]}"


def _items(tenant_id: str, size: int) -> Iterator[Record]:
    domain = f"{tenant_id}.example"
    for number in range(1, size + 1):
        common = {
            "tenant_id": tenant_id,
            "id": f"res-{number:07}",
            "external_id": f"ext-{number:07}",
            "archived": number % 41 == 0,
        }
        person = f"{_NAMES[number % len(_NAMES)]}.{_SURNAMES[number % len(_SURNAMES)]}"
        if number >= len(_NAMES) * len(_SURNAMES):
            person += str(number // (len(_NAMES) * len(_SURNAMES)))
        if number % 10 == 0:
            drive = f"{_DRIVES[number // 10 % len(_DRIVES)]} {number}"
            # The mailbox before has the same name.
            name = f"svc-{number - 1}@{domain}" if number % 50 == 0 else drive
            yield {**common, "kind": "office_teamdrive", "name": name}
        elif number % 25 == 24:  # noqa: PLR2004 - each 25th
            yield {**common, "kind": "office_user", "name": f"svc-{number}@{domain}"}
        else:
            sub = "labs." if number % 6 == 5 else ""  # noqa: PLR2004 - each 6th
            yield {**common, "kind": "office_user", "name": f"{person}@{sub}{domain}"}


def _protected(items: Iterator[Record]) -> Iterator[tuple[Record, str]]:
    for number, item in enumerate(items, 1):
        name = str(item["name"])
        archived_and_bare = item["archived"] and number % 2
        if name.startswith("svc-") or archived_and_bare or number % 17 == 0:
            continue
        if item["kind"] == "office_teamdrive":
            yield item, "policy-silver" if name.startswith("Board") else "policy-bronze"
        elif number % 37 == 0 or "@labs." in name:
            yield item, "policy-gold"
        else:
            yield item, "policy-silver"
