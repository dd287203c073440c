// Compares our speed with every installed peer's, in one table.
//
//   glovebox_peers [--quick] [--json] [--list] [WORKLOAD...]
//
// Exit codes: 0, 2 for a wrong argument, 3 if a peer's answer differs from ours and must not.
#include <array>
#include <cstdio>

#include "tests/timing/peers/peer_library.h"
#include "tests/timing/peers/peers.h"

namespace glovebox::timing {
namespace {

constexpr std::array kWorkloads = {
    Workload{"boxes", "oriented box against oriented box: pairs, and one against many", run_boxes},
    Workload{"refit", "the boxes of a 20-bone hand after it moved: one hand, and many", run_refit},
    Workload{"frame", "a hand against ball, table and 10,000 triangles: every contact, with and without idle gaps",
             run_frame},
    Workload{"room", "a hand against a scan of a room: the slowest frame of a hundred", run_room},
    Workload{"hulls", "convex hull against convex hull from frame to frame: apart, near, penetrating", run_hulls},
    Workload{"meshes", "two meshes of 70,000 triangles near contact: first contact, all contacts", run_meshes},
    Workload{"near", "which of 1,000 and 10,000 boxes are near the bones of a hand", run_near},
};

// Libraries that this program was built without: their rows are missing.
const std::vector<std::string_view> kMissing = {
#if !GLOVEBOX_HAS_JOLT
    "Jolt was not found when this was built, so no row compares with it: cmake --preset release -DJolt_DIR=FOLDER",
#endif
#if !GLOVEBOX_HAS_COAL
    "Coal was not found when this was built, so no row compares with it: cmake --preset release -Dcoal_DIR=FOLDER",
#endif
#if !GLOVEBOX_HAS_PQP
    "PQP was not found when this was built, so no row compares with it: cmake --preset release -DPQP_DIR=FOLDER",
#endif
#if !GLOVEBOX_HAS_ODE
    "ODE was not found when this was built, so no row compares with it: install libode-dev",
#endif
#if !GLOVEBOX_HAS_CCD
    "libccd was not found when this was built, so no row compares with it: install libccd-dev",
#endif
};

struct Arguments {
    bool json = false, list = false;
    PeerOptions options;
    std::vector<std::string> names;
};

bool parse(int count, char** words, Arguments& arguments) {
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--quick") {
            arguments.options.quick = true;
        } else if (word == "--json") {
            arguments.json = true;
        } else if (word == "--list") {
            arguments.list = true;
        } else {
            bool known = false;
            for (const Workload& workload : kWorkloads) known = known || workload.name == word;
            if (!known) {
                std::fprintf(stderr, "glovebox_peers: no workload named '%s'; see --list\n", words[i]);
                return false;
            }
            arguments.names.emplace_back(word);
        }
    }
    return true;
}

void print(const PeerReport& report) {
    for (const auto& row : report.rows()) {
        std::string line;
        for (const auto& [key, value] : row.items()) {
            std::array<char, 32> number{};
            if (value.is_number()) std::snprintf(number.data(), number.size(), "%.4g", value.get<double>());
            line += (line.empty() ? "" : "  ") + key + " " +
                    (value.is_number()   ? number.data()
                     : value.is_string() ? value.get<std::string>()
                                         : value.dump());
        }
        std::puts(line.c_str());
    }
    for (const std::string& note : report.notes()) std::puts(note.c_str());
}

int run(const Arguments& arguments) {
    if (arguments.list) {
        for (const Workload& workload : kWorkloads)
            std::printf("%-8s  %s\n", workload.name.data(), workload.summary.data());
        return 0;
    }
    PeerReport report;
    for (const std::string_view missing : kMissing) report.note(std::string(missing));
    for (const Workload& workload : kWorkloads) {
        bool wanted = arguments.names.empty();
        for (const std::string& name : arguments.names) wanted = wanted || name == workload.name;
        if (wanted) workload.run(arguments.options, report);
    }
    if (arguments.json)
        std::printf(
            "%s\n",
            nlohmann::ordered_json{{"rows", report.rows()}, {"notes", report.notes()}, {"agreed", report.agreed()}}
                .dump()
                .c_str());
    else
        print(report);
    return report.agreed() ? 0 : 3;
}

}  // namespace

std::span<const PeerLibrary> peer_libraries() {
    static const std::vector<PeerLibrary> libraries = {
#if GLOVEBOX_HAS_JOLT
        jolt(),
#endif
#if GLOVEBOX_HAS_COAL
        coal_library(),
#endif
#if GLOVEBOX_HAS_PQP
        pqp(),
#endif
    };
    return libraries;
}

}  // namespace glovebox::timing

int main(int count, char** words) {
    glovebox::timing::Arguments arguments;
    if (!glovebox::timing::parse(count, words, arguments)) return 2;
    return glovebox::timing::run(arguments);
}
