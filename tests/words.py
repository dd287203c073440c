#!/usr/bin/env python3
"""Fails on words that the project does not use, on mentions of files that are not there, and on misspellings.

    words.py [ROOT]        docs/glossary.md has the words to write

codespell looks for misspellings, where it is installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys

# What not to write, and what to write instead. A word ends where no letter follows. Words with a second meaning are
# listed only with the neighbours that give them the wrong one.
GLOSSARY = {
    r"kMost\w*": "kMax...",
    r"kEnough\w*": "kMin...",
    r"kWorth\w*": "kMin...",
    r"[Ff]alse[_ ]?[Aa]larms?": "false positive",
    r"\w*FalseAlarm\w*": "FalsePositive",
    r"told_hand|ToldHand": "reported_hand, ReportedHand",
    r"ask_for|keep_reaching|felt_hand": "prefetch, cull_candidates, output_ok",
    r"Sameness": "MergeTolerance",
    r"rest_on|rest_along": "clip_to_side",
    r"rest points?": "contact points",
    r"places? where (?:it|the bone|a bone) rests": "contact points",
    r"refit rows?|method's row|rows of methods": "refit method",
    r"no such row|[Aa]ll rows, the default": "method, entry",
    r"in the mean(?=[,.;:)])": "on average",
    r"the middle (?:one|frame) of": "the median",
    r"kept quiet": "suppressed",
    r"after a pause|(?:tight and|and) sparse|[Ss]parse frames?": "cold, idle gap",
    r"measures best|no row measures": "is fastest",
    r"by the register|wide registers?|registers? at a time": "SIMD, vectors",
    r"kept levels?|belongs? together": "leaf, node, subtree",
    r"walk(?:s|ed|ing)? (?:them |it )?down": "traverse, descend",
    r"g[ai]ve[ns]? out|giving out": "returned, emitted",
    r"(?:shortest|least|longer|our|their|the|nearest) ways? out": "minimum translation, separation direction",
    r"(?:that|which|what) parts? (?:them|the two|two|the hulls|it|nothing|best)": "that separates",
    r"(?:met|meets|everything|what it meets|object) on its way": "in its path, swept",
    r"who asks|[Ww]hoever asks": "the caller",
    r"[Ww]hoever points": "a tooltip",
    r"anew": "again",
    r"seldomer": "less often",
    r"[Ss]omebody|everybody": "the user, the caller, someone",
    r"[Nn]obody": "the user, no caller, no one",
    r"(?:a|the|round|rigid|loose|long|into|inside of|for) things?": "object",
    r"what is light": "light objects",
    r"middle middle": "middle intermediate",
    r"does not hold \(": "not reproduced, fails",
}
ANY = re.compile(rf"(?<![A-Za-z_])(?:{'|'.join(GLOSSARY)})(?![A-Za-z])")
WORDS = {re.compile(rf"(?<![A-Za-z_])(?:{word})(?![A-Za-z])"): instead for word, instead in GLOSSARY.items()}
MENTION = re.compile(r'(?<![\w./<$"-])((?:[a-z_0-9]+/)*[a-z_0-9]+\.(?:h|cpp))(?!\w)')
# A comment's sentence begins with its subject or verb; a question may begin with "what".
CLAUSE = re.compile(r"//+<?(?: |.*[.;:] )(?:Of|What|Who|Whoever) [a-z](?!.*\?)")
FILES_OF_OTHERS = {"openxr_loader_negotiation.h", "rapidjson/stringbuffer.h"}
# Not misspelled: a box of wood, back and forth, infinity, "in force".
SPELLED = "crate,crates,fro,kinf,inforce"
FOLDERS = ("collision", "tracking", "scenes", "recordings", "vr", "tests", "docs")
ENDINGS = {".h", ".cpp", ".c", ".cs", ".md", ".py", ".sh", ".toml"}
NOT_LOOKED_AT = {"tests/words.py", "docs/glossary.md"}


def files_of(root):
    yield from (root / name for name in ("README.md", "CHANGES.md"))
    for folder in FOLDERS:
        yield from sorted(f for f in (root / folder).rglob("*") if f.suffix in ENDINGS)


def faults_of(file, where, tails):
    text = file.read_text(encoding="utf-8")
    words = WORDS.items() if ANY.search(text) else ()
    for number, line in enumerate(text.splitlines(), 1):
        for word, instead in words:
            for found in word.finditer(line):
                yield f'{where}:{number}: says "{found[0]}"; write: {instead}'
        if file.suffix in {".h", ".cpp"} and not where.startswith("tests/") and (clause := CLAUSE.search(line)):
            yield f'{where}:{number}: a sentence begins with a clause: "{clause[0][:60]}..."'
        if line.startswith("#") or file.suffix == ".py" or "results/" in where:
            continue
        for mention in MENTION.findall(line):
            if mention not in tails and mention not in FILES_OF_OTHERS:
                yield f"{where}:{number}: mentions {mention}, which is not there"


def misspellings(files):
    if not shutil.which("codespell"):
        print("codespell is not installed: spelling is not checked")
        return []
    run = subprocess.run(["codespell", "--ignore-words-list", SPELLED, *map(str, files)], capture_output=True, text=True)
    return run.stdout.splitlines()


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = [f for f in files_of(root) if str(f.relative_to(root)) not in NOT_LOOKED_AT]
    if len(files) < 500:
        sys.exit(f"only {len(files)} files found in {root}")
    names = [f.relative_to(root).parts for f in files]
    tails = {"/".join(parts[i:]) for parts in names for i in range(len(parts))}
    faults = [fault for file in files for fault in faults_of(file, str(file.relative_to(root)), tails)]
    faults += misspellings([f for f in files if "results" not in f.parts])
    print(*faults, sep="\n")
    if faults:
        sys.exit(f"{len(faults)} faults")
    print(f"{len(files)} files: words, mentions and spelling as agreed")


main()
