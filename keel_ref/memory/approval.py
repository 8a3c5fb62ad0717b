"""May a project include files outside its tree? The user's record of the answer. Spec: MEM-088, MEM-090."""

from __future__ import annotations

from attrs import frozen

from keel_ref.memory.settings import broken, parse_object
from keel_ref.memory.world import World, named_config_home
from keel_ref.paths import join, key
from keel_ref.ports import Refusal
from keel_ref.trace import Reason, Skip

RECORD_NAME = ".claude.json"
APPROVAL = "hasClaudeMdExternalIncludesApproved"


@frozen(kw_only=True)
class ApprovalRecord:
    """What the user's record says about a project."""

    is_approved: bool = False
    """External includes may load."""
    broken: Skip | None = None
    """Why the record could not be used."""


def approval_record(world: World) -> ApprovalRecord:
    """Ask the argument, then the record. Spec: MEM-090."""
    if world.request.approve_external:
        return ApprovalRecord(is_approved=True)
    folder = world.config_home if named_config_home(world.request) else world.request.home
    if not folder:
        return ApprovalRecord()
    path = join(folder, RECORD_NAME, world.tree.flavour)
    content = world.tree.read_file(path, world.constants.max_file_bytes)
    if isinstance(content, Refusal):
        is_missing = content.reason is Reason.NOT_FOUND
        return ApprovalRecord(broken=None if is_missing else broken(path, content.reason))
    values = parse_object(content.data)
    if isinstance(values, str):
        return ApprovalRecord(broken=broken(path, values))
    return ApprovalRecord(is_approved=_approves(world, values.get("projects")))


def _approves(world: World, projects: object) -> bool:
    if not isinstance(projects, dict):
        return False
    flavour = world.tree.flavour
    wanted = key(world.project_root, flavour)  # [MEM-090] so it holds in every sub-folder and every worktree
    records = (record for path, record in projects.items() if key(path, flavour) == wanted)
    return any(isinstance(record, dict) and record.get(APPROVAL) is True for record in records)
