"""The sections of the system prompt, read line by line and character by character."""


def split(text: str) -> list[tuple[str, str]]:
    """Names and texts. Spec: CTX-102."""
    sections: list[list[str]] = [["", ""]]
    fence = ""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        bare = line.removesuffix("\r")
        level = find_level(bare)
        if level and not fence:
            sections.append([name_of(bare, level), ""])
        else:
            fence = next_fence(bare, fence)
        sections[-1][1] += line + ("\n" if number + 1 < len(lines) else "")
    return [(name, held) for name, held in sections if held]


def indent(line: str) -> int:
    """Spaces at the beginning."""
    return len(line) - len(line.lstrip(" "))


def run(text: str, sign: str) -> int:
    """How many of a sign stand at the beginning."""
    return len(text) - len(text.lstrip(sign))


def find_level(line: str) -> int:
    """How many marks a heading has; 0 for what is none."""
    if indent(line) > 3:
        return 0
    inner = line.lstrip(" ")
    level = run(inner, "#")
    if level < 1 or level > 6:
        return 0
    behind = inner[level:]
    return level if behind == "" or behind[0] in " \t" else 0


def name_of(line: str, level: int) -> str:
    """What stands behind the marks."""
    name = line.lstrip(" ")[level:].strip(" \t")
    without = name.rstrip("#")
    if without == name:
        return name
    return without.rstrip(" \t") if without == "" or without[-1] in " \t" else name


def next_fence(line: str, fence: str) -> str:
    """The fence that is open behind the line."""
    if indent(line) > 3:
        return fence
    inner = line.lstrip(" ")
    sign = inner[:1]
    if sign not in ("`", "~") or run(inner, sign) < 3:
        return fence
    length = run(inner, sign)
    behind = inner[length:]
    if not fence:
        return "" if sign == "`" and "`" in behind else sign * length
    if sign == fence[0] and length >= len(fence) and behind.strip(" \t") == "":
        return ""
    return fence
