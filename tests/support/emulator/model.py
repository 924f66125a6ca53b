"""A small model of the service: what calls, changes behind its back and time bring."""

from dataclasses import dataclass, field
from datetime import timedelta

RESOURCES, POLICIES = ("r-1", "r-2", "r-3"), ("p-1", "p-2")

# No number of ticks is near to 10 s, 60 s or 7 days, so that a slow machine does not matter.
TICK = timedelta(seconds=17)
TICKS_TO_START, TICKS_TO_END, TICKS_TO_DELETION = 1, 4, 35_577


@dataclass
class Archive:
    """Backups of a resource, in KB, and the tick at which they are deleted."""

    resource_id: str
    size: int
    due: int | None = None


@dataclass
class Task:
    """A run of a resource's job."""

    resource_id: str
    created: int
    status: str = "open"


@dataclass
class Model:
    """The content of the service.

    Attributes:
        now: ticks since the start.
        orgs: external id, name and parent's id of each organization below the root.
        archived: whether each resource that is there is archived.
        protections: policy and job of each resource that is protected.
        archives: all archives.
        tasks: all tasks, by id.
    """

    now: int = 0
    orgs: dict[str, tuple[str, str, str]] = field(default_factory=dict[str, tuple[str, str, str]])
    archived: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(RESOURCES, False))
    protections: dict[str, tuple[str, str]] = field(default_factory=lambda: {"r-1": ("p-1", "job-1")})
    archives: list[Archive] = field(default_factory=lambda: [Archive("r-1", 1000), Archive("r-2", 2000)])
    tasks: dict[str, Task] = field(default_factory=dict[str, Task])

    def go_on(self, ticks: int) -> None:
        """Let time pass."""
        self.now += ticks
        for task in self.tasks.values():
            if self.now - task.created >= TICKS_TO_END and task.status in {"open", "inprogress"}:
                self._end(task)
            elif self.now - task.created >= TICKS_TO_START and task.status == "open":
                task.status = "inprogress"
        self.archives = [archive for archive in self.archives if archive.due is None or archive.due > self.now]

    def delete_archives(self, resource_id: str) -> None:
        """Schedule the archives of a resource for deletion; those that are scheduled already stay so."""
        for archive in self.archives:
            if archive.resource_id == resource_id and archive.due is None:
                archive.due = self.now + TICKS_TO_DELETION

    def lose_org(self, id: str) -> None:
        """Let an organization vanish, and what is below it."""
        del self.orgs[id]
        for child in [child for child, (_, _, parent) in self.orgs.items() if parent == id]:
            self.lose_org(child)

    def _end(self, task: Task) -> None:
        task.status = "failed" if self.archived.get(task.resource_id, True) else "done"
        if task.status == "done":
            kept = [one for one in self.archives if one.resource_id == task.resource_id and one.due is None]
            if kept:
                kept[0].size += 256
            else:
                self.archives.append(Archive(task.resource_id, 4096))
