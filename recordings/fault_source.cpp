#include "recordings/fault_source.h"

namespace glovebox::recordings {

FaultSource::FaultSource(std::unique_ptr<tracking::HandSource> source, std::span<const Fault> faults,
                         std::function<void(const tracking::HandPair&)> undisturbed)
    : source_(std::move(source)), stream_(faults), undisturbed_(std::move(undisturbed)) {}

bool FaultSource::next(std::int64_t now_ns, tracking::SourceFrame& out) {
    while (source_->next(now_ns, out)) {
        undisturbed_(out.raw);
        if (!stream_.pass(out.raw)) continue;
        // The same expression as in a replay of the remaining samples, so that the result is bit-identical.
        const auto seconds = [](std::int64_t time_ns) { return 1e-9 * static_cast<double>(time_ns); };
        out.dt_s = number_ == 0 ? 0.0 : seconds(out.raw.time_ns) - seconds(last_ns_);
        out.number = number_++;
        last_ns_ = out.raw.time_ns;
        return true;
    }
    return false;
}

}  // namespace glovebox::recordings
