// Sections of `glovebox bench obbtree`, one file each.
#pragma once

#include "vr/bench/bench.h"

namespace glovebox::vr {

void obbtree_race(const BenchOptions& options, BenchResult& result);
void obbtree_axes(const BenchOptions& options, BenchResult& result);
void obbtree_tightness(const BenchOptions& options, BenchResult& result);
void obbtree_proximity(const BenchOptions& options, BenchResult& result);
void obbtree_hard_scenes(const BenchOptions& options, BenchResult& result);
void obbtree_sampling(const BenchOptions& options, BenchResult& result);
void obbtree_fits(const BenchOptions& options, BenchResult& result);
void obbtree_degenerate(const BenchOptions& options, BenchResult& result);

}  // namespace glovebox::vr
