"""Faults in rounds and the view."""

from tests.mutants.mutant import Mutant

AREAS = ("messages", "tokens")

ROUNDS = "keel_ref.messages.rounds"
ROWS = "keel_ref.messages.rows"
VIEW = "keel_ref.messages.view"

MUTANTS = (
    Mutant(
        name="round-at-each-prompt",
        clause="MSG-013",
        areas=AREAS,
        module=ROUNDS,
        old="        if role_of(row) is not Role.ASSISTANT:\n            return",
        new=(
            "        if role_of(row) is Role.USER:\n"
            "            return True\n"
            "        if role_of(row) is not Role.ASSISTANT:\n"
            "            return"
        ),
    ),
    Mutant(
        name="round-at-each-answer",
        clause="MSG-010",
        areas=AREAS,
        module=ROUNDS,
        old="own is None or own != self._last_id",
        new="True",
    ),
    Mutant(
        name="rounds-by-any-earlier-id",
        clause="MSG-010",
        areas=AREAS,
        module=ROUNDS,
        old="        self._last_id = own\n",
        new="        self._last_id = self._last_id or own\n",
    ),
    Mutant(
        name="empty-round-in-front",
        clause="MSG-011",
        areas=AREAS,
        module=ROUNDS,
        old="return list(zip(self._starts, [*self._starts[1:], self.rows], strict=True)) if self._starts else []",
        new="return list(zip([0, *self._starts], [*self._starts, self.rows]))",
    ),
    Mutant(
        name="rows-in-front-belong-to-no-round",
        clause="MSG-011",
        areas=AREAS,
        module=ROUNDS,
        old="return not self._starts",
        new="return False",
    ),
    Mutant(
        name="rows-without-id-are-one-round",
        clause="MSG-012",
        areas=AREAS,
        module=ROUNDS,
        old="own is None or own != self._last_id",
        new="own != self._last_id",
    ),
    Mutant(
        name="empty-id-is-an-id",
        clause="MSG-012",
        areas=AREAS,
        module=ROWS,
        old="return name if isinstance(name, str) and name else None\n\n\ndef is_boundary",
        new="return name if isinstance(name, str) else None\n\n\ndef is_boundary",
    ),
    Mutant(
        name="last-row-left-out",
        clause="MSG-015",
        areas=AREAS,
        module=ROUNDS,
        old="[*self._starts[1:], self.rows]",
        new="[*self._starts[1:], self.rows - 1]",
    ),
    Mutant(
        name="late-result-opens-a-round",
        clause="MSG-014",
        areas=AREAS,
        module=ROUNDS,
        old="        if role_of(row) is not Role.ASSISTANT:\n            return not self._starts",
        new=(
            '        if role_of(row) is not Role.ASSISTANT and not (self._starts and "tool_result" in repr(row)):\n'
            "            return not self._starts"
        ),
    ),
    Mutant(
        name="view-behind-the-boundary",
        clause="MSG-002",
        areas=AREAS,
        module=VIEW,
        old="            return index  #",
        new="            return index + 1  #",
    ),
    Mutant(
        name="view-at-the-first-boundary",
        clause="MSG-002",
        areas=AREAS,
        module=VIEW,
        old="range(len(rows) - 1, -1, -1)",
        new="range(len(rows))",
    ),
    Mutant(
        name="subtype-alone-makes-a-boundary",
        clause="MSG-002",
        areas=AREAS,
        module=ROWS,
        old='found.get("role") == Role.SYSTEM and ',
        new="",
    ),
    Mutant(
        name="any-system-row-is-a-boundary",
        clause="MSG-002",
        areas=AREAS,
        module=ROWS,
        old=' and found.get("subtype") == BOUNDARY_SUBTYPE',
        new="",
    ),
)
