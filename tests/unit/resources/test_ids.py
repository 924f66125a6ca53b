"""The ids of what belongs to a tenant."""

from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.resources._provider import joined_id, split_id

FORM = "a thing, which is TENANT_ID/THING_ID"
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(texts, texts)
def test_two_ids_come_back_from_one_whatever_is_in_them(tenant_id: str, id: str) -> None:
    assert (tenant_id, id) == split_id(joined_id(tenant_id, id), FORM)
