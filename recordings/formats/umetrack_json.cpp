// HOT3D (umetrack_hand_pose_trajectory.jsonl), one line per time: {"timestamp_ns", "hand_poses": {"0" (left) | "1"
// (right): {"wrist_xform": {"t_xyz", "q_wxyz"}, "joint_angles": [22], "hand_confidence"}}}, in metres and radians. The
// wearer's bones are in umetrack_hand_user_profile.json beside it (umetrack_model.h).
#include "recordings/formats/umetrack_json.h"

#include "recordings/formats/umetrack_model.h"

namespace glovebox::recordings {

using tracking::Joint;
using tracking::Side;

bool is_umetrack_json(std::string_view head, std::uintmax_t) {
    const std::string_view line = head.substr(0, head.find('\n'));
    return line.starts_with('{') && line.find("\"hand_poses\"") != std::string_view::npos &&
           line.find("\"betas\"") == std::string_view::npos &&
           (line.find("\"joint_angles\"") != std::string_view::npos ||
            line.find("\"hand_poses\": {}") != std::string_view::npos);
}

void read_umetrack_json(Input& in, const ImportOptions&, Assembly& out) {
    const std::filesystem::path profile = in.path().parent_path() / "umetrack_hand_user_profile.json";
    if (!std::filesystem::is_regular_file(profile))
        in.fail(
            "these are angles of HOT3D's UmeTrack hand; its bones are in umetrack_hand_user_profile.json of the same "
            "take, which has to stand beside it");
    const UmeTrackModel model = read_umetrack_model(profile);
    SourceTraits traits;
    traits.lacking = tracking::joint_set(
        {Joint::index_metacarpal, Joint::middle_metacarpal, Joint::ring_metacarpal, Joint::little_metacarpal});
    out.describe(traits);
    out.note(
        "Joints follow from the wearer's own bones, in umetrack_hand_user_profile.json; fingertips lie on the skin.");
    read_umetrack_poses(in, [&](std::int64_t time_ns, const UmeTrackHands& hands) {
        tracking::HandPair sample;
        sample.time_ns = time_ns;
        for (const Side side : tracking::kSides)
            if (hands[side]) pose_umetrack(model, *hands[side], side, sample[side]);
        out.push(sample);
    });
}

}  // namespace glovebox::recordings
