#include "vr/session/method_check.h"

#include <algorithm>
#include <cstdio>

#include "recordings/parse.h"
#include "tracking/quoted.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

using recordings::counted;

constexpr int kMaxComplaints = 10;

std::string pairs_text(std::span<const collision::Candidate> pairs, const Session& session) {
    std::string text;
    for (const collision::Candidate& pair : pairs)
        text += (text.empty() ? "" : ", ") + pair_text(session.scene, pair.bone, pair.object);
    return text.empty() ? "none" : text;
}

}  // namespace

void MethodCheck::frame(const Session& session) {
    const collision::RefitMethod& reference = *collision::find_refit_method("brute");
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        const auto expected = touching_pairs(reference, session, side);
        pairs_ += static_cast<std::int64_t>(expected.size());
        for (const collision::RefitMethod& method : collision::refit_methods()) {
            const auto found = touching_pairs(method, session, side);
            const auto same = [](const auto& a, const auto& b) { return a.bone == b.bone && a.object == b.object; };
            if (std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same)) continue;
            if (++disagreements_ <= kMaxComplaints)
                std::fprintf(stderr, "check: frame %d, %s hand: %s finds %s; brute finds %s\n", session.frame(),
                             std::string(tracking::name_of(side)).c_str(), std::string(method.name).c_str(),
                             tracking::printable(pairs_text(found, session)).c_str(),
                             tracking::printable(pairs_text(expected, session)).c_str());
        }
    }
}

void MethodCheck::finish(const Session& session, nlohmann::ordered_json& report) {
    summary_ = "check: " + counted(collision::refit_methods().size(), "method") + ", " +
               counted(session.totals.frames, "frame") + ", " + counted(pairs_, "touching pair") + ": " +
               (passed() ? "all agree" : counted(disagreements_, "disagreement"));
    report["check"] = {{"passed", passed()}, {"summary", summary_}};
}

}  // namespace glovebox::vr
