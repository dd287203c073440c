#!/usr/bin/env python3
"""Fails on pages that are hard to read: long sentences, long pages, no reader named, no picture, dead links. pages.py [ROOT]

Pages are README.md, CHANGES.md and docs/, without docs/results/, which programs write.
"""

import pathlib
import re
import sys

MAX_WORDS_IN_A_SENTENCE = 25
MAX_WORDS_IN_A_PAGE = 900
MAX_LINES_OF_CHANGES = 40

# Pages that may be longer, and why.
LONGER = {
    "docs/reference/cli.md": "a table with a row for each option, printed by the program",
    "docs/reference/window.md": "tables with a row for each key and colour",
}
# Pages without a picture, and why.
NO_PICTURE = {
    "docs/explanation/architecture.md": "has a diagram in text",
    "docs/explanation/security.md": "tables of rules",
    "docs/how-to/compare.md": "the output is text",
    "docs/reference/cli.md": "printed by the program",
    "docs/reference/dependencies.md": "tables of packages",
    "docs/reference/layouts.md": "names of columns and arrays",
    "docs/reference/libraries.md": "tables of headers and functions",
}
KINDS = ("tutorials", "how-to", "reference", "explanation")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def pages_of(root):
    pages = [root / "README.md", root / "CHANGES.md"]
    pages += (page for page in sorted((root / "docs").rglob("*.md")) if "results" not in page.parts)
    return pages


def without_code(text):
    """Removes fenced and indented blocks, replaces `code` by one word and links by their text."""
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)
    text = re.sub(r"^    (?![-|*\d]|  ).*$", "", text, flags=re.M)
    text = re.sub(r"`[^`\n]*(?:\n[^`\n]+)?`", "code", text)
    return re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)


def sentences_of(text):
    """Sentences of paragraphs, list items, headings and table cells. In a cell a semicolon or colon ends a phrase."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) ?)", without_code(text)):
        block = " ".join(block.split())
        parts = re.split(r"[|;:]", block) if block.startswith("|") else [block]
        for part in parts:
            yield from re.split(r"(?<=[.!?])\**\s+", part)


def words_in(text):
    return len(re.findall(r"[\w'/.-]*\w[\w'/.-]*", text))


def anchors_of(page):
    """Anchors that GitHub makes of the headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.replace("`", "")).strip().lower().replace(" ", "-") for heading in headings}


def faults_of_links(root, page):
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"links to {link}, which is not there"
        elif anchor and anchor not in anchors_of(target):
            yield f"links to {link}, which has no such heading"


def faults_of(root, page):
    text = page.read_text(encoding="utf-8")
    where = str(page.relative_to(root))
    yield from faults_of_links(root, page)
    for sentence in sentences_of(text):
        if words_in(sentence) > MAX_WORDS_IN_A_SENTENCE:
            yield f'a sentence of {words_in(sentence)} words: "{sentence[:90]}..."'
    length = words_in(without_code(text))
    if where == "CHANGES.md":
        if len(text.splitlines()) > MAX_LINES_OF_CHANGES:
            yield f"{len(text.splitlines())} lines, at most {MAX_LINES_OF_CHANGES}"
    elif length > MAX_WORDS_IN_A_PAGE and where not in LONGER:
        yield f"{length} words, at most {MAX_WORDS_IN_A_PAGE}"
    elif length <= MAX_WORDS_IN_A_PAGE and where in LONGER:
        yield f"{length} words: take it from the list of longer pages"
    if page.relative_to(root).parts[1:2] and page.relative_to(root).parts[1] in KINDS:
        paragraphs = [p for p in text.split("\n\n") if not p.startswith(("#", "<!--"))]
        if not paragraphs[0].startswith("For "):
            yield 'the first paragraph does not say for whom the page is ("For ...")'
        if ("![" in text) == (where in NO_PICTURE):
            yield "has no picture" if where not in NO_PICTURE else "has a picture: take it from the list of pages without"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    pages = pages_of(root)
    if len(pages) < 30:
        sys.exit(f"only {len(pages)} pages found in {root}")
    faults = [f"{page.relative_to(root)}: {fault}" for page in pages for fault in faults_of(root, page)]
    print(*faults, sep="\n")
    if faults:
        sys.exit(f"{len(faults)} faults")
    print(f"{len(pages)} pages: links, readers and lengths as agreed")


main()
