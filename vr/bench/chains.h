// The four experiments of [Schmidl04, tables 1 to 4] and the studies that stand on the same chains.
#pragma once

#include <array>
#include <span>

#include "scenes/chain_simulation.h"
#include "vr/bench/paper.h"

namespace glovebox::vr {

struct ChainTable {
    std::string_view title, figure;
    scenes::ChainSettings settings;
    std::array<PublishedLine, 5> published;
};
std::span<const ChainTable> chain_tables();

/// The table's motion with its links standing `joint_gap` apart from their joints.
scenes::ChainRecording record(const ChainTable& table, int frames, float joint_gap);

/// The recording must outlive the workload.
PaperWorkload workload_of(const ChainTable& table, const scenes::ChainRecording& recording,
                          const collision::PairMask& mask);

/// Pairs handed on by aligned and by oriented boxes, for gaps from 0.1 to 1.
void race_gaps(const BenchOptions& options, BenchResult& result);

/// One joint: axes and volumes of merges against the angle.
void bend_one_joint(const BenchOptions& options, BenchResult& result);

/// Two chains apart and braided: false positives over distance, and updates on demand.
void survey_braid(const BenchOptions& options, BenchResult& result);

/// Figure 1a: the binary hierarchy over four links.
void show_hierarchy(const BenchOptions& options, BenchResult& result);

/// Figure 2a of one table, and figures 1b, 2b and 3, into the folder that the user named.
void draw_chains(BenchResult& result, const BenchOptions& options, const ChainTable& table,
                 const scenes::ChainRecording& recording);
void draw_chain_links(BenchResult& result, const BenchOptions& options);

}  // namespace glovebox::vr
