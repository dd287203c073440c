// Writes the seed corpus: one folder for each entry.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/entries.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    int count = 0;
    for (const glovebox::fuzz::Seed& seed : glovebox::fuzz::seed_corpus()) {
        const std::filesystem::path folder = std::filesystem::path(argv[1]) / seed.entry;
        std::filesystem::create_directories(folder);
        std::ofstream(folder / ("seed" + std::to_string(count++)), std::ios::binary) << seed.content;
    }
    return 0;
}
