#!/usr/bin/env python3
"""Fails where the bill of materials is not that of the binaries: what they link, and whose headers they are compiled with.

    tests/packaging/bill.py BUILD ROOT

BUILD is a built tree, and ROOT a folder in which its Debian packages were unpacked. Libraries are told by their Debian
source packages: dpkg knows which a file belongs to.
"""

import json
import pathlib
import re
import subprocess
import sys

# Whose headers only declare what the system, a display or an interpreter brings: nothing of them is compiled in.
ONLY_DECLARE = {"glibc", "linux", "libglvnd", "vulkan-loader", "xorgproto", "python3.11", "python3.12", "gcc-12", "gcc-13", "gcc-14"}
LICENSE_WORDS = {"MIT", "MPL-2.0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "Qhull", "blessing", "Unlicense", "X11",
                 "LGPL-2.1-or-later", "LGPL-3.0-or-later", "GPL-2.0-only", "GPL-3.0-or-later", "GCC-exception-3.1",
                 "LicenseRef-public-domain", "libpng-2.0", "OR", "AND", "WITH"}
faults = []


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def sources_of_files(files):
    """Returns the source packages that files of this system belong to."""
    files = {str(pathlib.Path(file).resolve()) for file in files}
    # /lib is /usr/lib, and packages name either.
    files = sorted(files | {file.removeprefix("/usr") for file in files})
    packages = set()
    for begin in range(0, len(files), 500):
        for line in run("dpkg", "-S", *files[begin:begin + 500]).splitlines():
            packages.update(name.split(":")[0] for name in line.rsplit(": ", 1)[0].split(", "))
    return sources_of_packages(packages)


def sources_of_packages(packages):
    return set(run("dpkg-query", "-W", "-f=${source:Package}\n", *sorted(packages)).split()) if packages else set()


def libraries_of(binary):
    """Returns the files that a binary names as needed."""
    names = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", binary))
    if not names:
        faults.append(f"{binary}: no library is needed; is it a binary?")
    known = dict(re.findall(r"^\s*(\S+) \(.*\) => (\S+)$", run("ldconfig", "-p"), re.M))
    faults.extend(f"{binary}: {name} is not installed here" for name in names if name not in known)
    return [known[name] for name in names if name in known]


def compare(what, found, named):
    faults.extend(f"{what}: {name} is not in the bill" for name in sorted(found - named))
    faults.extend(f"{what}: {name} is in the bill and not in the binaries" for name in sorted(named - found))


def check_document(bill):
    """What SPDX 2.3 asks of a document."""
    for key in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages"):
        if not bill.get(key):
            faults.append(f"the bill has no {key}")
    ids = [package["SPDXID"] for package in bill["packages"]] + [bill["SPDXID"]]
    if len(set(ids)) != len(ids):
        faults.append("an SPDXID is there twice")
    for package in bill["packages"]:
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]) or "downloadLocation" not in package:
            faults.append(f"{package['SPDXID']}: is no SPDX package")
        if unknown := set(re.findall(r"[\w.-]+", package["licenseDeclared"])) - LICENSE_WORDS:
            faults.append(f"{package['SPDXID']}: unknown licence {unknown}")
        if "versionInfo" not in package:
            faults.append(f"{package['SPDXID']}: has no version, and dpkg is here")
    for relation in bill["relationships"]:
        for end in ("spdxElementId", "relatedSpdxElement"):
            if relation[end] not in ids:
                faults.append(f"a relation names {relation[end]}, which is not there")


def main():
    build, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    bills = sorted(root.rglob("glovebox.spdx.json"))
    if len(bills) != 4 or len({bill.read_bytes() for bill in bills}) != 1:
        sys.exit(f"four packages with the same bill were expected: {[str(bill) for bill in bills]}")
    bill = json.loads(bills[0].read_text(encoding="utf-8"))
    check_document(bill)

    name_of = {package["SPDXID"]: package["name"] for package in bill["packages"]}

    def linked(product, how):
        return sources_of_packages({name_of[relation["relatedSpdxElement"]] for relation in bill["relationships"]
                                    if relation["spdxElementId"] == f"SPDXRef-{product}" and
                                    relation["relationshipType"] == how})

    binaries = {
        "glovebox": [root / "usr/bin/glovebox", root / "usr/bin/glovebox-bench",
                     *root.rglob("libXrApiLayer_glovebox.so")],
        "libglovebox": list(root.rglob("libglovebox.so.*.*")),
        "python3-glovebox": list(root.rglob("_core.*.so")),
    }
    for product, files in binaries.items():
        needed = set().union(*(sources_of_files(libraries_of(file)) for file in files))
        if not files or len(needed) < 5:
            sys.exit(f"{product}: no binaries, or none that need a library: {files}")
        compare(product, needed, linked(product, "DYNAMIC_LINK"))

    if (build / "build.ninja").exists():
        check_compiled_in(bill, build, linked, binaries)
    else:
        print("bill: static and header-only libraries are compared in builds by Ninja alone")

    print(*faults, sep="\n")
    if faults:
        sys.exit(f"bill: {len(faults)} faults")
    print(f"bill: {len(bill['packages'])} packages; the libraries and headers are those of the binaries")


def check_compiled_in(bill, build, linked, products):
    """Static and header-only libraries, from what Ninja linked and what its compilers read."""
    archives = re.findall(r"^    (?:\| )?(/usr/\S+\.a)$", run("ninja", "-C", build, "-t", "query", "bin/glovebox"), re.M)
    compare("archives", sources_of_files(archives) - ONLY_DECLARE, linked("glovebox", "STATIC_LINK") - header_only(bill))
    read = set()
    for part in run("ninja", "-C", build, "-t", "deps").split("\n\n"):
        if re.match(r"(collision|tracking|scenes|recordings|vr)/", part):
            read.update(re.findall(r"^    (/usr/\S+)$", part, re.M))
    if len(read) < 100:
        sys.exit("no headers are known: was this tree built here?")
    named = set().union(*(linked(product, how) for product in products for how in ("STATIC_LINK", "DYNAMIC_LINK")))
    headers = sources_of_files(read) - ONLY_DECLARE
    faults.extend(f"headers: {name} is not in the bill" for name in sorted(headers - named))
    faults.extend(f"headers: {name} is in the bill and was not read" for name in sorted(header_only(bill) - headers))


def header_only(bill):
    """Source packages of the libraries that are headers alone: their Debian package holds no library."""
    linked = {relation["relatedSpdxElement"] for relation in bill["relationships"]
              if relation["relationshipType"] == "STATIC_LINK"}
    names = [package["name"] for package in bill["packages"] if package["SPDXID"] in linked]
    return sources_of_packages({name for name in names if not re.search(r"\.(a|so)$", run("dpkg", "-L", name), re.M)})


main()
