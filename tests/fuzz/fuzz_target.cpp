// A libFuzzer target, built once for each entry.
#include "tests/fuzz/entries.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const glovebox::fuzz::Entry& entry = glovebox::fuzz::find_entry(GLOVEBOX_FUZZ_ENTRY);
    entry.feed(entry.name, {data, size});
    return 0;
}

// Assimp leaks memory on some damaged meshes. The program reads meshes in a child process, which ends afterwards.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libassimp";
}
