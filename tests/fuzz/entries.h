// What the fuzzers feed: any bytes go in; samples, values or a one-line error come out, and nothing else happens.
//
// A broken promise aborts. libFuzzer drives these functions with clang (fuzz_target.cpp); mutations_test.cpp drives the
// same ones with every compiler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Entry {
    std::string_view name;  ///< a row of format_table(), or what is not a format of its own
    void (*feed)(std::string_view name, Bytes bytes);
};

/// One for every reader, and the serial codec, calibrations, rigid tracks, fault specifications, log recovery, the
/// indices of `glovebox clips`, scene files, meshes, stored box trees and skins, and parts of labels.
std::span<const Entry> entries();
const Entry& find_entry(std::string_view name);  ///< aborts if there is none

/// A good input to begin with. Every entry has at least one.
struct Seed {
    std::string_view entry;
    std::string content;
};
std::vector<Seed> seed_corpus();

}  // namespace glovebox::fuzz
