"""Dialects with names: each combines variants that a real service could combine."""

from collections.abc import Mapping
from typing import cast

from pydantic import ValidationError

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator._files import read_file
from pulumi_dataprotection.emulator.dialect.dialect import Dialect

PRESETS: Mapping[str, Dialect] = {
    "published": Dialect(),
    # Everything that the emulator knows, under the plainest names.
    "plain": Dialect(
        task_statuses="plain",
        task_fields="plain",
        task_statistics="items",
        tenant_fields="plain",
        quotas_container="plain",
        subscription_fields="plain",
        subscription_history="plain",
        error_body="message",
    ),
    # Refuses whatever can be refused, with little to read in the refusal.
    "strict": Dialect(
        repeated_external_id="conflict",
        missing_parent="invalid_argument",
        second_policy="conflict",
        same_policy="conflict",
        used_up_quota="forbidden",
        unknown_resource_filter="not_found",
        repeated_deletion="conflict",
        default_limit=20,
        largest_limit=50,
        larger_limit="invalid_argument",
        error_body="nested",
        retry_after="absent",
    ),
    # Lets everything through, and says as little as possible.
    "terse": Dialect(
        repeated_external_id="existing_invited",
        external_id_scope="parent",
        second_policy="replaces",
        archived_resource="accepted",
        absent_protection="ok",
        triggered_task="id",
        deleted_tenant="served",
        quotas_container="bare",
        subscription_fields="bare",
        last_page="absent",
        empty_list="absent",
        empty_text="absent",
        empty_time="absent",
        zero_values="absent",
        times="seconds",
        deletion_answer="no_content",
        error_body="empty",
    ),
    # A distributed service: late, in another order, behind a proxy with pages of its own.
    "late": Dialect(
        repeated_external_id="invalid_argument",
        second_policy="adds",
        same_policy="invalid_argument",
        absent_protection="invalid_argument",
        used_up_quota="invalid_argument",
        unknown_reference="invalid_argument",
        deleted_tenant="forbidden",
        page_tokens="offset",
        page_fill="short",
        page_order="descending",
        read_lag=3,
        times="nanoseconds",
        error_body="html",
        retry_after="date",
    ),
    # Another house style altogether.
    "foreign": Dialect(
        uninvited_org="url",
        stored_name="normalized",
        policy_name_filter="contains",
        task_progress="polls",
        task_statuses="other",
        task_fields="prefixed",
        triggered_task="task",
        task_statistics="mapping",
        tenant_fields="prefixed",
        quotas_container="plain",
        subscription_fields="prefixed",
        subscription_history="nested",
        last_page="null",
        empty_list="null",
        empty_text="null",
        empty_time="zero",
        extra_fields="some",
        times="offset",
        media_type="charset",
        deletion_answer="empty",
        error_body="text",
        audit_actions="upper",
    ),
}


def parse_dialect(text: str) -> Dialect:
    """Read a dialect as the command line names it.

    Args:
        text: a preset's name, or a JSON file that names the variants which differ from a preset's.

    Raises:
        EmulatorError: The file does not exist, or it does not hold a dialect.
    """
    if text in PRESETS:
        return PRESETS[text]
    return named_dialect(read_file("dialect", text, ", ".join(PRESETS)))


def named_dialect(content: object) -> Dialect:
    """Read a dialect as the control plane gets it: variants, on top of a preset's where `preset` names one.

    Raises:
        EmulatorError: The content is not a dialect.
    """
    if not isinstance(content, dict):
        raise EmulatorError('a dialect is an object of variants, and "preset" for those that it does not name')
    variants = cast("dict[str, object]", content)
    name = variants.get("preset", "published")
    if not isinstance(name, str) or name not in PRESETS:
        raise EmulatorError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    given = {field: value for field, value in variants.items() if field != "preset"}
    try:
        return Dialect.model_validate({**PRESETS[name].model_dump(), **given})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = first["loc"][0]
        if name not in Dialect.model_fields:
            raise EmulatorError(f'the dialect has no "{name}"; it has {", ".join(Dialect.model_fields)}') from None
        raise EmulatorError(f"{name}: {first['msg']}, not {first['input']!r}") from None
