#!/usr/bin/env python3
"""Fails on words that the project does not use, and on links between pages that lead nowhere: words.py [ROOT]"""

import pathlib
import re
import sys

# What not to write, and what to write instead. A word ends where no letter follows.
GLOSSARY = {
    r"kMost\w*": "kMax...",
    r"kEnough\w*": "kMin...",
    r"kWorth\w*": "kMin...",
    r"[Ff]alse[_ ]?[Aa]larms?": "false positive",
    r"\w*FalseAlarm\w*": "FalsePositive",
    r"told_hand|ToldHand": "reported_hand, ReportedHand",
    r"Sameness": "MergeTolerance",
    r"rest_on|rest_along": "clip_to_side",
    r"rest points?": "contact points",
    r"refit rows?": "refit method",
    r"in the mean(?=[,.;:)])": "on average",
    r"kept quiet": "suppressed",
    r"measures best": "is fastest",
    r"by the register": "SIMD, vectorized",
    r"who asks": "the caller",
    r"anew": "again",
    r"seldomer": "less often",
    r"[Ss]omebody": "the user, the caller, someone",
    r"[Nn]obody": "the user, no caller, no one",
}
WORDS = {re.compile(rf"(?<![A-Za-z_])(?:{word})(?![A-Za-z])"): instead for word, instead in GLOSSARY.items()}
LINK = re.compile(r"\]\(([^)#\s]+)")
FOLDERS = ("collision", "tracking", "scenes", "recordings", "vr", "tests", "docs")
ENDINGS = {".h", ".cpp", ".md", ".py", ".sh"}


def faults_of(root, file):
    text = file.read_text(encoding="utf-8")
    where = file.relative_to(root)
    for number, line in enumerate(text.splitlines(), 1):
        for word, instead in WORDS.items():
            for found in word.finditer(line):
                yield f'{where}:{number}: says "{found[0]}"; write: {instead}'
    if file.suffix != ".md":
        return
    for link in LINK.findall(text):
        if not re.match(r"[a-z]+:", link) and not (file.parent / link).exists():
            yield f"{where}: links to {link}, which is not there"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = [root / "README.md"]
    for folder in FOLDERS:
        files += sorted(f for f in (root / folder).rglob("*") if f.suffix in ENDINGS and f.name != "words.py")
    if len(files) < 500:
        sys.exit(f"only {len(files)} files found in {root}")
    faults = [fault for file in files for fault in faults_of(root, file)]
    print(*faults, sep="\n")
    if faults:
        sys.exit(f"{len(faults)} faults")
    print(f"{len(files)} files: words and links as agreed")


main()
