#include "recordings/formats/hand_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "recordings/formats/joint_lists.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/landmarks.h"
#include "recordings/formats/point_order.h"
#include "recordings/formats/steamvr_bones.h"
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
    if (kind == 'u') return static_cast<double>(static_cast<std::uint64_t>(integer(i)));
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

// The layout of hands in an array. Steps are how many numbers lie between two frames, hands, points, and numbers of a
// point.
struct ArrayLayout {
    std::size_t frames = 1, hands = 1, points = 1, numbers = 3;
    std::size_t first = 0, frame_step = 0, hand_step = 0, point_step = 0, number_step = 1;
    bool by_columns = false;
    bool is_flat = false;  // numbers of points in a row
    bool is_usual = true;  // the numbers of a point are the last dimension
    bool is_matrix() const { return numbers == 16; }
    std::size_t at(std::size_t frame, std::size_t hand = 0, std::size_t point = 0) const {
        return first + frame * frame_step + hand * hand_step + point * point_step;
    }
};

// A dimension of an array, and how many numbers lie between two of its items.
struct Dimension {
    std::size_t size, step;
};
using Dimensions = std::vector<Dimension>;

// Returns the dimensions without those of size 1.
Dimensions dimensions_of(const Shape& shape) {
    Dimensions dimensions;
    std::size_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0; step *= shape[i])
        if (shape[i] != 1) dimensions.insert(dimensions.begin(), {shape[i], step});
    return dimensions;
}

// Removes the last dimension with a size that is wanted. Returns nothing if there is none.
template <class Wanted>
std::optional<Dimension> take(Dimensions& dimensions, Wanted&& is_wanted) {
    for (std::size_t i = dimensions.size(); i-- > 0;) {
        const Dimension found = dimensions[i];
        if (!is_wanted(found.size)) continue;
        dimensions.erase(dimensions.begin() + static_cast<std::ptrdiff_t>(i));
        return found;
    }
    return std::nullopt;
}

// Removes the dimensions of a point. Returns false if none can be.
bool take_point(Dimensions& dimensions, ArrayLayout& layout) {
    const std::size_t count = dimensions.size();
    if (count >= 2 && dimensions[count - 1].size == 4 && dimensions[count - 2].size == 4 &&
        dimensions[count - 2].step == 4) {
        layout.numbers = 16;
        layout.number_step = dimensions[count - 1].step;
        dimensions.resize(count - 2);
        return true;
    }
    // A fourth number of a landmark is its visibility; the eighth of SteamVR's bones is 1.
    const auto has = [&dimensions](std::size_t points) {
        return std::any_of(dimensions.begin(), dimensions.end(), [points](const auto& d) { return d.size == points; });
    };
    const auto is_usual = [&has](std::size_t size) {
        return size == 3 || size == 7 || (size == 4 && has(kLandmarks)) || (size == 8 && has(31));
    };
    layout.is_usual = count > 0 && is_usual(dimensions.back().size);
    const auto numbers =
        layout.is_usual ? take(dimensions, is_usual) : take(dimensions, [](std::size_t size) { return size == 3; });
    if (!numbers) return false;
    layout.numbers = numbers->size;
    layout.number_step = numbers->step;
    return true;
}

// Takes the remaining dimensions as frames, and hands if one has the size 2. A first dimension of 1 is a single frame.
bool take_frames(Dimensions& dimensions, bool one_frame, ArrayLayout& layout) {
    if (dimensions.size() > 1 || (one_frame && !dimensions.empty() && dimensions[0].size == 2 && layout.hands == 1)) {
        const auto hands = take(dimensions, [](std::size_t size) { return size == 2; });
        if (!hands || layout.hands > 1) return false;
        layout.hands = 2;
        layout.hand_step = hands->step;
    }
    if (dimensions.size() > 1) return false;
    if (dimensions.empty()) return true;
    layout.frames = dimensions[0].size;
    layout.frame_step = dimensions[0].step;
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

const PointsOfFrame* points_of_frame(std::span<const PointsOfFrame> known, std::size_t points) {
    const auto found = std::find_if(known.begin(), known.end(), [points](const auto& p) { return p.points == points; });
    return found == known.end() ? nullptr : &*found;
}

void place_hands(const PointsOfFrame& whole, std::size_t point_step, ArrayLayout& layout) {
    layout.hands = 2;
    layout.points = kLandmarks;
    layout.point_step = point_step;
    layout.first = whole.first * point_step;
    layout.hand_step = whole.hand * point_step;
}

std::optional<ArrayLayout> layout_of(char kind, const Shape& shape) {
    if ((kind != 'f' && kind != 'i') || shape.empty()) return std::nullopt;
    Dimensions dimensions = dimensions_of(shape);
    ArrayLayout layout;
    const auto with_frames = [&]() -> std::optional<ArrayLayout> {
        if (!take_frames(dimensions, shape[0] == 1, layout)) return std::nullopt;
        return layout;
    };
    if (dimensions.empty()) return std::nullopt;
    const std::size_t last = dimensions.back().size;
    if (const auto row = row_of_numbers(last); row && dimensions.back().step == 1) {
        layout.is_flat = true;
        layout.hands = row->hands;
        layout.points = row->points;
        layout.numbers = layout.point_step = row->numbers;
        layout.hand_step = last / row->hands;
        dimensions.pop_back();
        return with_frames();
    }
    if (const auto* whole = last % 3 == 0 ? points_of_frame(kFlatFrames, last / 3) : nullptr) {
        place_hands(*whole, 3, layout);
        dimensions.pop_back();
        return with_frames();
    }
    if (!take_point(dimensions, layout)) return std::nullopt;
    const auto points = take(dimensions, [&](std::size_t size) {
        return (size == kLandmarks && !layout.is_matrix()) || joint_list_of(size) != nullptr ||
               (layout.numbers == 3 && points_of_frame(kPointFrames, size) != nullptr);
    });
    if (!points) return std::nullopt;
    if (const auto* whole = points_of_frame(kPointFrames, points->size)) {
        place_hands(*whole, points->step, layout);
    } else {
        layout.points = points->size;
        layout.point_step = points->step;
    }
    return with_frames();
}

// Returns the layout of an array with one point per frame.
std::optional<ArrayLayout> layout_of_track(char kind, const Shape& shape) {
    ArrayLayout layout;
    Dimensions dimensions = dimensions_of(shape);
    const bool one_frame = !shape.empty() && shape[0] == 1;
    if (kind != 'f' || !take_point(dimensions, layout) || !layout.is_usual || layout.numbers == 4) return std::nullopt;
    if (dimensions.size() > 1 || (dimensions.empty() && !one_frame)) return std::nullopt;
    if (!take_frames(dimensions, false, layout)) return std::nullopt;
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

// `at` is the index of the matrix's first number.
float matrix_entry(const Array& array, const ArrayLayout& layout, std::size_t at, std::size_t row, std::size_t column) {
    return static_cast<float>(array.at(at + (layout.by_columns ? 4 * column + row : 4 * row + column)));
}

// `at` is the index of the point's first number.
Eigen::Vector3f point_of(const Array& array, const ArrayLayout& layout, std::size_t at) {
    const auto number = [&](std::size_t k) { return static_cast<float>(array.at(at + k * layout.number_step)); };
    if (layout.is_matrix())
        return {matrix_entry(array, layout, at, 0, 3), matrix_entry(array, layout, at, 1, 3),
                matrix_entry(array, layout, at, 2, 3)};
    if (layout.numbers == 7) {
        std::array<float, 7> pose{};
        for (std::size_t k = 0; k < pose.size(); ++k) pose[k] = number(k);
        if (has_quaternion_first(pose)) return {pose[4], pose[5], pose[6]};
    }
    return {number(0), number(1), number(2)};
}

void put_joint(const Eigen::Vector3f& point, tracking::JointPose& joint, HandFrame& hand) {
    joint.position_m = point;
    if (!point.allFinite()) return;
    joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    hand.active = true;
}

HandFrame joints_of_list(const Array& array, const ArrayLayout& layout, std::size_t frame, std::size_t hand) {
    HandFrame read;
    const JointList& list = *joint_list_of(layout.points);
    for (std::size_t i = 0; i < layout.points; ++i)
        if (list.joints[i] >= 0)
            put_joint(point_of(array, layout, layout.at(frame, hand, i)),
                      read.joints[static_cast<std::size_t>(list.joints[i])], read);
    return tracking::is_at_one_point(read) ? HandFrame() : read;
}

SteamVrHand bones_of(const Array& array, const ArrayLayout& layout, std::size_t frame, std::size_t hand) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < layout.points; ++i)
        for (std::size_t k = 0; k < layout.numbers; ++k)
            numbers.push_back(static_cast<float>(array.at(layout.at(frame, hand, i) + k * layout.number_step)));
    return steamvr_hand(numbers);
}

LandmarkHand landmarks_of(const Array& array, const ArrayLayout& layout, std::size_t frame, std::size_t hand) {
    LandmarkHand read;
    for (std::size_t i = 0; i < kLandmarks; ++i) {
        read.points[i] = point_of(array, layout, layout.at(frame, hand, i));
        if (read.points[i].allFinite()) read.seen.set(i);
    }
    // Many programs write zeros for a missing hand.
    const bool zeros = std::all_of(read.points.begin(), read.points.end(), [](const auto& p) { return p.isZero(); });
    if (zeros) read.seen.reset();
    return read;
}

// The times of the frames, from the array of times that has as many, or from the file's rate.
class FrameTimes {
  public:
    FrameTimes(const Arrays& arrays, const ArrayFacts& facts, std::size_t frames, Assembly& out)
        : frame_ns_(facts.frame_ns.value_or(kDefaultFrame_ns)), rows_(facts.rows) {
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
    /// Begins the sample of a frame.
    void hold(const Input& in, std::size_t frame, Assembly& out) const { out.hold(at(in, frame), row_of(in, frame)); }

  private:
    std::int64_t row_of(const Input& in, std::size_t frame) const { return rows_.empty() ? in.row() : rows_[frame]; }
    std::int64_t at(const Input& in, std::size_t frame) const {
        const double time_ns =
            stamps_ != nullptr ? stamps_->at(frame) * unit_ns_ : static_cast<double>(frame) * frame_ns_;
        if (!(std::abs(time_ns) < 9e18))
            in.fail_at(row_of(in, frame), "time stamp " + std::to_string(frame) + " is out of range");
        const bool is_exact = stamps_ != nullptr && stamps_->kind != 'f' && unit_ns_ == std::floor(unit_ns_);
        return is_exact ? stamps_->integer(frame) * static_cast<std::int64_t>(unit_ns_) : std::llround(time_ns);
    }

    const Array* stamps_ = nullptr;
    double unit_ns_ = 1e9, frame_ns_;
    const std::vector<std::int64_t>& rows_;
};

// Arrays of one joint each, in one folder of the file. Those of a hand have the same number of frames.
struct JointTrack {
    const Array* array;
    ArrayLayout layout;
    Joint joint;
    Eigen::Vector3f at(std::size_t frame) const { return point_of(*array, layout, layout.at(frame)); }
};
struct TrackedHands {
    tracking::PerSide<std::vector<JointTrack>> hands;
    bool side_known = true;
    std::size_t frames(Side side) const { return hands[side].empty() ? 0 : hands[side][0].layout.frames; }
    std::size_t frames() const { return std::max(frames(Side::left), frames(Side::right)); }
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
        if (layout->is_matrix()) layout->by_columns = order_of_matrices(array).value_or(false);
        TrackedHands& folder = folders[figure_part(name)];
        const Side side = named->side.value_or(Side::left);
        const Joint joint = joint_beside(*named, thumbs_with_middle.contains({figure_part(name), side}));
        std::vector<JointTrack>& tracks = folder.hands[side];
        const bool again = std::any_of(tracks.begin(), tracks.end(),
                                       [joint](const JointTrack& track) { return track.joint == joint; });
        if (again || (!tracks.empty() && folder.frames(side) != layout->frames)) continue;
        folder.side_known = folder.side_known && named->side.has_value();
        tracks.push_back({&array, *layout, joint});
    }
    for (auto& [path, folder] : folders)
        for (std::vector<JointTrack>& tracks : folder.hands)
            if (!is_whole_hand(joints_of(tracks))) tracks.clear();
    std::erase_if(folders, [](const auto& folder) { return folder.second.frames() == 0; });
    // Each hand may have a folder of its own.
    if (folders.size() == 2) {
        TrackedHands &a = folders.begin()->second, &b = folders.rbegin()->second;
        const auto is_only = [](const TrackedHands& hands, Side side) {
            return hands.side_known && hands.hands[side == Side::left ? Side::right : Side::left].empty();
        };
        const bool left_first = is_only(a, Side::left) && is_only(b, Side::right);
        if (left_first || (is_only(a, Side::right) && is_only(b, Side::left))) {
            const Side second = left_first ? Side::right : Side::left;
            a.hands[second] = std::move(b.hands[second]);
            folders.erase(std::prev(folders.end()));
        }
    }
    return folders;
}

HandFrame joints_of_tracks(const std::vector<JointTrack>& tracks, std::size_t frame) {
    HandFrame hand;
    for (const JointTrack& track : tracks) put_joint(track.at(frame), hand[track.joint], hand);
    return hand;
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
    note_shorter(found.frames(Side::left), found.frames(Side::right), out);
    const FrameTimes times(arrays, facts, found.frames(), out);
    for (std::size_t frame = 0; frame < found.frames(); ++frame) {
        times.hold(in, frame, out);
        for (const Side side : {Side::left, Side::right})
            if (frame < found.frames(side)) out.held()[side] = joints_of_tracks(found.hands[side], frame);
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
    std::vector<std::pair<std::string, HandArray>> found;
    for (const auto& [name, array] : arrays) {
        auto layout = layout_of(array.kind, array.shape);
        if (!layout || array.count() == 0) continue;
        if (arrays.size() > 1 && names_no_position(last_part(name))) continue;  // a single one has the file's name
        if (layout->numbers == 4 && are_quaternions(array)) continue;
        if (layout->is_matrix()) layout->by_columns = order_of_matrices(array).value_or(false);
        found.emplace_back(name, HandArray{&array, *layout, side_of_array(name), {}});
    }
    // Points of a body may be as many as those of a hand, beside hands that name their sides.
    const auto is_of = [&found](Side side) {
        return std::any_of(found.begin(), found.end(),
                           [side](const auto& f) { return f.second.side == side && f.second.layout.hands == 1; });
    };
    if (is_of(Side::left) && is_of(Side::right))
        std::stable_partition(found.begin(), found.end(),
                              [](const auto& f) { return f.second.side.has_value() || f.second.layout.hands == 2; });
    // An array that looks like hands in an unusual layout may be something else.
    std::stable_partition(found.begin(), found.end(), [](const auto& f) { return f.second.layout.is_usual; });
    if (found.empty()) return {};
    const HandArray first = found[0].second;
    std::vector<HandArray> hands = {first};
    for (const auto& [name, other] : std::span(found).subspan(1)) {
        const bool is_other = first.side && other.side && first.side != other.side && first.layout.hands == 1 &&
                              other.layout.hands == 1 && first.layout.points == other.layout.points;
        if (is_other && hands.size() == 1)
            hands.push_back(other);
        else if (left_out.empty() && other.layout.is_usual)
            left_out = name;
    }
    return hands;
}

// VisionProTeleop writes right_fingers, whose first matrix is the identity, and right_wrist in space.
std::optional<JointTrack> wrist_of(const Arrays& arrays, const HandArray& hand) {
    if (!hand.side || hand.layout.points == kLandmarks || hand.layout.hands != 1) return std::nullopt;
    const std::size_t wrist = hand.layout.points == 26 ? 1 : 0;
    for (std::size_t f = 0; f < hand.layout.frames; ++f)
        if (point_of(*hand.array, hand.layout, hand.layout.at(f, 0, wrist)).norm() > 1e-6F) return std::nullopt;
    for (const auto& [name, array] : arrays) {
        auto layout = layout_of_track(array.kind, array.shape);
        const auto named = joint_of_track_name(last_part(name));
        if (!layout || !layout->is_matrix() || layout->frames != hand.layout.frames || !named ||
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
                matrix_entry(*wrist.array, wrist.layout, wrist.layout.at(frame), row, column);
    const Eigen::Vector3f origin = wrist.at(frame);
    for (tracking::JointPose& joint : hand.joints)
        if (joint.position_valid()) joint.position_m = turn * joint.position_m + origin;
}

[[noreturn]] void fail_without_hands(const Input& in, const Arrays& arrays) {
    std::string names;
    for (const auto& [name, array] : arrays) {
        if (array.shape.empty()) continue;  // a number or a text
        names.append(names.empty() ? "" : ", ").append(excerpt(name)).append(" of");
        for (const std::size_t size : array.shape) names.append(" ").append(std::to_string(size));
        if (names.size() > 200) break;
    }
    in.fail("no array is of hands (" + (names.size() > 200 ? names.substr(0, 200) + " ..." : names) +
            "); frames x 21, 24, 25, 26 or 31 x 3 are known, and arrays of one joint each by the joints' names");
}

void describe_joints(const ArrayFacts& facts, bool side_known, bool wrist_relative, const JointList& list,
                     Assembly& out) {
    SourceTraits source;
    source.wrist_relative = wrist_relative;
    source.unit_m = facts.unit_m;
    source.usual_unit_m = facts.usual_unit_m;
    source.side_known = side_known;
    source.axes_known = false;
    source.usually_left_first = true;
    source.lacking.set();
    for (const std::int8_t joint : list.joints)
        if (joint > static_cast<int>(Joint::palm)) source.lacking.reset(static_cast<std::size_t>(joint));
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

void note_shorter(std::size_t frames_a, std::size_t frames_b, Assembly& out) {
    if (frames_a == 0 || frames_b == 0 || frames_a == frames_b) return;
    out.note("One hand has " + std::to_string(std::min(frames_a, frames_b)) + " frames and the other " +
             std::to_string(std::max(frames_a, frames_b)) + "; both begin together, and the shorter one ends earlier.");
}

void read_hand_arrays(const Input& in, const Arrays& arrays, const ImportOptions& options, const ArrayFacts& facts,
                      Assembly& out) {
    std::string left_out;
    std::vector<HandArray> hands = arrays_of_hands(arrays, left_out);
    const auto folders = tracked_hands(arrays);
    // The points of one joint may be as many as those of a hand.
    const bool one_pose =
        std::all_of(hands.begin(), hands.end(), [](const HandArray& hand) { return hand.layout.frames == 1; });
    if (hands.empty() || (one_pose && !folders.empty())) {
        if (folders.empty()) fail_without_hands(in, arrays);
        if (folders.size() > 1)
            out.note("The file has " + std::to_string(folders.size()) + " takes or figures; " +
                     excerpt(folders.begin()->first, 60) + " was read.");
        return read_tracked_hands(in, arrays, folders.begin()->second, facts, out);
    }
    if (!left_out.empty())
        out.note("The array " + excerpt(left_out, 48) +
                 " was not read: the hands of two arrays need left and right in their names.");
    for (HandArray& hand : hands) hand.wrist = wrist_of(arrays, hand);
    const HandArray& first = hands[0];
    const std::size_t frames = std::max(first.layout.frames, hands.back().layout.frames);
    note_shorter(first.layout.frames, hands.back().layout.frames, out);
    const FrameTimes times(arrays, facts, frames, out);
    const bool side_known = first.layout.hands == 1 && first.side.has_value();
    // Calls take(hand, frame, h) for each hand of a frame.
    const auto for_hands = [&hands](std::size_t frame, auto&& take) {
        for (const HandArray& hand : hands)
            for (std::size_t h = 0; h < hand.layout.hands && frame < hand.layout.frames; ++h) take(hand, frame, h);
    };
    constexpr std::size_t kFirstFrames = 256;
    const auto for_first_hands = [&](auto&& take) {
        for (std::size_t f = 0; f < std::min(frames, kFirstFrames); ++f) for_hands(f, take);
    };
    const auto side_of = [](const HandArray& hand, std::size_t h) {
        return hand.side && hand.layout.hands == 1 ? *hand.side : h == 0 ? Side::left : Side::right;
    };

    if (first.layout.points == kLandmarks) {
        LandmarkTraits traits;
        traits.side_known = side_known;
        traits.left_first = true;
        traits.hand_length_m = hand_length_of(options);
        std::vector<LandmarkHand> samples;
        for_first_hands([&](const HandArray& hand, std::size_t f, std::size_t h) {
            samples.push_back(landmarks_of(*hand.array, hand.layout, f, h));
        });
        const bool coordinates_apart =
            first.layout.is_flat && first.layout.numbers == 3 && has_coordinates_apart(samples);
        if (coordinates_apart) {
            note_coordinates_apart(out);
            for (LandmarkHand& sample : samples) sample = points_of_coordinates(sample);
        }
        const PointOrder* const order = order_of_points(samples);
        for (LandmarkHand& sample : samples) {
            put_in_order(order, sample);
            refuse_pixels_without_depth(in, sample);
        }
        refuse_confidences(in, samples);
        refuse_points_of_no_hand(in, nullptr, samples);
        find_image_landmarks(samples, traits);
        note_points(order, traits.is_image, out);
        describe_landmarks(traits, out);
        for (std::size_t f = 0; f < frames; ++f) {
            times.hold(in, f, out);
            const std::int64_t time_ns = out.held().time_ns;
            for_hands(f, [&](const HandArray& hand, std::size_t, std::size_t h) {
                LandmarkHand found = landmarks_of(*hand.array, hand.layout, f, h);
                if (coordinates_apart && found.seen.any()) found = points_of_coordinates(found);
                found.side = side_of(hand, h);
                put_in_order(order, found);
                if (found.seen.any()) add_landmarks(traits, time_ns, found, out);
            });
        }
        return out.push_held();
    }

    std::function<HandFrame(const HandArray&, std::size_t, std::size_t)> joints_of_hand =
        [](const HandArray& hand, std::size_t f, std::size_t h) {
            return joints_of_list(*hand.array, hand.layout, f, h);
        };
    std::optional<JointOrder> order;
    bool wrist_relative = false;
    const auto samples = [&] {
        std::vector<HandFrame> read;
        for_first_hands(
            [&](const HandArray& hand, std::size_t f, std::size_t h) { read.push_back(joints_of_hand(hand, f, h)); });
        return read;
    };
    if (first.layout.points == kSteamVrBones) {
        std::vector<SteamVrHand> bones;
        for_first_hands([&](const HandArray& hand, std::size_t f, std::size_t h) {
            bones.push_back(bones_of(*hand.array, hand.layout, f, h));
        });
        wrist_relative = std::all_of(bones.begin(), bones.end(), [](const auto& b) { return b.is_at_root(); });
        joints_of_hand = [space = find_bone_space(in, bones, out)](const HandArray& hand, std::size_t f,
                                                                   std::size_t h) {
            return joints_of_bones(bones_of(*hand.array, hand.layout, f, h), space);
        };
    } else {
        order = order_of_joints(samples());
    }
    refuse_joints_of_no_hand(in, order, samples());
    note_joints(order, out);
    describe_joints(facts, side_known, wrist_relative, *joint_list_of(first.layout.points), out);
    for (std::size_t f = 0; f < frames; ++f) {
        times.hold(in, f, out);
        for_hands(f, [&](const HandArray& hand, std::size_t, std::size_t h) {
            HandFrame& held = out.held()[side_of(hand, h)];
            held = joints_of_hand(hand, f, h);
            put_in_order(order, held);
            if (hand.wrist) place(*hand.wrist, f, held);
        });
    }
    out.push_held();
}

}  // namespace glovebox::recordings
