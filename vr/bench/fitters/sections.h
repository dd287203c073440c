// Sections of `glovebox bench fitters`, one file each.
#pragma once

#include "vr/bench/bench.h"

namespace glovebox::vr {

void fitters_tables(const BenchOptions& options, BenchResult& result);
void fitters_fitness(const BenchOptions& options, BenchResult& result);
void fitters_threads(const BenchOptions& options, BenchResult& result);
void fitters_deformation(const BenchOptions& options, BenchResult& result);
void fitters_files(const BenchOptions& options, BenchResult& result);

}  // namespace glovebox::vr
