#!/usr/bin/env python3
"""Fails on public headers with a declaration that no comment explains: headers.py [ROOT]

Public headers are those that a folder's CMakeLists.txt lists under ENTRY, and vr/api/glovebox.h. A header begins with a
comment. Each declaration of a namespace has one above it or behind it; lines that follow without a gap share it.
"""

import pathlib
import re
import sys

DECLARATION = re.compile(
    r"^(?!namespace|extern|typedef|using namespace|template|inline namespace)[A-Za-z_\[].*[;{(,]|^(enum|struct|class|typedef) ")
CLOSING = re.compile(r"^[}\])#]")


def public_headers(root):
    for folder in ("collision", "tracking", "scenes", "recordings"):
        entry = re.search(r"ENTRY([^A-Z]*)LINK", (root / folder / "CMakeLists.txt").read_text())
        yield from (root / folder / name for name in re.findall(r"[a-z_/]+\.h", entry[1]))
    yield root / "vr/api/glovebox.h"


def faults_of(header):
    lines = header.read_text(encoding="utf-8").splitlines()
    if not lines[0].startswith(("//", "/*")):
        yield 1, "does not begin with a comment"
    explained = False  # a comment stands above, and no empty line since
    inside = in_comment = False
    for number, line in enumerate(lines, 1):
        if in_comment or line.startswith("/*"):
            in_comment = "*/" not in line
            explained = True
        elif not line.strip():
            explained = False
        elif line.startswith("//"):
            explained = True
        elif line.startswith("template") or line.startswith("#"):
            continue
        elif not inside and DECLARATION.match(line) and line[0] != " ":
            # A forward declaration says nothing new.
            forward = re.match(r"^(struct|class|enum class) \w+;", line)
            if not explained and not forward and "//" not in line and "/*" not in line:
                yield number, f"has no comment: {line.strip()[:60]}"
            explained = True


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    headers = list(public_headers(root))
    if len(headers) < 20:
        sys.exit(f"only {len(headers)} public headers found in {root}")
    faults = [f"{h.relative_to(root)}:{number}: {fault}" for h in headers for number, fault in faults_of(h)]
    print(*faults, sep="\n")
    if faults:
        sys.exit(f"{len(faults)} faults")
    print(f"{len(headers)} public headers: every declaration has a comment")


main()
