// glovebox-bench, which `glovebox bench` starts.
#include <array>

#include "vr/cli/bench.h"
#include "vr/cli/program.h"

int main(int argc, char** argv) {
    using namespace glovebox::vr;
    constexpr std::array kCommands = {
        Command{"bench", "measure, and compare with what was published",
                [](CLI::App& app) { return declare_bench(app, run_benches); }},
    };
    return run_program(argc, argv, kCommands);
}
