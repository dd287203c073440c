// Any bytes into one reader: samples or an ImportError come out, and nothing else happens. Built once for each format.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "recordings/format.h"

using namespace glovebox;

namespace {

const recordings::Format& format_under_test() {
    for (const recordings::Format& row : recordings::format_table())
        if (row.name == GLOVEBOX_FUZZ_FORMAT) return row;
    std::abort();
}

// SQLite wants a file with a name; everything else reads from memory.
std::string path_of_input() {
    static const std::string path = [] {
        if (std::string_view(GLOVEBOX_FUZZ_FORMAT) == "glove")
            return "/dev/shm/glovebox_fuzz_" + std::to_string(getpid());
        return "/proc/self/fd/" + std::to_string(memfd_create("fuzz", 0));
    }();
    return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string path = path_of_input();
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) std::abort();
    std::fwrite(data, 1, size, file);
    std::fclose(file);
    try {
        const recordings::ImportOptions options;
        const recordings::SampleSink sink = [](const tracking::HandPair& sample) {
            if (sample.time_ns < 0) std::abort();
        };
        recordings::Input in(path);
        const recordings::Format& format = format_under_test();
        if (!format.recognise(in.head(), in.size())) return 0;
        recordings::Assembly assembly(in, options, sink);
        format.read(in, options, assembly);
        assembly.finish();
    } catch (const recordings::ImportError& error) {
        if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    }
    return 0;
}
