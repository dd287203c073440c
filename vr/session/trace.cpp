#include "vr/session/trace.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "vr/session/session.h"

namespace glovebox::vr {

using scenes::Stage;

Trace::Trace(const std::filesystem::path& path) : out_(path) {
    out_.write(
        "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"glovebox\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"frame\"}}");
}

void Trace::frame(const Session& session) {
    add(session.pipeline);
    if (session.haptics) add(session.haptics->ledger());
}

void Trace::add(const Pipeline& pipeline) {
    std::array<char, 192> line{};
    at_us_ = std::max(at_us_, 1e-3 * static_cast<double>(pipeline.world.time_ns));
    const auto slice = [&](Stage stage, double start_us) {
        const double duration_us = 1e-3 * static_cast<double>(pipeline.last_ns[static_cast<std::size_t>(stage)]);
        const int length = std::snprintf(
            line.data(), line.size(), ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"%s\",\"ts\":%.3f,\"dur\":%.3f}",
            stage == Stage::total ? "frame" : std::string(scenes::name_of(stage)).c_str(), start_us, duration_us);
        out_.write({line.data(), static_cast<std::size_t>(length)});
        return start_us + duration_us;
    };
    shown_[shown_count_++ % shown_.size()] = {pipeline.stamps.arrival_ns, at_us_};
    const double end_us = slice(Stage::total, at_us_);
    double stage_us = at_us_;
    for (const Stage stage : {Stage::ingest, Stage::refit, Stage::test, Stage::exact, Stage::step})
        stage_us = slice(stage, stage_us);
    at_us_ = end_us;
}

void Trace::add(const DeadlineLedger& ledger) {
    std::array<char, 256> line{};
    const auto us = [](std::int64_t ns) { return 1e-3 * static_cast<double>(ns); };
    const int length =
        std::snprintf(line.data(), line.size(),
                      ",\n{\"ph\":\"C\",\"pid\":1,\"name\":\"haptics\",\"ts\":%.3f,\"args\":{\"tick_us\":%.3f,"
                      "\"response_us\":%.3f,\"age_us\":%.3f}}",
                      at_us_, us(ledger.last_tick_ns), us(ledger.last_response_ns), us(ledger.last_age_ns));
    out_.write({line.data(), static_cast<std::size_t>(length)});
    const std::uint64_t oldest = ledger.chain_count - std::min<std::uint64_t>(ledger.chain_count, ledger.kChainsKept);
    for (last_chain_ = std::max(last_chain_, oldest); last_chain_ < ledger.chain_count;)
        add_chain(ledger.chain(++last_chain_));
}

void Trace::add_chain(const ChainEntry& chain) {
    const auto frame = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& each) {
        return each.arrival_ns == chain.stamps.arrival_ns && each.arrival_ns != 0;
    });
    if (frame == shown_.end()) return;
    const std::array stations_ns = {chain.stamps.sample_ns, chain.stamps.arrival_ns, chain.stamps.refit_ns,
                                    chain.stamps.test_ns,   chain.stamps.exact_ns,   chain.command_ns};
    std::array<char, 192> line{};
    const auto mark = [&](char phase, std::string_view name, std::int64_t at_ns) {
        const double at_us = frame->at_us + 1e-3 * static_cast<double>(at_ns - chain.stamps.arrival_ns);
        const int length =
            std::snprintf(line.data(), line.size(),
                          ",\n{\"ph\":\"%c\",\"pid\":1,\"cat\":\"command\",\"id\":%llu,\"name\":\"%.*s\",\"ts\":%.3f}",
                          phase, static_cast<unsigned long long>(chain.number), static_cast<int>(name.size()),
                          name.data(), std::max(0.0, at_us));
        out_.write({line.data(), static_cast<std::size_t>(length)});
    };
    mark('b', "sample to command", stations_ns.front());
    for (int i = 0; i < kLinkCount; ++i) {
        const auto link = static_cast<std::size_t>(i);
        mark('b', name_of(static_cast<Link>(i)), stations_ns[link]);
        mark('e', name_of(static_cast<Link>(i)), stations_ns[link + 1]);
    }
    mark('e', "sample to command", stations_ns.back());
}

void Trace::finish(const Session& session, nlohmann::ordered_json&) {
    if (session.haptics) add(session.haptics->ledger());
    out_.write("\n]}\n");
    out_.commit();
}

}  // namespace glovebox::vr
