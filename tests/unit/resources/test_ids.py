"""The ids of what belongs to a tenant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pulumi_dataprotection.client import errors
from pulumi_dataprotection.resources._provider import joined_id, split_id

FORM = "a thing, which is TENANT_ID/THING_ID"
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(texts, texts)
def test_two_ids_come_back_from_one_whatever_is_in_them(tenant_id: str, id: str) -> None:
    assert (tenant_id, id) == split_id(joined_id(tenant_id, id), FORM)


@pytest.mark.parametrize("id", ["", "a", "a/", "/a", "a/b/c", "%20/a"])
def test_what_is_no_joined_id_is_refused_with_its_form(id: str) -> None:
    with pytest.raises(errors.DataProtectionError) as raised:
        split_id(id, FORM)
    assert f'"{id}" is no id of {FORM}' == str(raised.value)
