// Hands as 21 landmarks in MediaPipe's order, shared by the readers of tables, lists and arrays.
//
// MediaPipe has two kinds of landmarks. World landmarks are in metres, relative to the centre of the hand. Image
// landmarks are fractions of the image's width (x and z) and height (y), with z relative to the wrist. In both kinds, x
// points right, y down and z away from the camera, so the reader rotates them by half a turn about x. The size of a
// hand in an image depends on its distance from the camera. Each sample of image landmarks is therefore scaled about
// the image centre to the length of the user's hand. Size and lateral position of the hand are then right; its distance
// from the camera is not known.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recordings/assembly.h"

namespace glovebox::recordings {

inline constexpr std::size_t kLandmarks = 21;
inline constexpr double kDefaultFrame_ns = 1e9 / 30.0;  ///< frame time of files without times
tracking::Joint joint_of_landmark(std::size_t landmark);

/// Returns the index of the landmark with this name, such as "wrist", "thumb_cmc", "index_finger_tip" or "pinky_mcp".
/// Names are in lower case, with '_' between words.
std::optional<std::size_t> landmark_of_name(std::string_view name);

/// Returns the side that a word names, such as "Left", "right hand", "L" or "Hand::Left". Numbers name no side.
std::optional<tracking::Side> side_of_word(std::string_view word);

/// Returns true if seven numbers of a pose are a quaternion and then a position, not the other way round.
bool has_quaternion_first(const std::array<float, 7>& pose);

struct LandmarkHand {
    std::array<Eigen::Vector3f, kLandmarks> points;  ///< as in the file
    std::bitset<kLandmarks> seen;
    std::optional<tracking::Side> side;  ///< the side in the file, if any
    std::int64_t row = 0;                ///< in which it begins
    int number = 0;                      ///< without a side: index of the hand among those at the same time
};

struct LandmarkTraits {
    bool side_known = false;
    bool left_first = false;  ///< without sides: the first of two hands is usually the left one
    bool is_image = false;
    bool is_from_wrist = false;     ///< image landmarks relative to the wrist
    double height_of_width = 0.75;  ///< height of the image divided by its width; webcams usually have 4:3
    bool size_given = false;        ///< height_of_width comes from the file
    float hand_length_m = 0.185F;   ///< wrist to middle fingertip, for image landmarks
};

/// Returns the length from wrist to middle fingertip of the user's hand, or a usual length if that is not known.
float hand_length_of(const ImportOptions& options);

/// Finds out whether these are image landmarks. Image landmarks have no depth at the wrist and lie within the image or
/// near it. Or they are relative to the wrist; then the palm's size varies with the distance from the camera. A hand
/// with missing landmarks is not used.
void find_image_landmarks(const std::vector<LandmarkHand>& hands, LandmarkTraits& traits);

/// Throws ImportError if x and y of this hand are pixels and z is not: MediaPipe's z is a share of the picture's width,
/// which is not known, and other programs write a confidence.
void refuse_pixels_without_depth(const Input& in, const LandmarkHand& hand);

/// Throws ImportError if x and y of these hands are shares of a picture and z is a confidence: then z is positive and
/// the palm's size varies.
void refuse_confidences(const Input& in, const std::vector<LandmarkHand>& hands);

/// Calls Assembly::describe() with the properties of the samples. Call this function before the first add_landmarks().
void describe_landmarks(const LandmarkTraits& traits, Assembly& out);
/// Adds a hand. Hands with the same time are combined into one sample. After the last hand, call Assembly::push_held().
void add_landmarks(const LandmarkTraits& traits, std::int64_t time_ns, const LandmarkHand& hand, Assembly& out);

/// Guesses the unit of time stamps and returns its length in nanoseconds. It is the unit in which a step is from 0.9 ms
/// to 0.9 s, or seconds for those since 1970. Returns nullopt if the steps do not determine it.
std::optional<double> guess_time_unit_ns(const std::vector<double>& stamps);
/// Notes a guessed unit of time stamps.
void note_time_unit(double unit_ns, Assembly& out);

}  // namespace glovebox::recordings
