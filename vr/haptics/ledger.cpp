#include "vr/haptics/ledger.h"

namespace glovebox::vr {
namespace {

constexpr std::array<std::string_view, kLinkCount> kLinkNames = {"arrival", "refit", "test", "exact", "command"};

void count_late(std::int64_t duration_ns, std::array<std::uint64_t, kDeadlines.size()>& late) {
    for (std::size_t i = 0; i < kDeadlines.size(); ++i)
        if (duration_ns > kDeadlines[i].limit_ns) ++late[i];
}

}  // namespace

std::string_view name_of(Link link) {
    return kLinkNames[static_cast<std::size_t>(link)];
}

void DeadlineLedger::add_tick(std::int64_t due_ns, std::int64_t start_ns, std::int64_t done_ns) {
    tick.add(done_ns - due_ns);
    work.add(done_ns - start_ns);
    lateness.add(start_ns - due_ns);
    count_late(done_ns - due_ns, late_ticks);
    last_tick_ns = done_ns - due_ns;
}

void DeadlineLedger::add_chain(const scenes::FrameStamps& stamps, std::int64_t command_ns) {
    const std::array stations = {stamps.sample_ns, stamps.arrival_ns, stamps.refit_ns,
                                 stamps.test_ns,   stamps.exact_ns,   command_ns};
    for (std::size_t i = 0; i < links.size(); ++i) links[i].add(stations[i + 1] - stations[i]);
    response.add(command_ns - stamps.arrival_ns);
    count_late(command_ns - stamps.arrival_ns, late_responses);
    last_response_ns = command_ns - stamps.arrival_ns;
    ++chain_count;
    chains[chain_count % kChainsKept] = {chain_count, stamps, command_ns};
}

void DeadlineLedger::add_arrival(const scenes::FrameStamps& stamps, std::int64_t command_ns) {
    age.add(command_ns - stamps.sample_ns);
    last_age_ns = command_ns - stamps.sample_ns;
}

}  // namespace glovebox::vr
