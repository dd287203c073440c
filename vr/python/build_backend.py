"""Builds the wheel with CMake: the backend that pyproject.toml names (PEP 517), with nothing but the standard library.

`pip install .` configures and builds the libraries and the module in build/python. A folder that is built already is
taken instead: pip install . --config-settings=build-dir=build/release
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WHEN = (2020, 1, 1, 0, 0, 0)  # of every file in the wheel: the same source gives the same bytes


def _project(key):
    return re.search(rf'^{key} = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE).group(1)


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: glovebox\nVersion: {_project('version')}\nSummary: {_project('description')}\n"
        f"License: MIT\nRequires-Python: {_project('requires-python')}\nRequires-Dist: numpy\n"
        "Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
        "Provides-Extra: plot\nRequires-Dist: matplotlib; extra == 'plot'\n"
    )


def _build(folder):
    """Configures and builds the module in a folder. Returns where the package lies."""
    if not (folder / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if subprocess.run(["which", "ninja"], capture_output=True).returncode == 0 else []
        subprocess.run(
            ["cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DGLOVEBOX_APPLICATION=OFF",
             "-DGLOVEBOX_BUILD_TESTS=OFF", "-DGLOVEBOX_PYTHON=ON", "-DGLOVEBOX_C_INTERFACE=OFF",
             f"-DPython_EXECUTABLE={sys.executable}"],
            check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    subprocess.run(["cmake", "--build", folder, "--target", "glovebox_python", "--parallel", jobs], check=True)
    return folder / "python" / "glovebox"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    folder = ROOT / (config_settings or {}).get("build-dir", "build/python")
    package = _build(folder)
    version = _project("version")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    info = f"glovebox-{version}.dist-info"
    module = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
    if not (package / module).exists():
        raise SystemExit(f"{package}: there is no {module}: it was built for another Python than {sys.executable}, or "
                         "pybind11 and NumPy were not found (docs/reference/libraries.md)")
    files = {f"glovebox/{name}": (package / name).read_bytes()
             for name in ("__init__.py", "_many.py", "_core.pyi", "py.typed", module)}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: glovebox\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"glovebox-{version}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, WHEN)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """Writes what git has of the checkout as a source archive and returns its name."""
    name = f"glovebox-{_project('version')}"
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for file in filter(None, listed.decode().split("\0")):
            archive.add(ROOT / file, f"{name}/{file}")
    return f"{name}.tar.gz"
