#!/usr/bin/env python3
"""Fails where vcpkg.json, the Conan recipe, the packages that run.sh installs or the libraries that CMake looks for
differ from the table of libraries.

    tests/packaging/recipes.py [ROOT]

The table is vr/package/libraries.csv. Conan itself is no Debian package: the recipe is compiled and read, not run.
"""

import ast
import csv
import json
import pathlib
import py_compile
import re
import sys
import tempfile

# In the table, but brought by a compiler or by what uses it.
UNNAMED = {"libc6", "libstdc++6", "libgcc-s1"}

# What CMake looks for besides libraries, and libraries whose Debian package has another name.
NO_LIBRARIES = {"pkgconfig", "python", "python3", "threads", "glovebox"}
PACKAGE_OF = {"eigen3": "libeigen3-dev", "nlohmann_json": "nlohmann-json3-dev", "zlib": "zlib1g-dev", "pybind11": "pybind11-dev",
              "liblzma": "liblzma-dev"}
FOLDERS = (".", "collision", "tracking", "scenes", "recordings", "vr")


def value_in(recipe, name):
    """Returns what `name = ...` of the class in a recipe says."""
    tree = ast.parse(recipe.read_text(encoding="utf-8"))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef)).body
    return ast.literal_eval(next(node.value for node in body if isinstance(node, ast.Assign) and node.targets[0].id == name))


def difference(what, found, expected):
    found, expected = set(found), set(expected)
    return ([f"{what}: {name} is not in vr/package/libraries.csv" for name in sorted(found - expected)] +
            [f"{what}: {name} is missing" for name in sorted(expected - found)])


def looked_for(root):
    """Returns the Debian package of each library that a CMakeLists.txt of the project looks for."""
    packages = set()
    for folder in FOLDERS:
        for file in sorted((root / folder).glob("*.txt" if folder == "." else "**/CMakeLists.txt")):
            text = re.sub(r"#.*", "", file.read_text(encoding="utf-8"))
            names = re.findall(r"\bfind_package\((\w+)", text)
            names += re.findall(r"\bpkg_check_modules\(\w+ REQUIRED IMPORTED_TARGET ([\w+-]+)\)", text)
            for name in (name.lower() for name in names):
                if name not in NO_LIBRARIES:
                    packages.add(PACKAGE_OF.get(name, f"lib{name.removeprefix('lib')}-dev"))
    return packages


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    with open(root / "vr/package/libraries.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if len(rows) < 20:
        sys.exit(f"only {len(rows)} libraries in the table")

    faults = []
    vcpkg = json.loads((root / "vcpkg.json").read_text(encoding="utf-8"))
    # The libraries are dependencies of everyone; what the program alone links is a feature, as are the tests.
    for part, here in ((vcpkg, "yes"), (vcpkg["features"]["application"], "no")):
        names = [entry if isinstance(entry, str) else entry["name"] for entry in part["dependencies"]]
        faults += difference("vcpkg.json", names, (row["vcpkg"] for row in rows if row["vcpkg"] and row["library"] == here))

    recipe = root / "vr/package/conan/conanfile.py"
    with tempfile.TemporaryDirectory() as folder:
        py_compile.compile(str(recipe), cfile=folder + "/conanfile.pyc", doraise=True)
    faults += difference("conanfile.py", value_in(recipe, "requires"), (row["conan"] for row in rows if row["conan"]))
    # The recipe builds the libraries: what these link is what the shared library links. The serial port comes from the
    # system there, for Conan and vcpkg have none.
    faults += difference("conanfile.py", (row["debian"] for row in rows if row["conan"]),
                         (row["debian"] for row in rows if row["library"] == "yes" and row["debian"] not in UNNAMED))
    project = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    versions = {re.search(r"VERSION (\d+\.\d+\.\d+)", project)[1], vcpkg["version-string"], value_in(recipe, "version")}
    if len(versions) > 1:
        faults.append(f"CMakeLists.txt, vcpkg.json and conanfile.py have different versions: {sorted(versions)}")

    setup = (root / "tests/setup/packages.sh").read_text(encoding="utf-8")
    installed = set(" ".join(re.findall(r"packages=\(([^)]*)\)", setup)).split())
    faults += [f"tests/setup/packages.sh: {row['debian']} is missing" for row in rows
               if row["debian"] not in installed | UNNAMED]
    page = (root / "docs/reference/dependencies.md").read_text(encoding="utf-8")
    faults += [f"docs/reference/dependencies.md: {row['debian']} is missing" for row in rows
               if row["debian"] not in page and row["debian"] not in UNNAMED]

    # libstb is found by its header alone.
    faults += difference("CMakeLists.txt", looked_for(root),
                         (row["debian"] for row in rows if row["debian"] not in UNNAMED | {"libstb-dev"}))

    print(*faults, sep="\n")
    if faults:
        sys.exit(f"{len(faults)} faults")
    print(f"recipes: {len(rows)} libraries, the same in vcpkg.json, conanfile.py, CMake, packages.sh and dependencies.md")


main()
