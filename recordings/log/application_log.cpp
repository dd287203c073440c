#include "recordings/log/application_log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "recordings/log/database.h"
#include "recordings/log/log_reader.h"
#include "recordings/log/schema.h"

namespace glovebox::recordings {
namespace {

template <std::size_t kCount>
std::optional<std::size_t> place_in(const std::array<std::string_view, kCount>& names, std::string_view name) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) return std::nullopt;
    return static_cast<std::size_t>(at - names.begin());
}

std::optional<ActionSource> action_source_of_name(std::string_view name) {
    const auto at = place_in(kActionSourceNames, name);
    return at ? std::optional(static_cast<ActionSource>(*at)) : std::nullopt;
}

// Returns true if the values are a pose; otherwise the record is kept and marked invalid.
bool is_pose(const AppPose& pose) {
    return pose.position_m.allFinite() && std::abs(pose.orientation.squaredNorm() - 1.0F) < 1e-2F;
}

std::optional<AppPose> pose_of(const Statement& row) {
    const auto of = place_in(kPoseOfNames, row.text(1));
    const auto source = action_source_of_name(row.text(3));
    if (!of || !source) return std::nullopt;
    AppPose pose;
    pose.time_ns = row.integer(0);
    pose.of = static_cast<PoseOf>(*of);
    pose.number = static_cast<std::int32_t>(row.integer(2));
    pose.source = *source;
    pose.flags = static_cast<std::uint8_t>(row.integer(4) & pose_flags::kAll);
    for (int axis = 0; axis < 3; ++axis) pose.position_m[axis] = static_cast<float>(row.real(5 + axis));
    for (int i = 0; i < 4; ++i) pose.orientation.coeffs()[i] = static_cast<float>(row.real(8 + i));
    for (std::size_t i = 0; i < pose.fov_rad.size(); ++i)
        pose.fov_rad[i] = static_cast<float>(row.real(12 + static_cast<int>(i)));
    if (pose.is_valid() && !is_pose(pose)) pose.flags = 0;
    return pose;
}

AppFrame frame_of(const Statement& row) {
    AppFrame frame;
    frame.number = row.integer(0);
    frame.display_ns = row.integer(1);
    frame.period_ns = row.integer(2);
    frame.waited_ns = row.integer(3);
    frame.begun_ns = row.integer(4);
    frame.ended_ns = row.integer(5);
    frame.missed = static_cast<std::int32_t>(row.integer(6));
    frame.should_render = row.integer(7) != 0;
    frame.layers = static_cast<std::int32_t>(row.integer(8));
    frame.pose_hash = static_cast<std::uint64_t>(row.integer(9));
    return frame;
}

// Rows whose bytes do not match their checksum are left out.
void read_velocities(const Database& database, ApplicationLog& log) {
    Statement rows(database, "SELECT time_ns, hand, velocities, crc FROM hand_velocity ORDER BY rowid");
    while (rows.step()) {
        HandVelocity hand;
        const std::string_view side = rows.text(1);
        if (side != "left" && side != "right") continue;
        hand.time_ns = rows.integer(0);
        hand.side = side == "left" ? tracking::Side::left : tracking::Side::right;
        const auto blob = rows.bytes(2);
        if (crc32(blob) == rows.integer(3) && unpack_velocity(blob, hand)) log.velocities.push_back(hand);
    }
    std::ranges::stable_sort(log.velocities, {}, &HandVelocity::time_ns);
}

void read_tables(const Database& database, ApplicationLog& log) {
    Statement frames(
        database,
        "SELECT number, display_ns, period_ns, waited_ns, begun_ns, ended_ns, missed, should_render, layers, "
        "pose_hash FROM app_frame ORDER BY number");
    while (frames.step()) log.frames.push_back(frame_of(frames));
    Statement poses(database, "SELECT * FROM pose ORDER BY rowid");
    while (poses.step())
        if (const auto pose = pose_of(poses)) log.poses.push_back(*pose);
    Statement actions(database, "SELECT id, action_set, name, type FROM action ORDER BY id");
    while (actions.step())
        log.actions.push_back({static_cast<std::int32_t>(actions.integer(0)), std::string(actions.text(1)),
                               std::string(actions.text(2)), std::string(actions.text(3))});
    Statement states(database, "SELECT time_ns, action, source, active, x, y FROM action_state ORDER BY rowid");
    while (states.step())
        if (const auto source = action_source_of_name(states.text(2)))
            log.states.push_back({states.integer(0), static_cast<std::int32_t>(states.integer(1)), *source,
                                  states.integer(3) != 0, static_cast<float>(states.real(4)),
                                  static_cast<float>(states.real(5))});
    Statement profiles(database, "SELECT time_ns, source, profile FROM interaction_profile ORDER BY rowid");
    while (profiles.step())
        if (const auto source = action_source_of_name(profiles.text(1)))
            log.profiles.push_back({profiles.integer(0), *source, std::string(profiles.text(2))});
    // An edited file may have them in another order.
    std::ranges::stable_sort(log.poses, {}, &AppPose::time_ns);
    std::ranges::stable_sort(log.states, {}, &ActionState::time_ns);
    std::ranges::stable_sort(log.profiles, {}, &InteractionProfile::time_ns);
}

bool is_log(const std::filesystem::path& path) {
    std::string head(100, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return file.good() && is_glove_log(head, 0);
}

}  // namespace

void pack_velocity(const HandVelocity& hand, VelocityBlob& blob) {
    unsigned char* at = blob.data();
    for (const HandVelocity::Joint& joint : hand.joints) {
        std::memcpy(at, joint.linear_m_s.data(), 3 * sizeof(float));
        std::memcpy(at + 3 * sizeof(float), joint.angular_rad_s.data(), 3 * sizeof(float));
        at += 6 * sizeof(float);
    }
    for (const HandVelocity::Joint& joint : hand.joints) *at++ = joint.flags;
}

bool unpack_velocity(std::span<const unsigned char> blob, HandVelocity& hand) {
    if (blob.size() != kVelocityBytes) return false;
    const unsigned char* at = blob.data();
    const unsigned char* flags = at + tracking::kJointCount * 6 * sizeof(float);
    for (HandVelocity::Joint& joint : hand.joints) {
        std::memcpy(joint.linear_m_s.data(), at, 3 * sizeof(float));
        std::memcpy(joint.angular_rad_s.data(), at + 3 * sizeof(float), 3 * sizeof(float));
        at += 6 * sizeof(float);
        joint.flags = *flags++;
        if (joint.flags > (HandVelocity::kLinearValid | HandVelocity::kAngularValid)) return false;
    }
    return true;
}

ApplicationLog read_application_log(const std::filesystem::path& path) {
    ApplicationLog log;
    if (!is_log(path)) return log;
    const LogReader reader(path);
    const auto meta = reader.meta();
    if (const auto name = meta.find("application"); name != meta.end()) log.name = name->second;
    for (const HapticRecord& record : reader.haptics())
        if (std::string_view(record.output.data()) == "application") log.haptics.push_back(record);
    try {
        const Database database(path, OpenMode::read);
        if (is_ordinary_table(database, "app_frame")) read_tables(database, log);
        if (is_ordinary_table(database, "hand_velocity")) read_velocities(database, log);
    } catch (const DatabaseError& error) {
        throw ImportError(path.string() + ": the log is damaged: try `glovebox recover`; " + error.what());
    }
    return log;
}

}  // namespace glovebox::recordings
