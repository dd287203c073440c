#include "vr/export/diagnosis_json.h"

#include <sstream>

namespace glovebox::vr {

using nlohmann::ordered_json;
using recordings::HandDiagnosis;

namespace {

ordered_json hand_json(const HandDiagnosis& hand) {
    ordered_json json = {{"samples", hand.active},
                         {"length_m", hand.length_m},
                         {"bone_spread", hand.bone_spread},
                         {"bend_says", hand.bend_side ? ordered_json(name_of(*hand.bend_side)) : ordered_json(nullptr)},
                         {"bend_agreement", hand.bend_agreement},
                         {"repeats", hand.repeats},
                         {"longest_repeat", hand.longest_repeat},
                         {"quaternion_flips", hand.quaternion_flips},
                         {"oriented", hand.oriented},
                         {"fingers_move", hand.fingers_move}};
    json["missing"] = ordered_json::object();
    json["placed"] = ordered_json::array();
    for (std::size_t joint = 0; joint < tracking::kJointCount; ++joint) {
        const std::string name(name_of(static_cast<tracking::Joint>(joint)));
        if (hand.missing[joint] > 0) json["missing"][name] = hand.missing[joint];
        if (hand.placed[joint]) json["placed"].push_back(name);
    }
    json["quarantine"] = ordered_json::object();
    for (std::size_t cause = 0; cause < hand.quarantine.size(); ++cause)
        json["quarantine"][std::string(name_of(static_cast<tracking::Quarantine>(cause)))] = hand.quarantine[cause];
    return json;
}

// The contents of doctor_text() after its heading.
ordered_json findings_json(const std::string& text) {
    ordered_json findings = ordered_json::array();
    std::istringstream lines(text);
    bool begun = false;
    for (std::string line; std::getline(lines, line);) {
        if (begun && line.find_first_not_of(' ') != std::string::npos)
            findings.push_back(line.substr(line.find_first_not_of(' ')));
        begun = begun || line == "findings";
    }
    return findings;
}

}  // namespace

ordered_json diagnosis_json(const recordings::Recording& recording, const recordings::Diagnosis& d, bool findings) {
    ordered_json json;
    json["recording"] = {{"path", recording.path},
                         {"format", recording.format},
                         {"unit_m", recording.unit_m},
                         {"frames", d.samples},
                         {"duration_s", d.duration_s},
                         {"rate_hz", d.median_rate_hz},
                         {"mean_rate_hz", d.mean_rate_hz},
                         {"shortest_step_s", d.shortest_step_s},
                         {"longest_gap_s", d.longest_step_s},
                         {"longest_gap_at_s", d.longest_step_at_s},
                         {"notes", recording.notes}};
    if (recording.side_confidence) json["recording"]["side_confidence"] = *recording.side_confidence;
    json["hands"] = ordered_json::object();
    for (const tracking::Side side : tracking::kSides)
        if (d.hands[side].active > 0) json["hands"][std::string(name_of(side))] = hand_json(d.hands[side]);
    json["gaps"] = ordered_json::array();
    for (const auto& [from_s, to_s] : d.gaps) json["gaps"].push_back({{"begin_s", from_s}, {"end_s", to_s}});
    json["clock"] = {
        {"equal_stamps", d.equal_stamps}, {"backward_steps", d.backward_steps}, {"farthest_back_s", d.farthest_back_s}};
    if (findings) json["findings"] = findings_json(recordings::doctor_text(recording, d));
    return json;
}

}  // namespace glovebox::vr
