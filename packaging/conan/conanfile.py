"""Conan 2 recipe: `conan create packaging/conan --build=missing` builds this checkout as a slim Strata, by its own kernels."""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

SOURCE = Path(__file__).resolve().parent.parent.parent
# What the library and its build are made of.
PARTS = ["CMakeLists.txt", "LICENSE", "strata.h", "custom_op.h"]
FOLDERS = ["autograd", "benchmarks/cuda", "cmake", "compat", "compile", "core", "data", "debuggers", "dispatcher", "distributed",
           "exchange", "kernels", "nn", "ops", "optim", "profiler", "train", "transforms"]


class Strata(ConanFile):
    name = "strata"
    license = "BSD-3-Clause"
    description = "An eager tensor and autograd framework in C++20"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True, "fmt/*:shared": True, "highway/*:shared": True}

    def set_version(self):
        text = (SOURCE / "core/version.h").read_text()
        self.version = ".".join(re.findall(r"^#define STRATA_VERSION_[A-Z]+ (\d+)$", text, re.M))

    def export_sources(self):
        for pattern in PARTS + [f"{folder}/*" for folder in FOLDERS]:
            copy(self, pattern, SOURCE, self.export_sources_folder)

    def requirements(self):
        self.requires("boost/[>=1.74 <2]", headers=True, libs=False)
        self.requires("fmt/[>=9 <12]")
        self.requires("highway/[>=1.0 <2]")
        self.requires("nlohmann_json/[>=3.11 <4]")
        self.requires("zlib/[>=1.2.11 <2]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "STRATA_SLIM": True, "STRATA_STATIC": not self.options.shared, "STRATA_BUILD_TESTS": False,
            "STRATA_BUILD_EXAMPLES": False, "STRATA_DISTRIBUTED": "OFF", "STRATA_CUDA": "OFF", "STRATA_WERROR": False})
        toolchain.generate()
        dependencies = CMakeDeps(self)
        dependencies.set_property("highway", "cmake_file_name", "hwy")
        dependencies.set_property("highway", "cmake_target_name", "hwy::hwy")
        dependencies.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        # Strata brings a CMake package of its own.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/strata"]
