// Motion capture programs and own scripts write tables with three columns for the position of each joint, and often
// others for rotations, which are not used. A column is recognised by a joint's name (joint_names.h), an optional word
// for a position, and an axis: RightHandIndex1_position_x, "Right Hand Index 1 Tx", LeftHand:Position:X, l_index1.posX.
//
// Rokoko Studio writes Timestamp in milliseconds, then positions in metres of all segments of a body
// (RightDigit2ProximalPhalangx_position_x), then angles of the joints (RightDigit2Metacarpophalangeal_flexion). Its
// axes are Unity's: left-handed, Y up, Z forward [Rokoko].
//
// Other programs with such tables may have left-handed axes too. So the hands' shape decides whether the axes are
// left-handed, if the columns name the sides.
#include "recordings/formats/joint_csv.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "recordings/collect.h"
#include "recordings/formats/csv_columns.h"
#include "recordings/formats/glovebox_csv.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/landmark_csv.h"
#include "recordings/formats/landmarks.h"
#include "recordings/formats/manus_csv.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

constexpr std::size_t kMaxJointColumns = 4096;
constexpr std::size_t kMinAngles = 10;  // a glove with fewer has no joint angles of five fingers
constexpr std::size_t kMinJoints = 5;   // with fewer, the table is hardly of hands
constexpr std::size_t kMaxWaitingHands = 256;

enum class JointColumnKind { other, time, frame, position, angle };
struct JointColumn {
    JointColumnKind kind = JointColumnKind::other;
    double ns_per_unit = 0.0;  // of a time; 0: to be guessed
    std::string figure;        // "Anna" of Anna:RightHand
    std::size_t hand = 0;      // index of hands: left, right, not named
    std::size_t joint = 0;
    int axis = 0;
    bool of_rokoko = false;
};
constexpr std::size_t kNotNamed = 2;

// Removes the last word of a name, which has `letters` letters or digits, and the other characters around it.
void remove_last_word(std::string_view& name, std::size_t letters) {
    const auto remove_others = [&name] {
        while (!name.empty() && std::isalnum(static_cast<unsigned char>(name.back())) == 0) name.remove_suffix(1);
    };
    remove_others();
    name.remove_suffix(std::min(letters, name.size()));
    remove_others();
}

// Removes axis and words of a position from the end of a column's name. Returns the axis, or nullopt.
std::optional<int> take_position_axis(std::string_view& name, std::vector<std::string>& words) {
    const auto take = [&](std::initializer_list<std::string_view> list) {
        if (words.empty() || !is_one_of(words.back(), list)) return false;
        remove_last_word(name, words.back().size());
        words.pop_back();
        return true;
    };
    take({"m", "cm", "mm"});
    if (words.empty()) return std::nullopt;
    const int axis = words.back().back() - 'x';
    if (!take({"x", "y", "z", "tx", "ty", "tz", "px", "py", "pz", "posx", "posy", "posz"})) return std::nullopt;
    while (take({"position", "positions", "pos", "translation", "translate", "trans", "location", "loc", "coord",
                 "world", "global", "t", "p"})) {
    }
    return axis;
}

// Returns true for an angle of a finger's joint: Thumb_CMC_Spread, RightHandIndex1_rotation_x, indexMcpFlexion.
bool is_finger_angle(const std::vector<std::string>& words) {
    const bool angle = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return is_one_of(
            word, {"flexion", "flex", "extension", "abduction", "adduction", "abd",       "spread",     "splay",
                   "stretch", "bend", "curl",      "deviation", "rot",       "pronation", "angle",      "rotation",
                   "euler",   "quat", "q",         "rx",        "ry",        "rz",        "quaternion", "roll",
                   "pitch",   "yaw",  "qx",        "qy",        "qz",        "qw"});
    });
    return angle && std::any_of(words.begin(), words.end(), [](const std::string& word) {
               constexpr std::array<std::string_view, 8> kFingers = {"thumb",  "index", "middle", "ring",
                                                                     "little", "pinky", "finger", "digit"};
               return std::any_of(kFingers.begin(), kFingers.end(),
                                  [&word](std::string_view finger) { return word.ends_with(finger); });
           });
}

JointColumn joint_column_of_name(std::string_view name) {
    JointColumn column;
    if (name.size() > 2 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    std::vector<std::string> words = words_of_name(name);
    if (words.empty() || name.size() > 64) return column;
    if (const auto unit_ns = time_unit_of_column(words)) {
        column.kind = JointColumnKind::time;
        column.ns_per_unit = *unit_ns;
        return column;
    }
    if (is_frame_column(words)) {
        column.kind = JointColumnKind::frame;
        return column;
    }
    if (is_finger_angle(words)) column.kind = JointColumnKind::angle;
    const auto axis = take_position_axis(name, words);
    if (!axis) return column;
    auto named = joint_of_track_name(name);
    if (!named) named = joint_of_track_name(letters_of(name));
    if (!named) return column;
    column.kind = JointColumnKind::position;
    column.hand = named->side ? static_cast<std::size_t>(*named->side) : kNotNamed;
    column.joint = static_cast<std::size_t>(named->joint);
    column.axis = *axis;
    const std::size_t colon = name.rfind(':');
    if (colon != std::string_view::npos) column.figure = name.substr(0, colon);
    const std::string letters = letters_of(name);
    column.of_rokoko = letters.ends_with("phalangx") || letters.ends_with("finger2proximal");
    return column;
}

struct JointTableLayout {
    std::vector<JointColumn> columns;
    std::optional<std::size_t> time, frame;
    std::array<tracking::JointSet, 3> joints;  // with three columns, of each hand
    bool side_known = true, is_rokoko = false;
    std::size_t angles = 0;
    std::string example_angle;

    bool has_hand() const { return std::any_of(joints.begin(), joints.end(), is_whole_hand); }
    /// Returns the hand with most joints.
    const tracking::JointSet& largest() const {
        return *std::max_element(joints.begin(), joints.end(),
                                 [](const auto& a, const auto& b) { return a.count() < b.count(); });
    }
};

// Keeps the columns of whole hands. A hand whose side is not named becomes the left one, unless others are named.
void keep_whole_hands(JointTableLayout& layout) {
    for (tracking::JointSet& joints : layout.joints)
        if (!is_whole_hand(joints)) joints.reset();
    layout.side_known = layout.joints[0].any() || layout.joints[1].any();
    if (layout.side_known) layout.joints[kNotNamed].reset();
    for (JointColumn& column : layout.columns) {
        if (column.kind != JointColumnKind::position) continue;
        if (!layout.joints[column.hand].test(column.joint)) column.kind = JointColumnKind::other;
        if (column.hand == kNotNamed) column.hand = 0;
    }
    if (!layout.side_known) std::swap(layout.joints[0], layout.joints[kNotNamed]);
}

JointTableLayout joint_table_layout(const std::vector<std::string>& names) {
    JointTableLayout layout;
    std::array<std::array<int, kJointCount>, 3> axes{};  // bits of the axes found
    std::optional<std::string> figure;
    for (const std::string& name : names) {
        JointColumn& column = layout.columns.emplace_back(joint_column_of_name(name));
        const std::size_t i = layout.columns.size() - 1;
        if (column.kind == JointColumnKind::time && !layout.time) layout.time = i;
        if (column.kind == JointColumnKind::frame && !layout.frame) layout.frame = i;
        if (column.kind == JointColumnKind::angle && layout.angles++ == 0) layout.example_angle = name;
        if (column.kind != JointColumnKind::position) continue;
        int& found = axes[column.hand][column.joint];
        const int bit = 1 << column.axis;
        // The first figure and the first columns of a joint are read.
        if (!figure) figure = column.figure;
        if (column.figure != *figure || (found & bit) != 0) {
            column.kind = JointColumnKind::other;
            continue;
        }
        found |= bit;
        if (found == 7) layout.joints[column.hand].set(column.joint);
        layout.is_rokoko = layout.is_rokoko || column.of_rokoko;
    }
    if (layout.has_hand()) keep_whole_hands(layout);
    return layout;
}

[[noreturn]] void refuse_joint_table(const Input& in, const JointTableLayout& layout) {
    const tracking::JointSet& joints = layout.largest();
    std::string found = counted(joints.count(), "joint") + " of a hand";
    if (joints.any() && !joints.test(static_cast<std::size_t>(Joint::wrist))) found += ", without the wrist";
    const std::string needed =
        "; columns of positions are needed for 10 joints or more, among them the wrist and the knuckles of index and "
        "middle finger (RightHand_position_x, RightHandIndex1_position_x ...)";
    if (layout.angles >= kMinAngles)
        in.fail("this table has " + std::to_string(layout.angles) + " columns with angles of fingers, such as " +
                excerpt(layout.example_angle, 48) + ", and positions of " + found +
                ": the lengths of the bones are not in it" + needed +
                "; export the positions too, or the recording as FBX or BVH");
    in.fail("this table has positions of " + found + needed);
}

using TableHands = tracking::PerSide<HandFrame>;

// A row that waits for the decision on the axes. Rows without a hand are small, because there may be many.
struct WaitingRow {
    double time = 0.0;
    std::optional<std::size_t> hands;  // index
    std::int64_t row = 0;              // for messages
};

class JointTableReader {
  public:
    JointTableReader(Input& in, const ImportOptions& options, Assembly& out) : in_(in), options_(options), out_(out) {}

    void read() {
        layout_ = joint_table_layout(read_column_names(in_));
        if (!layout_.has_hand()) refuse_joint_table(in_, layout_);
        std::int64_t first_row = 0;
        try {
            for (std::string_view line; in_.next_full_line(line);) {
                TableHands hands;
                const double time = parse(line, hands);
                if (first_row == 0) first_row = in_.row();
                if (settled_)
                    push(time, in_.row(), hands);
                else
                    wait(time, hands);
            }
        } catch (const CutOff&) {
            if (!settled_) settle();
            throw;
        }
        if (!settled_) settle();
        if (first_row > 0 && !any_hand_)
            in_.fail_at(first_row, "no row has a hand: from this row on, positions are empty, NaN or all at one point");
    }

  private:
    // Returns the time in the file's unit.
    double parse(std::string_view line, TableHands& hands) {
        auto time = static_cast<double>(rows_++);
        std::array<std::array<Eigen::Vector3f, kJointCount>, 2> places;
        for (auto& hand : places) hand.fill(Eigen::Vector3f::Constant(std::nanf("")));
        for_each_cell(in_, line, layout_.columns.size(), [&](std::size_t i, std::string_view cell) {
            const JointColumn& column = layout_.columns[i];
            if (i == layout_.time) {
                const auto civil_ns = parse_civil_time_ns(cell);
                is_civil_ = civil_ns.has_value();
                time = civil_ns ? 1e-9 * static_cast<double>(*civil_ns) : number_of_cell(in_, cell, i);
            } else if (i == layout_.frame && !layout_.time) {
                time = number_of_cell(in_, cell, i);
            } else if (column.kind == JointColumnKind::position && !trimmed(cell).empty()) {
                places[column.hand][column.joint][column.axis] = static_cast<float>(number_of_cell(in_, cell, i));
            }
        });
        for (const Side side : {Side::left, Side::right}) put(places[static_cast<std::size_t>(side)], hands[side]);
        return time;
    }

    // A hand whose joints are all at one point is lost: programs write zeros.
    static void put(const std::array<Eigen::Vector3f, kJointCount>& places, HandFrame& hand) {
        const Eigen::Vector3f* first = nullptr;
        for (std::size_t j = 0; j < kJointCount; ++j) {
            if (!places[j].allFinite()) continue;
            hand.joints[j].position_m = places[j];
            hand.joints[j].flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
            if (first == nullptr) first = &places[j];
            hand.active = hand.active || places[j] != *first;
        }
        if (!hand.active) hand = {};
    }

    void wait(double time, const TableHands& hands) {
        const bool any = hands[Side::left].active || hands[Side::right].active;
        collect(WaitingRow{time, any ? std::optional(waiting_hands_.size()) : std::nullopt, in_.row()}, in_, options_,
                waiting_);
        if (any) waiting_hands_.push_back(hands);
        if (waiting_hands_.size() == kMaxWaitingHands) settle();
    }

    // Decides unit of time and axes from the first rows.
    void settle() {
        settled_ = true;
        std::vector<double> stamps;
        for (const WaitingRow& row : waiting_) stamps.push_back(row.time);
        const double named_ns = layout_.time ? layout_.columns[*layout_.time].ns_per_unit : kDefaultFrame_ns;
        const auto guessed_ns = guess_time_unit_ns(stamps);
        unit_ns_ = is_civil_ ? 1e9 : named_ns > 0.0 ? named_ns : guessed_ns.value_or(1e9);
        if (!layout_.time)
            out_.note(std::string("The file has no time; its ") + (layout_.frame ? "frames" : "rows") +
                      " were taken as 30 a second.");
        else if (!is_civil_ && named_ns == 0.0 && guessed_ns)
            note_time_unit(*guessed_ns, out_);
        settle_axes();
        SourceTraits source;
        source.unit_m.reset();
        if (layout_.is_rokoko) source.usual_unit_m = 1.0F;
        source.side_known = layout_.side_known;
        for (const tracking::JointSet& joints : layout_.joints)
            if (joints.any()) source.lacking |= ~joints;
        out_.describe(source);
        for (const WaitingRow& row : waiting_) {
            TableHands none;
            push(row.time, row.row, row.hands ? waiting_hands_[*row.hands] : none);
        }
        waiting_.clear();
        waiting_hands_.clear();
    }

    void settle_axes() {
        if (!layout_.side_known || !options_.axes.as_they_are()) return;
        tracking::SideEvidence evidence;
        for (const TableHands& hands : waiting_hands_) {
            if (hands[Side::left].active) evidence.add(hands[Side::left]);
            if (hands[Side::right].active) evidence.add_other(hands[Side::right]);
        }
        const tracking::SideVerdict of_left = evidence.verdict();
        mirrored_ = layout_.is_rokoko;
        if (of_left.confidence >= tracking::kSureOfSide) mirrored_ = of_left.side == Side::right;
        if (mirrored_) out_.note("The file's axes are left-handed; Z was reversed.");
    }

    void push(double time, std::int64_t row, TableHands& hands) {
        const double time_ns = time * unit_ns_;
        if (!(std::abs(time_ns) < 9e18)) in_.fail("the time is out of range");
        out_.hold(std::llround(time_ns), row);
        for (const Side side : {Side::left, Side::right}) {
            HandFrame& hand = hands[side];
            any_hand_ = any_hand_ || hand.active;
            if (mirrored_)
                for (tracking::JointPose& joint : hand.joints) joint.position_m.z() *= -1.0F;
            out_.held()[side] = hand;
        }
        out_.push_held();
    }

    Input& in_;
    const ImportOptions& options_;
    Assembly& out_;
    JointTableLayout layout_;
    std::vector<WaitingRow> waiting_;
    std::vector<TableHands> waiting_hands_;
    std::int64_t rows_ = 0;
    double unit_ns_ = 1e9;
    bool settled_ = false, is_civil_ = false, mirrored_ = false, any_hand_ = false;
};

}  // namespace

bool is_joint_csv(std::string_view head, std::uintmax_t file_size) {
    const std::string_view header = header_of(head).names;
    if (std::count(header.begin(), header.end(), ',') < static_cast<std::ptrdiff_t>(kMinAngles)) return false;
    if (is_manus_csv(head, file_size) || is_glovebox_csv(head, file_size)) return false;
    std::vector<std::string> names;
    std::string_view name;
    for (Fields fields(header); fields.next(name) && names.size() < kMaxJointColumns;)
        names.emplace_back(trimmed(name));
    const JointTableLayout layout = joint_table_layout(names);
    const bool any = layout.angles >= kMinAngles || layout.largest().count() >= kMinJoints;
    return any && !is_landmark_csv(head, file_size);
}

void read_joint_csv(Input& in, const ImportOptions& options, Assembly& out) {
    JointTableReader(in, options, out).read();
}

}  // namespace glovebox::recordings
