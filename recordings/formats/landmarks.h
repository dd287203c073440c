// Hands as 21 landmarks in MediaPipe's order, whatever table, list or array they stand in.
//
// MediaPipe has two kinds: world landmarks are metres about the hand's middle; image landmarks are shares of the
// picture's width (x, z) and height (y), and z counts from the wrist. In both x points right, y down and z away from
// the camera: turned by half a turn about x. A hand in a picture is the larger the nearer it is, so each sample of
// image landmarks is scaled to the length of the user's hand about the middle of the picture: right in size and aside,
// and without a distance from the camera.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <string_view>

#include "recordings/assembly.h"

namespace glovebox::recordings {

inline constexpr std::size_t kLandmarks = 21;
tracking::Joint joint_of_landmark(std::size_t landmark);

/// Of "wrist", "thumb_cmc", "index_finger_tip", "pinky_mcp"; words in small letters, parted by '_'.
std::optional<std::size_t> landmark_of_name(std::string_view name);

/// "Left", "right hand", "L": the side that a word says, not a number.
std::optional<tracking::Side> side_of_word(std::string_view word);

struct LandmarkHand {
    std::array<Eigen::Vector3f, kLandmarks> points;  ///< as in the file
    std::bitset<kLandmarks> seen;
    std::optional<tracking::Side> side;  ///< as the file says
    int number = 0;                      ///< where it does not: which of the hands of its instant
};

struct LandmarkTraits {
    bool side_known = false;
    bool is_image = false;
    double height_of_width = 0.75;  ///< of the picture; webcams have 4:3 unless told otherwise
    bool size_given = false;        ///< height_of_width is in the file
    float hand_length_m = 0.185F;   ///< wrist to middle fingertip, for image landmarks
};

/// Wrist to middle fingertip of the user's hand, or of a usual one.
float hand_length_of(const ImportOptions& options);

/// Are these image landmarks? Their wrist has no depth, and they lie within the picture.
bool is_image_hand(const LandmarkHand& hand);

/// To be called before the first add().
void describe_landmarks(const LandmarkTraits& traits, Assembly& out);
/// Hands of one instant become one sample. The last one is pushed by Assembly::push_held().
void add_landmarks(const LandmarkTraits& traits, std::int64_t time_ns, const LandmarkHand& hand, Assembly& out);

/// Nanoseconds of one unit of time stamps that follow each other like this: the unit in which a step is from 0.9 ms to
/// 0.9 s. Nothing if no step says anything.
std::optional<double> guess_time_unit_ns(const std::vector<double>& stamps);

}  // namespace glovebox::recordings
