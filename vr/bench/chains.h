// The four experiments of [Schmidl04, tables 1 to 4], and further studies with the same chains.
#pragma once

#include <array>
#include <span>

#include "vr/bench/chain_simulation.h"
#include "vr/bench/paper.h"

namespace glovebox::vr {

/// One experiment and its published results.
struct ChainTable {
    std::string_view title, figure;
    ChainSettings settings;
    std::array<PublishedLine, 5> published;
};
std::span<const ChainTable> chain_tables();

/// Simulates the motion of the experiment, with a gap of `joint_gap` between links and joints.
ChainRecording record(const ChainTable& table, int frames, float joint_gap);

/// Returns the experiment as a workload. The recording must outlive it.
PaperWorkload workload_of(const ChainTable& table, const ChainRecording& recording, const collision::PairMask& mask);

/// Counts candidate pairs and measures whole frames with aligned and with oriented boxes, for gaps from 0.1 to 1.
void race_gaps(const BenchOptions& options, BenchResult& result);

/// Compares refitted boxes with the paper's equations 1 to 4, evaluated in double.
void compare_merges(const BenchOptions& options, BenchResult& result);

/// Measures axes and volumes of merged boxes against the angle of one joint.
void bend_one_joint(const BenchOptions& options, BenchResult& result);

/// Measures false positives as a function of the distance of two chains, both separate and braided. Also measures
/// updates on demand.
void survey_braid(const BenchOptions& options, BenchResult& result);

/// Draws figure 1a: the binary hierarchy over four links.
void show_hierarchy(const BenchOptions& options, BenchResult& result);

/// These draw figure 2a of one table, and figures 1b, 2b and 3, into the folder that the user named.
void draw_chains(BenchResult& result, const BenchOptions& options, const ChainTable& table,
                 const ChainRecording& recording);
void draw_chain_links(BenchResult& result, const BenchOptions& options);

}  // namespace glovebox::vr
