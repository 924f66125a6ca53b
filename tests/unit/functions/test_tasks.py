"""The functions for tasks and their statistics."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from pulumi_dataprotection import get_task, get_task_stats
from pulumi_dataprotection.client.records import TaskCounts
from support import Emulator
from support.functions.program import Program

TENANT = "tenant-contoso"


@pytest.mark.parametrize(
    ("preset", "message"),
    [("published", None), ("plain", "2 items could not be read"), ("foreign", "2 items could not be read")],
)
def test_a_task_is_found_under_each_name_of_its_fields(
    shop: Program, emulator: Emulator, preset: str, message: str | None
) -> None:
    emulator.set_dialect(preset)
    task = shop.run(lambda: get_task(TENANT, "task-contoso-02"))
    assert ("task-contoso-02", "warnings", message) == (task.id, task.status, task.message)
    assert "res-contoso-user-02" == task.resource_id


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (30, 0, TaskCounts(done=1, warnings=1)),
        # One task began 21 hours ago, the other task an hour before.
        (30, 21.5 / 24, TaskCounts(warnings=1)),
        (35, 4, TaskCounts()),
    ],
)
@pytest.mark.parametrize("variant", ["published", "items", "mapping"])
def test_tasks_of_a_period_are_counted_by_status(  # noqa: PLR0917 - two fixtures
    shop: Program, emulator: Emulator, variant: str, start: float, end: float, expected: TaskCounts
) -> None:
    emulator.set_dialect(task_statistics=variant)
    now = emulator.now()
    period: dict[str, Any] = {
        "start_time": now - timedelta(days=start) + timedelta(hours=1),
        "end_time": (now - timedelta(days=end)).isoformat(),
    }
    stats = shop.run(lambda: get_task_stats(TENANT, **period))
    assert expected == stats.total
    actions = [*stats.by_action.values()]
    assert [expected] * len(actions) == actions


@pytest.mark.parametrize(("minutes", "expected"), [(0, 0), (29.99, 0), (30, 60), (59, 60)])
def test_the_start_is_sent_as_the_nearest_full_hour(
    shop: Program, emulator: Emulator, minutes: float, expected: int
) -> None:
    hour = emulator.now().replace(minute=0, second=0, microsecond=0) - timedelta(days=2)
    start = hour + timedelta(minutes=minutes)
    shop.run(lambda: get_task_stats(TENANT, start_time=start.isoformat(), end_time=hour + timedelta(days=1)))
    sent = emulator.requests()[0]["query"]["start_time"]
    assert hour + timedelta(minutes=expected) == datetime.fromisoformat(sent)
