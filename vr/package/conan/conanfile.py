"""Conan recipe of Glovebox's C++ libraries: collision, tracking, scenes, recordings. Without the program.

    conan create vr/package/conan --build=missing

Versions are in vr/package/libraries.csv; tests/packaging/recipes.py compares.
"""

from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps
from conan.tools.system.package_manager import Apt


class Glovebox(ConanFile):
    name = "glovebox"
    version = "0.1.0"
    license = "MIT"
    description = "Tells what a hand touches"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    requires = (
        "assimp/5.4.3",
        "bullet3/3.24",
        "eigen/3.4.0",
        "highway/1.0.7",
        "nlohmann_json/3.11.2",
        "onetbb/2023.1.0",
        "qhull/8.0.2",
        "sqlite3/3.44.2",
        "tomlplusplus/3.3.0",
        "xxhash/0.8.1",
        "xz_utils/5.4.5",
        "zlib/1.3.2",
        "zstd/1.5.5",
    )
    tool_requires = ("cmake/[>=3.25]", "pkgconf/[>=2]")

    def export_sources(self):
        root = Path(self.recipe_folder).parents[2]
        for name in ("CMakeLists.txt", "LICENSE", "collision/*", "tracking/*", "scenes/*", "recordings/*", "vr/*"):
            copy(self, name, src=root, dst=self.export_sources_folder)

    def system_requirements(self):
        # Conan has no libserialport; Windows needs none.
        if self.settings.os == "Linux":
            Apt(self).install(["libserialport-dev"])

    def layout(self):
        self.folders.root = "../../.."
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["GLOVEBOX_APPLICATION"] = False
        toolchain.cache_variables["GLOVEBOX_BUILD_TESTS"] = False
        toolchain.cache_variables["GLOVEBOX_INSTALL"] = True
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # find_package(glovebox) reads our own files.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/glovebox"]
