// Writers for the layout of Monado's recorder: fingers relative to the wrist in one file, the wrist in space in
// another. A file has one hand, the first that is present. A sample in which that hand is incomplete has no row,
// because the layout cannot mark missing data.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "recordings/parse.h"
#include "recordings/writer.h"

namespace glovebox::recordings {
namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

std::string header(int poses) {
    std::string text = "#timestamp [ns]";
    for (int i = 0; i < poses; ++i)
        text += ",p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z []";
    return text + "\n";
}

bool is_whole(const HandFrame& hand) {
    return hand.active && std::all_of(hand.joints.begin(), hand.joints.end(), [](const tracking::JointPose& joint) {
               return joint.position_valid() && joint.orientation_valid() && joint.position_m.allFinite() &&
                      std::abs(joint.orientation.norm() - 1.0F) < 0.01F;
           });
}

void append(const Eigen::Vector3d& p, const Quaterniond& q, std::string& row) {
    for (const double value : {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()}) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<float>(value)).ptr;
        row.append(",").append(digits.data(), end);
    }
}

Side the_other(Side side) {
    return side == Side::left ? Side::right : Side::left;
}

/// `append_poses(hand, row)` appends the columns after the time stamp.
template <class AppendPoses>
SampleWriter one_hand_writer(Output& out, int poses, AppendPoses append_poses) {
    out.write(header(poses));
    struct State {
        std::optional<Side> side;
        std::int64_t others = 0;  // hands that are not written
        std::int64_t incomplete = 0;
        std::optional<tracking::JointPose> first_wrist;
        bool wrist_moves = false;
        std::string row;
    };
    const auto state = std::make_shared<State>();
    const auto write = [&out, state, append_poses](const tracking::HandPair& sample) {
        for (const Side side : {Side::left, Side::right})
            if (!state->side && sample[side].active) state->side = side;
        if (!state->side) return;
        state->others += sample[the_other(*state->side)].active ? 1 : 0;
        if (!is_whole(sample[*state->side])) {
            state->incomplete += sample[*state->side].active ? 1 : 0;
            return;
        }
        const tracking::JointPose& wrist = sample[*state->side][Joint::wrist];
        if (!state->first_wrist) state->first_wrist = wrist;
        state->wrist_moves = state->wrist_moves || wrist.position_m != state->first_wrist->position_m ||
                             wrist.orientation.coeffs() != state->first_wrist->orientation.coeffs();
        state->row = std::to_string(sample.time_ns);
        append_poses(sample[*state->side], state->row);
        out.write(state->row += "\n");
    };
    const auto missing = [state, poses] {
        std::string lines;
        const auto add = [&lines](const std::string& line) { lines += (lines.empty() ? "" : "\n") + line; };
        if (state->others > 0) {
            const std::string left_out(name_of(the_other(*state->side)));
            add("the " + std::string(name_of(*state->side)) + " hand is written, for the format holds one; the " +
                left_out + " hand of " + std::to_string(state->others) + " samples is left out (--hand " + left_out +
                " writes that one)");
        }
        if (state->incomplete > 0)
            add(counted(state->incomplete, "sample", "that lacks joints is", "that lack joints are") + " left out");
        if (poses > 1 && state->wrist_moves)
            add("the motion of the wrist is left out, for the format is relative to the wrist (--as openxr-wrist-csv "
                "writes it)");
        return lines;
    };
    return {write, missing};
}

}  // namespace

SampleWriter openxr_csv_writer(Output& out) {
    return one_hand_writer(out, tracking::kJointCount, [](const HandFrame& hand, std::string& row) {
        const Quaterniond wrist = hand[Joint::wrist].orientation.cast<double>().normalized();
        const Eigen::Vector3d origin_m = hand[Joint::wrist].position_m.cast<double>();
        for (const tracking::JointPose& joint : hand.joints)
            append(wrist.conjugate() * (joint.position_m.cast<double>() - origin_m),
                   wrist.conjugate() * joint.orientation.cast<double>(), row);
    });
}

SampleWriter openxr_wrist_csv_writer(Output& out) {
    return one_hand_writer(out, 1, [](const HandFrame& hand, std::string& row) {
        const tracking::JointPose& wrist = hand[Joint::wrist];
        append(wrist.position_m.cast<double>(), wrist.orientation.cast<double>(), row);
    });
}

}  // namespace glovebox::recordings
