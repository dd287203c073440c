// Entry points of the fuzzers: each takes any bytes and must return samples, values or a one-line error.
//
// Any other outcome aborts. libFuzzer drives these functions with clang (fuzz_target.cpp); mutations_test.cpp calls the
// same functions with every compiler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Entry {
    std::string_view name;  ///< a method of format_table(), or the name of a reader outside it
    void (*feed)(std::string_view name, Bytes bytes);
};

/// Returns one entry for every reader, and for the serial codec, calibrations, rigid tracks, fault specifications, log
/// recovery, indices of `glovebox clips`, scene files, meshes, stored box trees and skins, and parts of labels.
std::span<const Entry> entries();
const Entry& find_entry(std::string_view name);  ///< aborts if there is none

/// A valid input from which fuzzing starts. Every entry has at least one.
struct Seed {
    std::string_view entry;
    std::string content;
};
std::vector<Seed> seed_corpus();

}  // namespace glovebox::fuzz
