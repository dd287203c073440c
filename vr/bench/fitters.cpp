// The experiments of [Ramirez09] on meshes of the published sizes, with every fitter. Also the paper's future work
// (threads, choice of the split axis, refit after deformation), and the cost and gain of files.
#include <array>

#include "vr/bench/fitters/sections.h"

namespace glovebox::vr {
namespace {

constexpr std::array kFittersSections = {
    BenchSection{"tables", "tables 3 to 5, figures 10 to 12: leaves, volumes, build and query times", fitters_tables},
    BenchSection{"fitness", "table 2, figures 6 and 9: parameters, a chromosome, fitness by generation",
                 fitters_fitness},
    BenchSection{"threads", "the genetic build on one thread and on two", fitters_threads},
    BenchSection{"deformation", "refit against rebuild while a bone bends", fitters_deformation},
    BenchSection{"files", "a tree stored, read and checked", fitters_files},
};

}  // namespace

std::span<const BenchSection> fitters_sections() {
    return kFittersSections;
}

BenchResult bench_fitters(const BenchOptions& options) {
    return run_sections(options, kFittersSections);
}

}  // namespace glovebox::vr
