// The experiments of the OBBTree paper [Gottschalk96] and of its slides.
#include <array>

#include "vr/bench/obbtree/sections.h"

namespace glovebox::vr {
namespace {

constexpr std::array kObbtreeSections = {
    BenchSection{"race", "overlap tests: 15 axes alone and in SIMD, GJK, a linear program, 144 edge-face tests",
                 obbtree_race},
    BenchSection{"axes", "the 15 axes one by one: pairs of boxes that only this axis separates", obbtree_axes},
    BenchSection{"tightness", "tightness, diameter and aspect ratio down the trees of three volumes",
                 obbtree_tightness},
    BenchSection{"proximity", "parallel and point close proximity, high curvature, coarse tessellation",
                 obbtree_proximity},
    BenchSection{"hard-scenes", "pipes, torus, soups: T = N_v C_v + N_p C_p for OBBs, AABBs and spheres",
                 obbtree_hard_scenes},
    BenchSection{"sampling", "interior vertices and dense patches, and what cures them", obbtree_sampling},
    BenchSection{"fits", "the smallest box and the fitters on ten points (slide 11)", obbtree_fits},
    BenchSection{"degenerate", "boxes without thickness and without end", obbtree_degenerate},
};

}  // namespace

std::span<const BenchSection> obbtree_sections() {
    return kObbtreeSections;
}

BenchResult bench_obbtree(const BenchOptions& options) {
    return run_sections(options, kObbtreeSections);
}

}  // namespace glovebox::vr
