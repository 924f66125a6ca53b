"""The ids of resources that belong to a tenant."""

from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.resources._provider import joined_id, split_id

FORM = "a thing, which is TENANT_ID/THING_ID"
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(texts, texts)
def test_a_joined_id_is_split_into_the_same_two_ids(tenant_id: str, id: str) -> None:
    assert (tenant_id, id) == split_id(joined_id(tenant_id, id), FORM)
