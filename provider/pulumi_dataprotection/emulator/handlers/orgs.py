"""Organizations: operations 2, 3 and 4."""

import secrets
import unicodedata

from pulumi_dataprotection.emulator._errors import InvalidArgument, NotFound, refuse_as
from pulumi_dataprotection.emulator.handlers._handler import handler
from pulumi_dataprotection.emulator.handlers._pages import page, view_of
from pulumi_dataprotection.emulator.requests.access import check_org
from pulumi_dataprotection.emulator.requests.request import Payload, Request
from pulumi_dataprotection.emulator.store.document import insert_record
from pulumi_dataprotection.emulator.store.store import Row, Store, new_id

_view = view_of("Org")


@handler("CreateOrgResult")
def create_org(request: Request, store: Store) -> Payload:
    """Create a child organization, unless its external id exists (operation 2).

    An existing organization is answered as it is, whatever the other parameters are.
    """
    parent_org_id = request.text("parent_org_id") or _own_org(request)
    try:
        check_org(store, parent_org_id, request.key)
    except NotFound as error:
        refuse_as(request.dialect.unknown_reference, str(error))
    external_id = request.text("external_id") or ""
    existing = _existing(request, store, external_id, parent_org_id) if external_id else None
    if existing is not None:
        check_org(store, existing["id"], request.key)
        refuse_as(request.dialect.repeated_external_id, f'the external id "{external_id}" is taken')
        invited = request.dialect.repeated_external_id == "existing_invited"
        return {"org": _view(existing), "invitation_url": _invitation() if invited else ""}
    org = {"id": new_id(request.now), "external_id": external_id, "kind": "basic", "name": _stored_name(request)}
    insert_record(store, "orgs", request.now, **org, parent_org_id=parent_org_id)
    invited = request.text("admin_email") is not None or request.dialect.uninvited_org == "url"
    return {"org": org, "invitation_url": _invitation() if invited else ""}


@handler("Org")
def get_org(request: Request, store: Store) -> Payload:
    """Read an organization (operation 3)."""
    (org,) = store.all("SELECT * FROM orgs WHERE id = :id", request.path)
    return _view(org)


@handler("OrgsPage")
def list_orgs(request: Request, store: Store) -> Payload:
    """List child organizations (operation 4)."""
    return page(request, store, "SELECT * FROM orgs WHERE parent_org_id = :org_id", _view, default_limit=100)


def _own_org(request: Request) -> str:
    org_ids = request.key.org_ids
    refuse_as(request.dialect.missing_parent, 'the query parameter "parent_org_id" is required')
    if len(org_ids) != 1:
        raise InvalidArgument(
            f'the query parameter "parent_org_id" is required: the application "{request.key.name}" '
            f"is installed for {len(org_ids) or 'no'} organizations"
        )
    (org_id,) = org_ids
    return org_id


def _existing(request: Request, store: Store, external_id: str, parent_org_id: str) -> Row | None:
    if request.dialect.external_id_scope == "parent":
        return store.one("SELECT * FROM orgs WHERE external_id = ? AND parent_org_id = ?", (external_id, parent_org_id))
    return store.one("SELECT * FROM orgs WHERE external_id = ?", (external_id,))


def _stored_name(request: Request) -> str:
    name = request.text("name") or ""
    return unicodedata.normalize("NFC", name).strip() if request.dialect.stored_name == "normalized" else name


def _invitation() -> str:
    return f"https://portal.example/invitations/{secrets.token_urlsafe(24)}"
