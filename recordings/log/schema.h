// Schema of a .glove log, its version, and the encoding of hands. docs/reference/log.md documents it for users.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"
#include "tracking/hand_shape.h"

namespace glovebox::recordings {

/// "GLOV": SQLite's application id in the file's header, which distinguishes our logs from other SQLite files.
inline constexpr std::int64_t kLogApplicationId = 0x474C4F56;
/// Version of a log without an application.
inline constexpr std::int64_t kLogVersion = 2;
/// Version of a log with kApplicationSchema. Other logs stay at kLogVersion, so that older programs can read them.
inline constexpr std::int64_t kApplicationLogVersion = 3;
/// Version of an application's log with kVelocitySchema, which a writer adds with the first velocity.
inline constexpr std::int64_t kVelocityLogVersion = 4;

/// All tables and indexes. Times are nanoseconds on the common clock since the first sample. Version 1, which is still
/// read, has no table `haptic` and no vibrations in `force`.
inline constexpr std::string_view kLogSchema = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE profile(hand TEXT, joint INTEGER, radius_m REAL, length_to_parent_m REAL, PRIMARY KEY(hand, joint)) WITHOUT ROWID;
CREATE TABLE calibration(hand TEXT, sensor INTEGER, gain_rad REAL, bias_rad REAL, PRIMARY KEY(hand, sensor)) WITHOUT ROWID;
CREATE TABLE sample(id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL);
CREATE INDEX sample_by_time ON sample(time_ns);
CREATE TABLE hand_sample(sample INTEGER NOT NULL, hand TEXT NOT NULL, source TEXT NOT NULL, device_ns INTEGER NOT NULL,
  arrival_ns INTEGER NOT NULL, wrist_x REAL, wrist_y REAL, wrist_z REAL, joints BLOB NOT NULL, crc INTEGER NOT NULL,
  PRIMARY KEY(sample, hand)) WITHOUT ROWID;
CREATE TABLE glove_word(time_ns INTEGER NOT NULL, hand TEXT NOT NULL, words BLOB NOT NULL);
CREATE TABLE frame(sample INTEGER PRIMARY KEY, state_hash INTEGER NOT NULL, ingest_us REAL, refit_us REAL, test_us REAL,
  exact_us REAL, step_us REAL, haptics_us REAL, total_us REAL);
CREATE TABLE contact(sample INTEGER NOT NULL, hand TEXT NOT NULL, bone INTEGER NOT NULL, object INTEGER NOT NULL,
  distance_m REAL, x REAL, y REAL, z REAL, nx REAL, ny REAL, nz REAL);
CREATE INDEX contact_by_sample ON contact(sample);
CREATE TABLE event(time_ns INTEGER NOT NULL, kind TEXT NOT NULL, hand TEXT, finger INTEGER, object INTEGER, detail TEXT);
CREATE TABLE force(time_ns INTEGER NOT NULL, hand TEXT NOT NULL, thumb REAL, "index" REAL, middle REAL, ring REAL, little REAL,
  thumb_vibration REAL, index_vibration REAL, middle_vibration REAL, ring_vibration REAL, little_vibration REAL,
  palm REAL, palm_vibration REAL);
CREATE TABLE haptic(time_ns INTEGER NOT NULL, hand TEXT NOT NULL, output TEXT NOT NULL, vibration REAL,
  thumb REAL, "index" REAL, middle REAL, ring REAL, little REAL);
CREATE TABLE annotation(time_ns INTEGER NOT NULL, text TEXT NOT NULL);
)";

/// Tables of an OpenXR application: the poses and actions that it received besides hands, and its frames
/// (application_log.h). `display_ns` and `time_ns` are the times for which the application requested data, on the clock
/// of the samples. `waited_ns`, `begun_ns` and `ended_ns` are times of arrival.
inline constexpr std::string_view kApplicationSchema = R"(
CREATE TABLE app_frame(number INTEGER PRIMARY KEY, display_ns INTEGER NOT NULL, period_ns INTEGER NOT NULL,
  waited_ns INTEGER NOT NULL, begun_ns INTEGER NOT NULL, ended_ns INTEGER NOT NULL, missed INTEGER NOT NULL,
  should_render INTEGER NOT NULL, layers INTEGER NOT NULL, pose_hash INTEGER NOT NULL);
CREATE TABLE pose(time_ns INTEGER NOT NULL, what TEXT NOT NULL, number INTEGER NOT NULL, source TEXT NOT NULL,
  flags INTEGER NOT NULL, x REAL, y REAL, z REAL, qx REAL, qy REAL, qz REAL, qw REAL, fov_left REAL, fov_right REAL,
  fov_up REAL, fov_down REAL);
CREATE TABLE action(id INTEGER PRIMARY KEY, action_set TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL);
CREATE TABLE action_state(time_ns INTEGER NOT NULL, action INTEGER NOT NULL, source TEXT NOT NULL,
  active INTEGER NOT NULL, x REAL, y REAL);
CREATE TABLE interaction_profile(time_ns INTEGER NOT NULL, source TEXT NOT NULL, profile TEXT NOT NULL);
ALTER TABLE haptic ADD COLUMN display_ns INTEGER;
ALTER TABLE haptic ADD COLUMN duration_ns INTEGER;
ALTER TABLE haptic ADD COLUMN frequency_hz REAL;
)";
/// Removes the tables and columns of kApplicationSchema from a log in which they have no rows.
inline constexpr std::string_view kDropApplicationSchema = R"(
DROP TABLE app_frame;
DROP TABLE pose;
DROP TABLE action;
DROP TABLE action_state;
DROP TABLE interaction_profile;
ALTER TABLE haptic DROP COLUMN display_ns;
ALTER TABLE haptic DROP COLUMN duration_ns;
ALTER TABLE haptic DROP COLUMN frequency_hz;
)";

/// Table of the velocities that a device reported for a hand (application_log.h), at the time of its sample.
inline constexpr std::string_view kVelocitySchema = R"(
CREATE TABLE hand_velocity(time_ns INTEGER NOT NULL, hand TEXT NOT NULL, velocities BLOB NOT NULL, crc INTEGER NOT NULL);
)";
inline constexpr std::string_view kDropVelocitySchema = "DROP TABLE hand_velocity";

/// Size of hand_sample.joints: 26 times eight little-endian floats (position m, quaternion x y z w, radius m), then the
/// 26 validity bytes.
inline constexpr std::size_t kJointBytes = tracking::kJointCount * (8 * 4 + 1);
using JointBlob = std::array<unsigned char, kJointBytes>;

/// The shape of a user's bones as text, for `meta`: 20 bones of eight numbers (tracking/hand_shape.h), separated by
/// spaces. A shape is the same to the bit after it was written and read. shape_of_text() returns none if the text is
/// not such a list of finite numbers.
std::string text_of(const tracking::HandShape& shape);
std::optional<tracking::HandShape> shape_of_text(std::string_view text);

void pack_joints(const tracking::HandFrame& hand, JointBlob& blob);
/// Returns the CRC-32 of the bytes, with the same value as zlib's crc32(). It is stored because SQLite does not detect
/// a changed blob.
std::uint32_t crc32(std::span<const unsigned char> bytes);
/// Decodes a blob. Returns false if it has another size or undefined validity bits.
bool unpack_joints(std::span<const unsigned char> blob, tracking::HandFrame& hand);

}  // namespace glovebox::recordings
