// Runs a loop over a range in equal pieces on a few short-lived threads. Use it while loading, but never inside a
// frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace glovebox::vr {

/// Calls work(begin, end) for consecutive pieces of [0, count). No piece may access the results of another. Returns
/// when all pieces are done.
template <typename Work>
void parallel_for(std::size_t count, int threads, const Work& work) {
    const auto pieces = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(1, threads)));
    if (pieces <= 1) {
        work(std::size_t{0}, count);
        return;
    }
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < pieces; ++i)
        workers.emplace_back([&work, count, pieces, i] { work(count * i / pieces, count * (i + 1) / pieces); });
}

}  // namespace glovebox::vr
