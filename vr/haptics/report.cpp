#include "vr/haptics/report.h"

#include <algorithm>

#include "recordings/parse.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxLogEntries = 200;  // newest entries of each hand; the counts include all

ordered_json late_json(const std::array<std::uint64_t, kDeadlines.size()>& late) {
    ordered_json json = ordered_json::object();
    for (std::size_t i = 0; i < kDeadlines.size(); ++i) json["over " + std::string(kDeadlines[i].name)] = late[i];
    return json;
}

void add_log(const Governor& governor, std::string_view side, ordered_json& log) {
    const std::size_t size = governor.log_size();
    for (std::size_t i = size - std::min(size, kMaxLogEntries); i < size; ++i) {
        const InterventionEntry& entry = governor.log_entry(i);
        log.push_back(
            {{"begin_s", 1e-9 * static_cast<double>(entry.begin_ns)},
             {"end_s", 1e-9 * static_cast<double>(entry.end_ns)},
             {"cause", name_of(entry.cause)},
             {"hand", side},
             {"part", entry.part < 0 ? "hand" : tracking::kHandPartNames[static_cast<std::size_t>(entry.part)]},
             {"count", entry.count},
             {"asked", entry.requested},
             {"given", entry.given}});
    }
}

}  // namespace

// A stop of half a second is one slow tick and five hundred skipped ones.
ordered_json ticks_json(const DeadlineLedger& ledger) {
    ordered_json json = histogram_json(ledger.tick);
    json["skipped"] = ledger.skipped_ticks;
    return json;
}

ordered_json haptics_json(const HapticSession& session) {
    const DeadlineLedger& ledger = session.ledger();
    ordered_json json = {{"output", session.output()},
                         {"mode", session.mode() == HapticMode::threaded ? "threaded" : "simulated"},
                         {"scheduling", session.scheduling()},
                         {"ticks", ledger.tick.count()},
                         {"skipped_ticks", ledger.skipped_ticks},
                         {"samples_between_frames", session.refreshed()},
                         {"own_misses", ledger.own_misses},
                         {"commands", ledger.commands},
                         {"stops", ledger.stops},
                         {"not_finite", ledger.not_finite}};
    json["tick_us"] = ticks_json(ledger);
    json["work_us"] = histogram_json(ledger.work);
    json["lateness_us"] = histogram_json(ledger.lateness);
    json["command_call_us"] = histogram_json(ledger.call);
    for (int i = 0; i < kLinkCount; ++i)
        json["chain_us"][std::string(name_of(static_cast<Link>(i)))] =
            histogram_json(ledger.links[static_cast<std::size_t>(i)]);
    json["response_us"] = histogram_json(ledger.response);
    json["age_us"] = histogram_json(ledger.age);
    json["late_ticks"] = late_json(ledger.late_ticks);
    json["late_responses"] = late_json(ledger.late_responses);
    json["log"] = ordered_json::array();
    for (int i = 0; i < kInterventionCount; ++i) {
        const auto cause = static_cast<std::size_t>(i);
        json["interventions"][std::string(name_of(static_cast<Intervention>(i)))] =
            session.governors()[0].counts()[cause] + session.governors()[1].counts()[cause];
    }
    add_log(session.governors()[0], "left", json["log"]);
    add_log(session.governors()[1], "right", json["log"]);
    return json;
}

std::string haptics_text(const ordered_json& haptics) {
    if (haptics["ticks"] == 0) return {};
    const auto counted = [&haptics](const char* key, const char* thing) {
        return recordings::counted(haptics[key].get<std::uint64_t>(), thing);
    };
    std::string text = "haptics " + haptics["mode"].get<std::string>() + ", " +
                       haptics["scheduling"].get<std::string>() + ": " + counted("ticks", "tick") + ", " +
                       haptics["skipped_ticks"].dump() + " skipped, " + counted("commands", "command") + ", " +
                       counted("stops", "stop") + "\n  ticks";
    for (const auto& [name, count] : haptics["late_ticks"].items()) text += "  " + name + " " + count.dump();
    text += "\n  responses";
    for (const auto& [name, count] : haptics["late_responses"].items()) text += "  " + name + " " + count.dump();
    text += "\n  interventions";
    for (const auto& [name, count] : haptics["interventions"].items()) text += "  " + name + " " + count.dump();
    return text + "\n";
}

}  // namespace glovebox::vr
