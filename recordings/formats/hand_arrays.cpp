#include "recordings/formats/hand_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <utility>

#include "recordings/formats/joint_names.h"
#include "recordings/formats/landmarks.h"
#include "recordings/formats/point_order.h"
#include "recordings/parse.h"

namespace glovebox::recordings {

using tracking::HandFrame;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

namespace {

// Returns the value of a number of 16 bits: sign, 5 bits of exponent, 10 of fraction [IEEE 754].
double half_of(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 0x1F, fraction = bits & 0x3FF;
    const double size = exponent == 0      ? std::ldexp(fraction, -24)
                        : exponent == 0x1F ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                           : std::ldexp(fraction + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

}  // namespace

double Array::at(std::size_t i) const {
    const char* from = bytes.data() + i * item_bytes;
    const auto as = [from]<class T>(T value) {
        std::memcpy(&value, from, sizeof value);
        return static_cast<double>(value);
    };
    if (kind == 'f' && item_bytes == 2) return half_of(static_cast<std::uint16_t>(as(std::uint16_t{})));
    if (kind == 'f') return item_bytes == 8 ? as(double{}) : as(float{});
    return static_cast<double>(integer(i));
}

std::int64_t Array::integer(std::size_t i) const {
    if (kind == 'f') {
        const double value = at(i);
        return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : 0;
    }
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data() + i * item_bytes, item_bytes);
    if (kind == 'i' && item_bytes < 8) {
        const int shift = static_cast<int>(64 - 8 * item_bytes);
        value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift) >> shift;
    }
    return value;
}

namespace {

using Shape = std::vector<std::size_t>;

// The layout of hands in an array: frames x hands x points x numbers of a point, or other points between these.
struct ArrayLayout {
    std::size_t frames = 1, hands = 1, points = 0, numbers = 3;
    bool is_matrix = false, by_columns = false;
    bool is_flat = false;             // 63 numbers for each hand
    std::size_t first = 0;            // point of the first hand
    std::size_t frame = 0, hand = 0;  // points from one frame or hand to the next
    std::size_t first_of(std::size_t f, std::size_t h) const { return first + f * frame + h * hand; }
};

// Removes the dimensions of a point from `shape`. Returns false if its last dimensions are not those of a point.
bool take_point_shape(Shape& shape, ArrayLayout& layout) {
    if (shape.size() >= 3 && shape.back() == 4 && shape[shape.size() - 2] == 4) {
        layout.is_matrix = true;
        layout.numbers = 16;
        shape.resize(shape.size() - 2);
        return true;
    }
    // A fourth number of a landmark is its visibility.
    const bool visible = shape.size() >= 2 && shape.back() == 4 && shape[shape.size() - 2] == kLandmarks;
    if (shape.empty() || (shape.back() != 3 && shape.back() != 7 && !visible)) return false;
    layout.numbers = shape.back();
    shape.pop_back();
    return true;
}

// Points of a frame among which are the 21 of each hand.
struct PointsOfFrame {
    std::size_t points, first, hand;
};
// Two hands, and what programs make of MediaPipe's Holistic: as numbers, 33 points of a body with four numbers each,
// 468 or 478 of a face, and the hands; or the body and the hands; as points, face, left hand, body and right hand.
constexpr std::array<PointsOfFrame, 3> kFlatFrames = {{{554, 512, 21}, {564, 522, 21}, {86, 44, 21}}};
constexpr std::array<PointsOfFrame, 3> kPointFrames = {{{42, 0, 21}, {543, 468, 54}, {553, 478, 54}}};

std::optional<ArrayLayout> layout_of_frames(std::span<const PointsOfFrame> known, std::size_t points,
                                            std::size_t frames) {
    for (const PointsOfFrame& whole : known) {
        if (whole.points != points) continue;
        ArrayLayout layout;
        layout.frames = frames;
        layout.hands = 2;
        layout.points = kLandmarks;
        layout.first = whole.first;
        layout.frame = whole.points;
        layout.hand = whole.hand;
        return layout;
    }
    return std::nullopt;
}

std::optional<ArrayLayout> layout_of(char kind, Shape shape) {
    if ((kind != 'f' && kind != 'i') || shape.empty()) return std::nullopt;
    ArrayLayout layout;
    const auto is_points = [](std::size_t n) { return n == 21 || n == 25 || n == 26; };
    if (shape.size() <= 2 && (shape.back() == 63 || shape.back() == 126)) {
        layout.hands = shape.back() / 63;
        layout.points = layout.hand = kLandmarks;
        layout.frame = layout.hands * kLandmarks;
        layout.is_flat = true;
        if (shape.size() == 2) layout.frames = shape[0];
        return layout;
    }
    if (shape.size() <= 2 && shape.back() % 3 == 0)
        if (const auto whole = layout_of_frames(kFlatFrames, shape.back() / 3, shape.size() == 2 ? shape[0] : 1))
            return whole;
    if (!take_point_shape(shape, layout) || shape.empty()) return std::nullopt;
    if (layout.numbers == 3 && shape.size() <= 2)
        if (const auto whole = layout_of_frames(kPointFrames, shape.back(), shape.size() == 2 ? shape[0] : 1))
            return whole;
    if (!is_points(shape.back())) return std::nullopt;
    layout.points = layout.frame = layout.hand = shape.back();
    shape.pop_back();
    if (shape.size() == 2 && shape.back() <= 2) {
        layout.hands = shape.back();
        layout.frame = layout.hands * layout.points;
        shape.pop_back();
    } else if (shape.size() == 2 && shape.front() == 2) {  // all frames of one hand, then those of the other one
        layout.hands = 2;
        layout.hand = shape.back() * layout.points;
        shape.erase(shape.begin());
    }
    if (shape.size() > 1) return std::nullopt;
    if (shape.size() == 1) layout.frames = shape[0];
    return layout;
}

// Returns the layout of an array with one point per frame.
std::optional<ArrayLayout> layout_of_track(char kind, Shape shape) {
    ArrayLayout layout;
    if (kind != 'f' || !take_point_shape(shape, layout)) return std::nullopt;
    if (shape.size() == 2 && shape[1] == 1) shape.pop_back();
    if (shape.size() != 1) return std::nullopt;
    layout.frames = shape[0];
    layout.points = layout.frame = layout.hand = 1;
    return layout;
}

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

// Returns the folder, and the figure in it if the name has one: "take/Anna" of "take/Anna:LThumb".
std::string_view figure_part(std::string_view path) {
    const std::size_t end = path.find_last_of("/:");
    return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

bool is_time(std::string_view path, char kind, const Shape& shape) {
    const std::string_view name = last_part(path);
    return kind != 'S' && shape.size() == 1 &&
           (name.starts_with("time") || name.starts_with("t_") || name == "t" || name == "ts");
}

// Returns true if the matrices of an array are by columns: their translation appears to be in the last row. A matrix
// without translation does not show it; if none does, returns nothing.
std::optional<bool> order_of_matrices(const Array& array) {
    for (std::size_t at = 0; at + 16 <= array.count(); at += 16) {
        const auto any = [&](std::size_t a, std::size_t b, std::size_t c) {
            const auto is_number = [](double v) { return v != 0.0 && std::isfinite(v); };
            return is_number(array.at(at + a)) || is_number(array.at(at + b)) || is_number(array.at(at + c));
        };
        const bool rows = any(3, 7, 11), columns = any(12, 13, 14);
        if (rows != columns) return columns;
    }
    return std::nullopt;
}

float matrix_entry(const Array& array, const ArrayLayout& layout, std::size_t i, std::size_t row, std::size_t column) {
    return static_cast<float>(array.at(16 * i + (layout.by_columns ? 4 * column + row : 4 * row + column)));
}

Eigen::Vector3f point_of(const Array& array, const ArrayLayout& layout, std::size_t i) {
    const std::size_t at = i * layout.numbers;
    if (layout.numbers == 7) {
        std::array<float, 7> pose{};
        for (std::size_t k = 0; k < pose.size(); ++k) pose[k] = static_cast<float>(array.at(at + k));
        return has_quaternion_first(pose) ? Eigen::Vector3f(pose[4], pose[5], pose[6])
                                          : Eigen::Vector3f(pose[0], pose[1], pose[2]);
    }
    Eigen::Vector3f point;
    for (std::size_t k = 0; k < 3; ++k)
        point[static_cast<Eigen::Index>(k)] =
            layout.is_matrix ? matrix_entry(array, layout, i, k, 3) : static_cast<float>(array.at(at + k));
    return point;
}

void put_joint(const Eigen::Vector3f& point, tracking::JointPose& joint, HandFrame& hand) {
    joint.position_m = point;
    if (!point.allFinite()) return;
    joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    hand.active = true;
}

void read_joints(const Array& array, const ArrayLayout& layout, std::size_t from, HandFrame& hand) {
    const bool palm = layout.points == 26;
    const Eigen::Vector3f first = point_of(array, layout, from);
    bool apart = false;
    for (std::size_t i = 0; i < layout.points; ++i) {
        const Eigen::Vector3f point = point_of(array, layout, from + i);
        apart = apart || (point.allFinite() && !(point == first));
        put_joint(point, hand.joints[palm ? i : i + 1], hand);
    }
    if (!apart) hand = {};  // programs write zeros or identities for a lost hand
}

LandmarkHand landmarks_of(const Array& array, const ArrayLayout& layout, std::size_t from) {
    LandmarkHand hand;
    for (std::size_t i = 0; i < kLandmarks; ++i) {
        hand.points[i] = point_of(array, layout, from + i);
        if (hand.points[i].allFinite()) hand.seen.set(i);
    }
    // Many programs write zeros for a missing hand.
    const bool zeros = std::all_of(hand.points.begin(), hand.points.end(), [](const auto& p) { return p.isZero(); });
    if (zeros) hand.seen.reset();
    return hand;
}

// The times of the frames, from the array of times that has as many, or from the file's rate.
class FrameTimes {
  public:
    FrameTimes(const Arrays& arrays, const ArrayFacts& facts, std::size_t frames, Assembly& out)
        : frame_ns_(facts.frame_ns.value_or(kDefaultFrame_ns)) {
        for (const auto& [name, array] : arrays)
            if (stamps_ == nullptr && is_time(name, array.kind, array.shape) && array.count() == frames && frames > 0)
                stamps_ = &array;
        if (stamps_ == nullptr) {
            if (!facts.frame_ns) out.note("The file has no times; its frames were taken as 30 a second.");
            return;
        }
        std::vector<double> values;
        for (std::size_t i = 0; i < std::min<std::size_t>(frames, 512); ++i) values.push_back(stamps_->at(i));
        const auto guessed_ns = facts.time_unit_ns ? std::nullopt : guess_time_unit_ns(values);
        if (guessed_ns) note_time_unit(*guessed_ns, out);
        unit_ns_ = facts.time_unit_ns.value_or(guessed_ns.value_or(1e9));
    }
    std::int64_t at(const Input& in, std::size_t frame) const {
        if (stamps_ != nullptr && stamps_->kind != 'f' && unit_ns_ == 1.0) return stamps_->integer(frame);
        const double time_ns =
            stamps_ != nullptr ? stamps_->at(frame) * unit_ns_ : static_cast<double>(frame) * frame_ns_;
        if (!(std::abs(time_ns) < 9e18)) in.fail("time stamp " + std::to_string(frame) + " is out of range");
        return std::llround(time_ns);
    }

  private:
    const Array* stamps_ = nullptr;
    double unit_ns_ = 1e9, frame_ns_;
};

// Arrays of one joint each, in one folder of the file.
struct JointTrack {
    const Array* array;
    ArrayLayout layout;
    Joint joint;
};
struct TrackedHands {
    tracking::PerSide<std::vector<JointTrack>> hands;
    std::size_t frames = 0;
    bool side_known = true;
};

tracking::JointSet joints_of(const std::vector<JointTrack>& tracks) {
    tracking::JointSet joints;
    for (const JointTrack& track : tracks) joints.set(static_cast<std::size_t>(track.joint));
    return joints;
}

std::map<std::string_view, TrackedHands> tracked_hands(const Arrays& arrays) {
    std::map<std::string_view, TrackedHands> folders;
    std::set<std::pair<std::string_view, Side>> thumbs_with_middle;
    for (const auto& [name, array] : arrays)
        if (const auto named = joint_of_track_name(last_part(name)); named && named->is_thumb_middle)
            thumbs_with_middle.insert({figure_part(name), named->side.value_or(Side::left)});
    for (const auto& [name, array] : arrays) {
        auto layout = layout_of_track(array.kind, array.shape);
        if (!layout || array.count() == 0 || names_no_position(last_part(name))) continue;
        const auto named = joint_of_track_name(last_part(name));
        if (!named) continue;
        if (layout->is_matrix) layout->by_columns = order_of_matrices(array).value_or(false);
        TrackedHands& folder = folders[figure_part(name)];
        const Side side = named->side.value_or(Side::left);
        const Joint joint = joint_beside(*named, thumbs_with_middle.contains({figure_part(name), side}));
        std::vector<JointTrack>& tracks = folder.hands[side];
        if (folder.frames == 0) folder.frames = layout->frames;
        const bool again = std::any_of(tracks.begin(), tracks.end(),
                                       [joint](const JointTrack& track) { return track.joint == joint; });
        if (again || folder.frames != layout->frames) continue;
        folder.side_known = folder.side_known && named->side.has_value();
        tracks.push_back({&array, *layout, joint});
    }
    for (auto& [path, folder] : folders)
        for (std::vector<JointTrack>& tracks : folder.hands)
            if (!is_whole_hand(joints_of(tracks))) tracks.clear();
    std::erase_if(folders, [](const auto& folder) {
        return folder.second.hands[Side::left].empty() && folder.second.hands[Side::right].empty();
    });
    // Each hand may have a folder of its own.
    if (folders.size() == 2) {
        TrackedHands &a = folders.begin()->second, &b = folders.rbegin()->second;
        const auto is_only = [](const TrackedHands& hands, Side side) {
            return hands.side_known && hands.hands[side == Side::left ? Side::right : Side::left].empty();
        };
        const bool left_first = is_only(a, Side::left) && is_only(b, Side::right);
        if (a.frames == b.frames && (left_first || (is_only(a, Side::right) && is_only(b, Side::left)))) {
            const Side second = left_first ? Side::right : Side::left;
            a.hands[second] = std::move(b.hands[second]);
            folders.erase(std::prev(folders.end()));
        }
    }
    return folders;
}

// Writes one frame of a hand. A hand whose joints are all at one point is lost: programs write zeros or identities.
void read_tracks(const std::vector<JointTrack>& tracks, std::size_t frame, HandFrame& hand) {
    bool apart = false;
    const auto first = point_of(*tracks[0].array, tracks[0].layout, frame);
    for (const JointTrack& track : tracks) {
        const Eigen::Vector3f point = point_of(*track.array, track.layout, frame);
        apart = apart || !(point == first);
        put_joint(point, hand[track.joint], hand);
    }
    if (!apart) hand = {};
}

void read_tracked_hands(const Input& in, const Arrays& arrays, const TrackedHands& found, const ArrayFacts& facts,
                        Assembly& out) {
    SourceTraits source;
    source.unit_m = facts.unit_m;
    source.usual_unit_m = facts.usual_unit_m;
    source.side_known = found.side_known;
    source.axes_known = facts.axes_known;
    for (const std::vector<JointTrack>& tracks : found.hands) {
        if (!tracks.empty()) source.lacking |= ~joints_of(tracks);
    }
    out.describe(source);
    const FrameTimes times(arrays, facts, found.frames, out);
    for (std::size_t frame = 0; frame < found.frames; ++frame) {
        out.hold(times.at(in, frame));
        for (const Side side : {Side::left, Side::right})
            if (!found.hands[side].empty()) read_tracks(found.hands[side], frame, out.held()[side]);
    }
    out.push_held();
}

struct HandArray {
    const Array* array;
    ArrayLayout layout;
    std::optional<Side> side;
    std::optional<JointTrack> wrist;  // matrices that place the hand, whose joints are relative to its wrist
};

std::optional<Side> side_of_array(const std::string& path) {
    const std::string name(last_part(path));
    if (const auto side = tracking::side_of_name(name + ".npy")) return side;
    return tracking::side_of_name(path + ".npy");
}

// Returns true if the first numbers of an array are quaternions.
bool are_quaternions(const Array& array) {
    for (std::size_t at = 0; at + 4 <= std::min<std::size_t>(array.count(), 4 * kLandmarks); at += 4) {
        double square = 0.0;
        for (std::size_t k = 0; k < 4; ++k) square += array.at(at + k) * array.at(at + k);
        if (!(std::abs(square - 1.0) < 1e-2)) return false;
    }
    return true;
}

// Returns the array of a hand, or the arrays of two hands. A second array is the other hand only if the names of both
// contain different sides. `left_out` becomes the name of a second array that is not read.
std::vector<HandArray> arrays_of_hands(const Arrays& arrays, std::string& left_out) {
    std::vector<HandArray> hands;
    for (const auto& [name, array] : arrays) {
        auto layout = layout_of(array.kind, array.shape);
        if (!layout || array.count() == 0 || hands.size() == 2) continue;
        if (arrays.size() > 1 && names_no_position(last_part(name))) continue;  // a single one has the file's name
        if (layout->numbers == 4 && are_quaternions(array)) continue;
        if (layout->is_matrix) layout->by_columns = order_of_matrices(array).value_or(false);
        hands.push_back({&array, *layout, side_of_array(name), {}});
        left_out = name;
    }
    if (hands.size() < 2) {
        left_out.clear();
        return hands;
    }
    if (!hands[0].side || !hands[1].side || hands[0].side == hands[1].side ||
        hands[0].layout.frames != hands[1].layout.frames || hands[0].layout.hands == 2)
        hands.resize(1);
    else
        left_out.clear();
    return hands;
}

// VisionProTeleop writes right_fingers, whose first matrix is the identity, and right_wrist in space.
std::optional<JointTrack> wrist_of(const Arrays& arrays, const HandArray& hand) {
    if (!hand.side || hand.layout.points == kLandmarks || hand.layout.hands != 1) return std::nullopt;
    const std::size_t wrist = hand.layout.points == 26 ? 1 : 0;
    for (std::size_t f = 0; f < hand.layout.frames; ++f)
        if (point_of(*hand.array, hand.layout, hand.layout.first_of(f, 0) + wrist).norm() > 1e-6F) return std::nullopt;
    for (const auto& [name, array] : arrays) {
        auto layout = layout_of_track(array.kind, array.shape);
        const auto named = joint_of_track_name(last_part(name));
        if (!layout || !layout->is_matrix || layout->frames != hand.layout.frames || !named ||
            named->joint != Joint::wrist || named->side != hand.side)
            continue;
        // A wrist that stays at the origin does not show the order, but its fingers may.
        layout->by_columns = order_of_matrices(array).value_or(hand.layout.by_columns);
        return JointTrack{&array, *layout, Joint::wrist};
    }
    return std::nullopt;
}

void place(const JointTrack& wrist, std::size_t frame, HandFrame& hand) {
    Eigen::Matrix3f turn;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            turn(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
                matrix_entry(*wrist.array, wrist.layout, frame, row, column);
    const Eigen::Vector3f origin = point_of(*wrist.array, wrist.layout, frame);
    for (tracking::JointPose& joint : hand.joints)
        if (joint.position_valid()) joint.position_m = turn * joint.position_m + origin;
}

[[noreturn]] void fail_without_hands(const Input& in, const Arrays& arrays) {
    std::string names;
    for (const auto& [name, array] : arrays) {
        names.append(names.empty() ? "" : ", ").append(excerpt(name)).append(" of");
        for (const std::size_t size : array.shape) names.append(" ").append(std::to_string(size));
        if (names.size() > 200) break;
    }
    in.fail("no array is of hands (" + (names.size() > 200 ? names.substr(0, 200) + " ..." : names) +
            "); frames x 21, 25 or 26 x 3 are known, and arrays of one joint each by the joints' names");
}

void describe_joints(const ArrayFacts& facts, bool side_known, Assembly& out) {
    SourceTraits source;
    source.unit_m = facts.unit_m;
    source.usual_unit_m = facts.usual_unit_m;
    source.side_known = side_known;
    source.axes_known = false;
    source.usually_left_first = true;
    source.lacking = tracking::joint_set({Joint::palm});
    out.describe(source);
}

}  // namespace

bool is_hand_array(std::string_view name, char kind, const Shape& shape) {
    if (names_no_position(last_part(name))) return false;
    if (layout_of(kind, shape) || is_time(name, kind, shape)) return true;
    return layout_of_track(kind, shape) && joint_of_track_name(last_part(name));
}

bool is_whole_hand(const tracking::JointSet& joints) {
    constexpr std::size_t kMinJoints = 10;
    const auto has = [&joints](Joint joint) { return joints.test(static_cast<std::size_t>(joint)); };
    return joints.count() >= kMinJoints && has(Joint::wrist) && has(Joint::index_proximal) &&
           has(Joint::middle_proximal);
}

bool has_tracked_hand(const Arrays& arrays) {
    return !tracked_hands(arrays).empty();
}

void read_hand_arrays(const Input& in, const Arrays& arrays, const ImportOptions& options, const ArrayFacts& facts,
                      Assembly& out) {
    std::string left_out;
    std::vector<HandArray> hands = arrays_of_hands(arrays, left_out);
    if (!left_out.empty())
        out.note(
            "The array " + excerpt(left_out, 48) +
            " was not read: the hands of two arrays need left and right in their names, and equal numbers of frames.");
    for (HandArray& hand : hands) hand.wrist = wrist_of(arrays, hand);
    if (hands.empty()) {
        const auto folders = tracked_hands(arrays);
        if (folders.empty()) fail_without_hands(in, arrays);
        if (folders.size() > 1)
            out.note("The file has " + std::to_string(folders.size()) + " takes or figures; " +
                     excerpt(folders.begin()->first, 60) + " was read.");
        return read_tracked_hands(in, arrays, folders.begin()->second, facts, out);
    }
    const HandArray& first = hands[0];
    const FrameTimes times(arrays, facts, first.layout.frames, out);
    const bool side_known = first.layout.hands == 1 && first.side.has_value();
    const PointOrder* order = nullptr;
    std::optional<JointOrder> joint_order;
    bool coordinates_apart = false;
    LandmarkTraits traits;
    traits.side_known = side_known;
    traits.left_first = true;
    traits.hand_length_m = hand_length_of(options);
    constexpr std::size_t kFirstFrames = 256;
    const auto for_first_hands = [&](auto&& take) {
        for (const HandArray& hand : hands)
            for (std::size_t f = 0; f < std::min(hand.layout.frames, kFirstFrames); ++f)
                for (std::size_t h = 0; h < hand.layout.hands; ++h) take(hand, hand.layout.first_of(f, h));
    };
    if (first.layout.points == kLandmarks) {
        std::vector<LandmarkHand> samples;
        for_first_hands([&](const HandArray& hand, std::size_t from) {
            samples.push_back(landmarks_of(*hand.array, hand.layout, from));
        });
        coordinates_apart = first.layout.is_flat && has_coordinates_apart(samples);
        if (coordinates_apart) {
            note_coordinates_apart(out);
            for (LandmarkHand& sample : samples) sample = points_of_coordinates(sample);
        }
        order = order_of_points(samples);
        for (LandmarkHand& sample : samples) {
            put_in_order(order, sample);
            refuse_pixels_without_depth(in, sample);
        }
        refuse_confidences(in, samples);
        refuse_points_of_no_hand(in, nullptr, samples);
        find_image_landmarks(samples, traits);
        note_points(order, traits.is_image, out);
        describe_landmarks(traits, out);
    } else {
        std::vector<HandFrame> samples;
        for_first_hands([&](const HandArray& hand, std::size_t from) {
            read_joints(*hand.array, hand.layout, from, samples.emplace_back());
        });
        joint_order = order_of_joints(samples);
        refuse_joints_of_no_hand(in, joint_order, samples);
        note_joints(joint_order, out);
        describe_joints(facts, side_known, out);
    }
    for (std::size_t f = 0; f < first.layout.frames; ++f) {
        const std::int64_t time_ns = times.at(in, f);
        out.hold(time_ns);
        for (const HandArray& hand : hands)
            for (std::size_t h = 0; h < hand.layout.hands; ++h) {
                const std::size_t from = hand.layout.first_of(f, h);
                const Side side = hand.side.value_or(h == 0 ? Side::left : Side::right);
                if (hand.layout.points == kLandmarks) {
                    LandmarkHand found = landmarks_of(*hand.array, hand.layout, from);
                    if (coordinates_apart && found.seen.any()) found = points_of_coordinates(found);
                    found.side = side;
                    put_in_order(order, found);
                    if (found.seen.any()) add_landmarks(traits, time_ns, found, out);
                } else {
                    read_joints(*hand.array, hand.layout, from, out.held()[side]);
                    put_in_order(joint_order, out.held()[side]);
                    if (hand.wrist) place(*hand.wrist, f, out.held()[side]);
                }
            }
    }
    out.push_held();
}

}  // namespace glovebox::recordings
