# mypy: ignore-errors
# ruff: noqa: E501, ISC004 -- the sentences of the report stand in one piece
"""The sections of RESULTS.md about the texts that were never looked at, and about those that no longer are such."""

from report_table import table


def fresh_section(fresh: dict) -> str:
    """What the weights that ship are worth on texts that nobody chose for them."""
    unknown = fresh["kinds_not_in_the_corpus"]
    missed = [family for family, found in fresh["families"].items() if not found["kept"]]
    parts = [
        "\n## Texts that were never looked at\n",
        f"{fresh['windows']} windows of 2,000 characters, of {len(fresh['kinds'])} kinds, from packages that are not in the corpus. The list "
        "(`fresh2.toml`) was fixed and the windows were drawn before anything of it was counted and before the weights were fitted again; nothing "
        "was taken out afterwards, and nothing of it is learnt from. Windows that mostly repeat lines of the corpus or of earlier windows had been left out by the draw. "
        f"SHA-256 of the texts `{fresh['texts_sha256']}`, of the list `{fresh['list_sha256']}`. *Far below* is the number of windows whose "
        f"estimate is below the real count by more than 5 %. {len(unknown)} of the kinds have none of their name in the corpus: {', '.join(unknown)}.\n",
        f"The promise of at most 1 window in 1,000 below and none by more than 5 % is {verdict(missed, len(fresh['families']))}"
        f"{fitted_to(fresh)}\n",
        families(fresh),
        "\n### By group and by whether the corpus has the kind\n",
        "Windows · below in 1,000 · worst.\n",
        groups(fresh),
        "\n### Kinds with a window below\n",
        "Below / windows of the kind (far below), worst.\n",
        kinds_below(fresh),
        *raised(fresh),
        "\n### Packages of these texts\n",
        packages(fresh),
    ]
    return "\n".join(parts)


def first_section(first: dict) -> str:
    """What the weights of that time were worth on the first texts of the kind, which are in the corpus now."""
    missed = [family for family, found in first["families"].items() if not found["kept"]]
    return "\n".join(
        [
            "\n## The first such texts, learnt from since\n",
            f"{first['windows']} windows of {len(first['kinds'])} kinds (`fresh.toml`, its SHA-256 `{first['list_sha256']}`, that of the texts "
            f"`{first['texts_sha256']}`), measured with the weights of that time, fitted without them. The promise was "
            f"{verdict(missed, len(first['families']))} Then these texts were looked at and went into the corpus, each package a source of its kind: they "
            "are learnt from or held out like the others now, and no test of the weights that ship. By number: fresh.json.\n",
            families(first),
            "\n### Kinds with a window below, then\n",
            "Below / windows of the kind (far below), worst.\n",
            kinds_below(first),
        ]
    )


def verdict(missed: list[str], of: int) -> str:
    """In words."""
    if not missed:
        return "kept here by every family."
    if len(missed) == of:
        return "**missed here by every family**."
    return f"**missed here by {', '.join(missed)}**; by the others it is kept."


def fitted_to(fresh: dict) -> str:
    """Which families keep it because they were raised until they did."""
    names = ", ".join(fresh["raised_again"])
    return (
        f" Of {names} the factor was chosen on these very texts, so what it keeps here is no test (see below)."
        if names
        else ""
    )


def families(fresh: dict) -> str:
    """One line for each family, and one more for each table of weights that it had before."""
    rows = []
    for family, found in fresh["families"].items():
        if "before_refit" in found:
            rows.append(
                [
                    f"{family}, with the weights before the first such texts came into the corpus",
                    *figures(found["before_refit"]),
                ]
            )
        if "before_raise" in found:
            rows.append([f"{family}, before its factor was raised", *figures(found["before_raise"])])
        if "before_second_raise" in found:
            rows.append([f"{family}, raised once", *figures(found["before_second_raise"])])
        rows.append([family, *figures(found)])
    return table(
        [
            "family",
            "windows",
            "below",
            "far below",
            "worst",
            "in",
            "median, ordinary text",
            "median, all",
            "p95",
            "documented below",
            "documented median",
        ],
        rows,
    )


def figures(found: dict) -> list[object]:
    """The cells of one line."""
    every = found["all"]
    return [
        every["windows"],
        every["below_per_1000"],
        every["far_below"],
        every["worst"],
        found["worst_kind"],
        every["median_ordinary"],
        every["median"],
        every["p95"],
        every["documented_below_per_1000"],
        every["documented_median"],
    ]


def groups(fresh: dict) -> str:
    """Where the windows below are."""
    names = list(next(iter(fresh["families"].values()))["by_group"])
    rows = []
    for family, found in fresh["families"].items():
        parts = [found["by_group"][name] for name in names]
        parts += [found["kinds_of_the_corpus"], found["kinds_not_in_the_corpus"]]
        rows.append([family, *(f"{one['windows']} · {one['below_per_1000']:g} · {one['worst']:g}" for one in parts)])
    return table(["family", *names, "kinds of the corpus", "kinds not in the corpus"], rows)


def kinds_below(fresh: dict) -> str:
    """Every kind that has a window below, for each family."""
    rows = [
        [
            family,
            ", ".join(
                f"{kind} {one['below']}/{one['windows']} ({one['far_below']}) {one['worst']:g}"
                for kind, one in found["below"].items()
            )
            or "none",
        ]
        for family, found in fresh["families"].items()
    ]
    return table(["family", "kinds"], rows)


def raised(fresh: dict) -> list[str]:
    """What was done about it."""
    if not fresh["raised"]:
        return []
    lines = ", ".join(f"{family} by {factor:g}" for family, factor in fresh["raised"].items())
    return [
        f"\nAfter this test, and once, these factors were raised: {lines}. The lines without a note are of the raised weights, and for these "
        "families they are no test any more: figures of these texts had then been seen.\n",
        *raised_again(fresh),
    ]


def raised_again(fresh: dict) -> list[str]:
    """What was done about it a second time, and which kinds it was about."""
    parts = []
    for family, factor in fresh["raised_again"].items():
        was, now = (
            found["all"] for found in (fresh["families"][family]["before_second_raise"], fresh["families"][family])
        )
        below = fresh["families"][family]["before_second_raise"]["below"]
        kind, most = max(below.items(), key=lambda one: one[1]["below"])
        parts.append(
            f"\nThe table of {family} was then raised once more, by {factor:g}: the least step of 0.005 at which *these very texts* have at most "
            f"1 window in 1,000 below and none far below. It went from {was['below_per_1000']:g} to {now['below_per_1000']:g} in 1,000 below, worst "
            f"from {was['worst']:g} to {now['worst']:g}, for a median of ordinary text of {now['median_ordinary']:g} instead of {was['median_ordinary']:g}. "
            f"{most['below']} of the {sum(one['below'] for one in below.values())} windows below before it were of one kind, {kind}. That it keeps the "
            "promise here was made so and shows nothing about other texts.\n"
        )
    return parts


def packages(fresh: dict) -> str:
    """What was fetched."""
    rows = [
        [
            row["registry"],
            row["name"],
            row.get("file", "not to be had"),
            f"`{row.get('sha256', '')}`",
            row.get("licence", ""),
        ]
        for row in fresh["packages"]
    ]
    return table(["registry", "package", "file", "SHA-256", "licence"], rows)
