// Motion capture programs and own scripts write tables with three columns for the position of each joint, and often
// others for rotations, which are not used. A column is recognised by a joint's name (joint_names.h), an optional word
// for a position, and an axis: RightHandIndex1_position_x, "Right Hand Index 1 Tx", LeftHand:Position:X, l_index1.posX.
//
// Rokoko Studio writes Timestamp in milliseconds, then positions in metres of all segments of a body
// (RightDigit2ProximalPhalangx_position_x), then angles of the joints (RightDigit2Metacarpophalangeal_flexion). Its
// axes are Unity's: left-handed, Y up, Z forward [Rokoko].
// A column `hand` may name the hand of the row, if the columns name no sides.
//
// Loggers of Unity write a long table: a row for each joint and instant, with the joint's name or number, the hand, and
// three columns for the position (Time,Hand,JointID,PosX,PosY,PosZ). The rows of an instant become one row of a table
// with both hands.
//
// Other programs with such tables may have left-handed axes too. So the hands' shape decides whether the axes are
// left-handed, if the columns name the sides.
#include "recordings/formats/joint_csv.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "recordings/collect.h"
#include "recordings/formats/angle_csv.h"
#include "recordings/formats/csv_columns.h"
#include "recordings/formats/glovebox_csv.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_lists.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/landmark_csv.h"
#include "recordings/formats/landmarks.h"
#include "recordings/formats/manus_csv.h"
#include "recordings/formats/point_order.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

constexpr std::size_t kMaxJointColumns = 4096;
constexpr std::size_t kMinAngles = 8;  // a glove with fewer has no joint angles of four fingers
constexpr std::size_t kMinJoints = 5;  // with fewer, the table is hardly of hands
constexpr std::size_t kMaxWaitingHands = 256;
constexpr std::size_t kMaxNames = 256;  // that are remembered

enum class JointColumnKind {
    other,
    time,
    frame,
    position,
    angle,
    hand_of_row,
    object_of_row,  // which may be a hand
    joint_of_row,
    position_of_row
};
struct JointColumn {
    JointColumnKind kind = JointColumnKind::other;
    double ns_per_unit = 0.0;  // of a time; 0: to be guessed
    std::string figure;        // "Anna" of Anna:RightHand
    std::size_t hand = 0;      // index of hands: left, right, not named
    std::size_t joint = 0;
    int axis = 0;
    bool of_rokoko = false, is_thumb_middle = false;
    bool is_number = false;  // of the row's hand or joint; a column with its name is preferred
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
    const bool is_channel = words.back().ends_with("position");  // RightHand_Xposition, as BVH names a channel
    const int axis = (is_channel ? words.back().front() : words.back().back()) - 'x';
    if (!take({"x", "y", "z", "tx", "ty", "tz", "px", "py", "pz", "posx", "posy", "posz", "xposition", "yposition",
               "zposition"}))
        return std::nullopt;
    while (take({"position", "positions", "pos", "translation", "translate", "trans", "location", "loc", "coord",
                 "world", "global", "t", "p"})) {
    }
    return axis;
}

// Leap's own example and scripts for Blender write bones with two ends (Index_Distal_Start_X, f_index.03.R_tail_x,
// index_distal_next_joint_x). Removes the word of an end from the name of a bone, and returns which end it is.
enum class BoneEnd { none, start, end };
BoneEnd take_bone_end(std::string_view& name, const std::vector<std::string>& words) {
    const std::size_t joint = words.back() == "joint" ? 1 : 0;
    if (words.size() < 2 + joint) return BoneEnd::none;
    const std::string& word = words[words.size() - 1 - joint];
    const bool is_end = is_one_of(word, {"end", "next", "tail"});
    if (!is_end && !is_one_of(word, {"start", "begin", "prev", "head"})) return BoneEnd::none;
    if (joint == 1) remove_last_word(name, words.back().size());
    remove_last_word(name, word.size());
    return is_end ? BoneEnd::end : BoneEnd::start;
}

// The start of a bone has the joint of its name, and the end of the last bone is the fingertip. Other ends are the
// start of the next bone.
std::optional<NamedJoint> joint_at(BoneEnd end, std::optional<NamedJoint> bone) {
    if (end != BoneEnd::end || !bone) return bone;
    bone->joint = static_cast<Joint>(static_cast<std::size_t>(bone->joint) + 1);
    return is_tip(bone->joint) ? bone : std::nullopt;
}

// Returns what a column of these words tells about the rows of a long table: the hand, the joint, or nothing.
JointColumnKind kind_of_row_column(const std::vector<std::string>& words) {
    if (words == std::vector<std::string>{"object"}) return JointColumnKind::object_of_row;
    bool hand = false, joint = false;
    for (const std::string& word : words) {
        const bool is_joint = is_one_of(word, {"joint", "bone", "landmark", "keypoint", "point"});
        const bool is_hand = is_one_of(word, {"hand", "xrhand", "handedness", "side", "chirality"});
        if (!is_joint && !is_hand &&
            !is_one_of(word, {"id", "idx", "index", "number", "num", "no", "name", "type", "label"}))
            return JointColumnKind::other;
        joint = joint || is_joint;
        hand = hand || is_hand;
    }
    return joint ? JointColumnKind::joint_of_row : hand ? JointColumnKind::hand_of_row : JointColumnKind::other;
}

// Returns true for an angle of a finger's joint: Thumb_CMC_Spread, RightHandIndex1_rotation_x, indexMcpFlexion.
bool is_finger_angle(const std::vector<std::string>& words) {
    const bool angle = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return is_one_of(word, {"flexion", "flex",       "extension", "abduction", "adduction", "abd", "spread",
                                "splay",   "stretch",    "bend",      "curl",      "deviation", "rot", "pronation",
                                "angle",   "rotation",   "euler",     "quat",      "q",         "rx",  "ry",
                                "rz",      "quaternion", "roll",      "pitch",     "yaw",       "qx",  "qy",
                                "qz",      "qw",         "xrotation", "yrotation", "zrotation"});
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
    column.kind = kind_of_row_column(words);
    column.is_number = is_one_of(words.back(), {"id", "idx", "index", "number", "num", "no"});
    if (column.kind != JointColumnKind::other) return column;
    if (is_finger_angle(words)) column.kind = JointColumnKind::angle;
    const auto axis = take_position_axis(name, words);
    if (!axis) return column;
    column.axis = *axis;
    if (words.empty() || (words.size() == 1 && is_one_of(words[0], {"joint", "head"}))) {
        column.kind = JointColumnKind::position_of_row;
        return column;
    }
    const BoneEnd end = take_bone_end(name, words);
    auto named = joint_of_track_name(name);
    if (!named) named = joint_of_track_name(letters_of(name));
    named = joint_at(end, named);
    if (!named) return column;
    column.kind = JointColumnKind::position;
    column.hand = named->side ? static_cast<std::size_t>(*named->side) : kNotNamed;
    column.joint = static_cast<std::size_t>(named->joint);
    column.is_thumb_middle = named->is_thumb_middle;
    const std::size_t colon = name.rfind(':');
    if (colon != std::string_view::npos) column.figure = name.substr(0, colon);
    const std::string letters = letters_of(name);
    column.of_rokoko = letters.ends_with("phalangx") || letters.ends_with("finger2proximal");
    return column;
}

struct JointTableLayout {
    std::vector<JointColumn> columns;
    std::optional<std::size_t> time, frame, hand, joint, part;
    bool is_long = false;                      // with a row for each joint
    std::array<tracking::JointSet, 3> joints;  // of each hand: with three columns; long: in the first instants
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

// Corrects the thumbs that have a joint between the proximal and the distal one.
void name_thumbs(std::vector<JointColumn>& columns) {
    std::array<bool, 3> has_middle{};
    for (const JointColumn& column : columns)
        has_middle[column.hand] = has_middle[column.hand] || column.is_thumb_middle;
    for (JointColumn& column : columns) {
        const NamedJoint named{std::nullopt, static_cast<Joint>(column.joint), column.is_thumb_middle};
        column.joint = static_cast<std::size_t>(joint_beside(named, has_middle[column.hand]));
    }
}

JointTableLayout joint_table_layout(const std::vector<std::string>& names) {
    JointTableLayout layout;
    std::array<std::array<int, kJointCount>, 3> axes{};  // bits of the axes found
    int axes_of_row = 0;
    std::optional<std::size_t> object;
    std::optional<std::string> figure;
    for (const std::string& name : names) layout.columns.push_back(joint_column_of_name(name));
    name_thumbs(layout.columns);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& name = names[i];
        JointColumn& column = layout.columns[i];
        if (column.kind == JointColumnKind::time && !layout.time) layout.time = i;
        if (column.kind == JointColumnKind::frame && !layout.frame) layout.frame = i;
        if (!layout.part && words_of_name(name) == std::vector<std::string>{"type"}) layout.part = i;
        for (const auto& [kind, at] :
             {std::pair{JointColumnKind::hand_of_row, &layout.hand}, std::pair{JointColumnKind::object_of_row, &object},
              std::pair{JointColumnKind::joint_of_row, &layout.joint}})
            if (column.kind == kind && (!*at || (layout.columns[**at].is_number && !column.is_number))) *at = i;
        if (column.kind == JointColumnKind::position_of_row) {
            const int bit = 1 << column.axis;
            if ((axes_of_row & bit) != 0) column.kind = JointColumnKind::other;
            axes_of_row |= bit;
        }
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
    layout.is_long = !layout.has_hand() && layout.joint && axes_of_row == 7;
    if (layout.is_long && !layout.hand) layout.hand = object;
    return layout;
}

JointTableLayout joint_table_layout(std::string_view header) {
    std::vector<std::string> names;
    std::string_view name;
    for (Fields fields(header); fields.next(name) && names.size() < kMaxJointColumns;)
        names.emplace_back(trimmed(name));
    return joint_table_layout(names);
}

// The joints of a long table, from the rows in the head of the file.
struct JointCells {
    bool any = false;  // that is no landmark of MediaPipe's
    bool thumb_middle = false;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;  // of numbers
};

JointCells joint_cells_of(std::string_view head, const JointTableLayout& layout) {
    JointCells cells;
    std::string_view line, cell;
    for (Fields lines(head.substr(header_of(head).end), '\n'); lines.next(line);) {
        Fields fields(line);
        std::string_view joint, part;
        for (std::size_t i = 0; fields.next(cell); ++i) {
            if (i == *layout.joint) joint = cell;
            if (layout.part && i == *layout.part) part = unquoted(cell);
        }
        if (trimmed(joint).empty() || is_one_of(part, {"face", "pose", "body"})) continue;
        cell = joint;
        double number = 0.0;
        if (parse_number(unquoted(cell), number)) {
            cells.lowest = std::min(cells.lowest, number);
            cells.highest = std::max(cells.highest, number);
            cells.any = cells.any || number > 20.0;
        } else if (const auto named = joint_of_track_name(unquoted(cell))) {
            cells.any = cells.any || !landmark_of_cell(cell);
            cells.thumb_middle = cells.thumb_middle || named->is_thumb_middle;
        }
    }
    return cells;
}

[[noreturn]] void refuse_joint_table(const Input& in, const JointTableLayout& layout) {
    const tracking::JointSet& joints = layout.largest();
    std::string found = counted(joints.count(), "joint") + " of a hand";
    const bool lacks_wrist = joints.any() && !joints.test(static_cast<std::size_t>(Joint::wrist));
    if (lacks_wrist) found += ", without the wrist";
    constexpr std::size_t kMinWithoutWrist = 10;
    if (lacks_wrist && joints.count() >= kMinWithoutWrist)
        in.fail("this table has positions of " + found +
                "; add columns of the wrist's position in the same frame, such as RightWrist_position_x: zeros if the "
                "positions are relative to it");
    const tracking::JointSet tips = tracking::joint_set(
        {Joint::palm, Joint::thumb_tip, Joint::index_tip, Joint::middle_tip, Joint::ring_tip, Joint::little_tip});
    if (joints.any() && (joints & ~tips).none())
        in.fail("this table has positions of " + std::to_string(joints.count()) +
                " joints of a hand, fingertips or the palm, without the joints between them, so how the fingers bend "
                "is not known; export the joints of the bones too (Leap: prev_joint and next_joint of each bone)");
    const std::string needed =
        "; columns of positions are needed for 10 joints or more, among them the wrist and the knuckles of index and "
        "middle finger (RightHand_position_x, RightHandIndex1_position_x ...)";
    if (layout.angles >= kMinAngles)
        in.fail("this table has " + std::to_string(layout.angles) + " columns with angles of fingers, such as " +
                excerpt(layout.example_angle, 48) + ", and positions of " + found +
                "; rotations have axes of their own in each program, so they are not read, only flexions by name "
                "(Index_MCP_Flex, Index_PIP_Flex ...)" +
                needed + "; export the positions too, or the recording as FBX or BVH");
    in.fail("this table has positions of " + found + needed);
}

// Returns the longest time from the first to the last row of an instant, in the file's unit, of a long table whose rows
// have times of their own; 0 if the rows of an instant have the same time. `parse_time` returns a cell's time.
template <class ParseTime>
double time_of_instant(std::string_view head, const JointTableLayout& layout, ParseTime&& parse_time) {
    constexpr std::size_t kMinTimes = 4;  // of an instant; two hands may have two
    if (!layout.time || layout.frame) return 0.0;
    std::string_view line;
    std::string before;
    std::set<std::string> joints, times;
    std::map<std::string, bool, std::less<>> is_joint;
    constexpr double kOfSpan = 16.0;  // if the head has only one instant
    double last = 0.0;
    std::vector<double> begins;
    std::vector<std::size_t> counts;  // of times, for each instant
    for (Fields lines(head.substr(header_of(head).end), '\n'); lines.next(line);) {
        std::string_view cell, time, joint, hand;
        Fields fields(line);
        for (std::size_t i = 0; fields.next(cell); ++i) {
            if (i == *layout.time) time = trimmed(cell);
            if (i == *layout.joint) joint = unquoted(cell);
            if (layout.hand && i == *layout.hand) hand = unquoted(cell);
        }
        const auto stamp = parse_time(time);
        auto known = is_joint.find(joint);
        if (known == is_joint.end()) known = is_joint.emplace(joint, joint_of_track_name(joint).has_value()).first;
        double number = 0.0;
        if (!stamp || (!known->second && !parse_number(joint, number))) continue;
        std::string name = std::string(hand) + "/" + std::string(joint);
        if (name == before) continue;
        if (begins.empty() || !joints.insert(name).second) {
            if (!begins.empty()) counts.push_back(times.size());
            begins.push_back(*stamp);
            joints = {name};
            times.clear();
        }
        times.emplace(time);
        last = *stamp;
        before = std::move(name);
    }
    if (counts.empty()) return times.size() < kMinTimes ? 0.0 : kOfSpan * (last - begins[0]);
    const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
    std::nth_element(counts.begin(), middle, counts.end());
    if (*middle < kMinTimes) return 0.0;
    std::vector<double> steps;
    for (std::size_t i = 1; i < begins.size(); ++i) steps.push_back(begins[i] - begins[i - 1]);
    const auto step = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), step, steps.end());
    return std::max(0.5 * *step, 0.0);
}

constexpr const char* kUseNames = "; write the joints' names instead: wrist, index_proximal ...";

using TableHands = tracking::PerSide<HandFrame>;

// A row that waits for the decision on the axes. Rows without a hand are small, because there may be many.
struct WaitingRow {
    CellTime time;
    std::optional<std::size_t> hands;  // index
    std::int64_t row = 0;              // for messages
};

using Places = std::array<std::array<Eigen::Vector3f, kJointCount>, 2>;
Places no_places() {
    Places places;
    for (auto& hand : places) hand.fill(Eigen::Vector3f::Constant(std::nanf("")));
    return places;
}

// A row, or the rows of a long table that are put together for an instant.
struct TableRow {
    CellTime time;
    std::int64_t number = 0;                   // for messages
    std::string key, hand, joint;              // cells of a long table; rows of an instant have the same key
    std::array<tracking::JointSet, 2> joints;  // put together
    Places places = no_places();               // of a row of a long table: the first
};

// Returns true if most joints have a rotation as Unreal writes it.
bool has_rotators(std::string_view names) {
    constexpr int kMinRotators = 10;
    int rotators = 0;
    std::string_view name;
    for (Fields fields(names); fields.next(name);) {
        const std::vector<std::string> words = words_of_name(unquoted(name));
        rotators += std::find(words.begin(), words.end(), "pitch") != words.end() ? 1 : 0;
    }
    return rotators >= kMinRotators;
}

class JointTableReader {
  public:
    JointTableReader(Input& in, const ImportOptions& options, Assembly& out) : in_(in), options_(options), out_(out) {}

    void read() {
        const std::vector<std::string> names = read_column_names(in_);
        layout_ = joint_table_layout(names);
        if (!layout_.is_long && !layout_.has_hand() && has_finger_angles(names))
            return read_finger_angles(in_, names, options_, out_);
        if (layout_.is_long) {
            refuse_rows_by_joint(in_, *layout_.joint);
            settle_numbers();
            instant_time_ = time_of_instant(in_.head(), layout_, [](std::string_view cell) -> std::optional<double> {
                if (const auto civil_ns = parse_civil_time_ns(cell)) return 1e-9 * static_cast<double>(*civil_ns);
                double time = 0.0;
                return parse_number(unquoted(cell), time) ? std::optional(time) : std::nullopt;
            });
            if (instant_time_ > 0.0) out_.note("The rows of an instant have different times; the first one was taken.");
        } else if (!layout_.has_hand()) {
            refuse_joint_table(in_, layout_);
        }
        drop_empty_times(in_, layout_.time, out_);
        rows_name_hand_ = layout_.hand && !layout_.side_known;
        try {
            for (std::string_view line; in_.next_full_line(line);) {
                TableRow row = parse(line);
                if (row.time.empty()) {
                    ++rows_without_time_;
                    continue;
                }
                layout_.is_long ? gather(row) : rows_name_hand_ ? pair_up(row) : take(row);
            }
            end_instant();
        } catch (const ImportError&) {
            if (!settled_) settle();
            throw;
        }
        if (!settled_) settle();
        note_rows_without_time(rows_without_time_, out_);
        if (first_row_ > 0 && !any_hand_)
            in_.fail_at(
                first_row_,
                std::string("no row has a hand: from this row on, positions are empty, NaN or all at one point") +
                    (layout_.is_long ? ", or the joints of an instant are apart: sort the file by time" : ""));
    }

  private:
    TableRow parse(std::string_view line) {
        TableRow row;
        row.number = in_.row();
        const JointColumnKind position = layout_.is_long ? JointColumnKind::position_of_row : JointColumnKind::position;
        for_each_cell(in_, line, layout_.columns.size(), [&](std::size_t i, std::string_view cell) {
            const JointColumn& column = layout_.columns[i];
            if (i == layout_.time) {
                row.time = time_of_cell(in_, cell, i);
                is_civil_ = is_civil_ || row.time.exact_ns;
            } else if (i == layout_.frame && !layout_.time) {
                row.time.value = number_of_cell(in_, cell, i);
            } else if (i == layout_.hand) {
                row.hand = unquoted(cell);
            } else if (i == layout_.joint) {
                row.joint = unquoted(cell);
            } else if (column.kind == position && !trimmed(cell).empty()) {
                row.places[column.hand][column.joint][column.axis] = static_cast<float>(number_of_cell(in_, cell, i));
            }
            if (i == (layout_.frame ? layout_.frame : layout_.time)) row.key = cell;
        });
        return row;
    }

    // Refuses numbers of joints whose meaning is not known. Unity's begin with 1, OpenXR's with 0. Other lists of
    // joints are known by their length.
    void settle_numbers() {
        cells_ = joint_cells_of(in_.head(), layout_);
        const double lowest = cells_.lowest, highest = cells_.highest;
        if (lowest > highest) return;
        if ((lowest == 0.0 || lowest == 1.0) && highest - lowest < JointList::kMaxPoints)
            list_ = joint_list_of(static_cast<std::size_t>(highest - lowest) + 1);
        if (list_ != nullptr) return;
        char range[64];
        std::snprintf(range, sizeof range, "%.6g to %.6g", lowest, highest);
        in_.fail(std::string("the joints are numbers from ") + range +
                 ", whose meaning is not known; 24 (Oculus), 25 or 26 (OpenXR, Unity) or 31 (SteamVR) are expected, "
                 "from 0 or 1" +
                 kUseNames);
    }

    // Returns true for a row of an object that is no hand.
    bool is_object(const TableRow& row) {
        double number = 0.0;
        const bool names_hand = row.hand.empty() || side_of_word(row.hand) || parse_number(row.hand, number);
        if (!layout_.hand || names_hand || !layout_.side_known) return false;
        if (objects_.contains(row.joint)) return true;
        if (joint_of_track_name(row.joint)) return false;
        if (objects_.size() == kMaxNames) objects_.clear();
        objects_.insert(row.joint);
        return true;
    }

    // Returns nothing for a row without a joint of ours.
    std::optional<NamedJoint> joint_of_cell(std::string_view cell) {
        double number = 0.0;
        if (parse_number(cell, number)) {
            number -= cells_.lowest;
            if (list_ == nullptr || !(number >= 0.0 && number < static_cast<double>(list_->points)))
                in_.fail("the joint is " + excerpt(cell) + "; the first rows have names or smaller numbers");
            const int joint = list_->joints[static_cast<std::size_t>(number)];
            return joint < 0 ? std::nullopt : std::optional(NamedJoint{std::nullopt, static_cast<Joint>(joint)});
        }
        if (const auto found = names_.find(cell); found != names_.end()) return found->second;
        auto named = joint_of_track_name(cell);
        // Loggers write other bones too: Oculus has one of the arm and the trapezium.
        const std::string letters = letters_of(cell);
        if (named) named->joint = joint_beside(*named, cells_.thumb_middle);
        if (!named && !letters.empty() && !letters.ends_with("forearmstub") && !letters.ends_with("thumb0"))
            in_.fail("the joint is " + excerpt(cell, 48) +
                     "; known are Wrist, Palm, and Metacarpal, Proximal, Intermediate, Distal and Tip of Thumb, Index, "
                     "Middle, Ring and Little, as OpenXR, Unity, MRTK, Oculus and others spell them (IndexProximal, "
                     "XRHand_IndexTip, Hand_Index1)");
        if (names_.size() == kMaxNames) names_.clear();
        names_.emplace(cell, named);
        return named;
    }

    // Returns true if the row is of the current instant, by its time.
    bool is_in_instant(const TableRow& row) const {
        if (instant_->key == row.key) return true;
        return row.time.value >= instant_->time.value && row.time.value - instant_->time.value < instant_time_;
    }

    // Adds the row of a long table to its instant. A joint that comes again begins another instant.
    void gather(const TableRow& row) {
        if (is_object(row)) return;
        const auto named = joint_of_cell(row.joint);
        std::size_t hand = 0, joint = 0;
        if (named) {
            hand = hand_of_cell(row.hand, named->side);
            joint = static_cast<std::size_t>(named->joint);
        }
        const bool again = instant_ && named && instant_->joints[hand].test(joint);
        // Programs that go through an enumeration write a joint with two names twice.
        if (again && is_in_instant(row) && !row.key.empty() && instant_->places[hand][joint] == row.places[0][0])
            return;
        if (again && instant_->key == row.key && !row.key.empty() && !layout_.hand && !layout_.side_known)
            in_.fail("the joint " + excerpt(row.joint) +
                     " comes twice at one time; add a column of the hand, with Left and Right");
        if (again || (instant_ && !is_in_instant(row))) end_instant();
        if (!instant_) {
            instant_ = row;
            instant_->places = no_places();
        }
        if (!named) return;
        instant_->joints[hand].set(joint);
        instant_->places[hand][joint] = row.places[0][0];
    }

    // Returns the index of the hand in a cell: the side, or else 0 or 1.
    std::size_t hand_of_cell(std::string_view cell, std::optional<Side> side_of_joint) {
        auto side = side_of_word(cell);
        if (!side) side = side_of_joint;
        if (!std::exchange(any_joint_, true)) layout_.side_known = side.has_value();
        if (layout_.side_known && !side) in_.fail("the hand is " + excerpt(cell) + "; left or right is expected");
        return layout_.side_known ? static_cast<std::size_t>(*side) : hand_cells_.index_of(in_, cell);
    }

    // Adds a row of one hand, whose columns name no side, to its instant. A hand that comes again begins another
    // instant.
    void pair_up(TableRow& row) {
        const std::size_t hand = hand_of_cell(row.hand, std::nullopt);
        if (hand == 1) std::swap(row.places[0], row.places[1]);
        row.joints[hand].set();
        if (instant_ && (instant_->key != row.key || instant_->joints[hand].any())) end_instant();
        if (!instant_) {
            instant_ = row;
            return;
        }
        instant_->joints[hand].set();
        instant_->places[hand] = row.places[hand];
    }

    void end_instant() {
        if (!instant_) return;
        if (wrist_first_)
            for (auto& hand : instant_->places) std::swap(hand[0], hand[1]);
        take(*instant_);
        instant_.reset();
    }

    void take(TableRow& row) {
        if (!layout_.time && !layout_.frame) row.time.value = static_cast<double>(samples_);
        if (samples_++ == 0) first_row_ = row.number;
        TableHands hands;
        for (const Side side : {Side::left, Side::right}) put(row.places[static_cast<std::size_t>(side)], hands[side]);
        if (settled_)
            push(row.time, row.number, hands);
        else
            wait(row.time, row.number, hands);
    }

    static void put(const std::array<Eigen::Vector3f, kJointCount>& places, HandFrame& hand) {
        for (std::size_t j = 0; j < kJointCount; ++j) {
            if (!places[j].allFinite()) continue;
            hand.joints[j].position_m = places[j];
            hand.joints[j].flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
            hand.active = true;
        }
        if (tracking::is_at_one_point(hand)) hand = {};
    }

    void wait(const CellTime& time, std::int64_t row, const TableHands& hands) {
        const bool any = hands[Side::left].active || hands[Side::right].active;
        collect(WaitingRow{time, any ? std::optional(waiting_hands_.size()) : std::nullopt, row}, in_, options_,
                waiting_);
        if (any) waiting_hands_.push_back(hands);
        if (waiting_hands_.size() == kMaxWaitingHands) settle();
    }

    // Decides unit of time and axes from the first rows.
    void settle() {
        settled_ = true;
        std::vector<double> stamps;
        for (const WaitingRow& row : waiting_) stamps.push_back(row.time.value);
        const double named_ns = layout_.time ? layout_.columns[*layout_.time].ns_per_unit : kDefaultFrame_ns;
        const auto guessed_ns = guess_time_unit_ns(stamps);
        unit_ns_ = is_civil_ ? 1e9 : named_ns > 0.0 ? named_ns : guessed_ns.value_or(1e9);
        if (!layout_.time)
            out_.note(std::string("The file has no time; its ") +
                      (layout_.frame || layout_.is_long ? "frames" : "rows") + " were taken as 30 a second.");
        else if (!is_civil_ && named_ns == 0.0 && guessed_ns)
            note_time_unit(*guessed_ns, out_);
        if (layout_.is_long) settle_joints();
        if (options_.axes.as_they_are() && has_rotators(header_of(in_.head()).names))
            out_.note("Joints with Pitch, Yaw and Roll are Unreal's: of a recording from there, give --axes unreal.");
        SourceTraits source;
        source.unit_m.reset();
        if (layout_.is_rokoko) source.usual_unit_m = 1.0F;
        source.side_known = layout_.side_known;
        source.axes_known = false;
        source.usually_mirrored = layout_.is_rokoko;
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

    // Finds the joints of a long table. If they are numbers, the shape decides which of the first two is the wrist: it
    // is farther from the knuckles than the palm.
    void settle_joints() {
        std::array<double, 2> lengths{};
        for (const TableHands& hands : waiting_hands_)
            for (const Side side : {Side::left, Side::right}) {
                const auto& joints = hands[side].joints;
                const tracking::JointSet there = tracking::valid_positions(hands[side]);
                layout_.joints[static_cast<std::size_t>(side)] |= there;
                const auto knuckle = static_cast<std::size_t>(Joint::middle_proximal);
                if (!there.test(0) || !there.test(1) || !there.test(knuckle)) continue;
                for (std::size_t j = 0; j < 2; ++j)
                    lengths[j] += static_cast<double>((joints[j].position_m - joints[knuckle].position_m).norm());
            }
        if (waiting_hands_.empty()) return;
        if (!layout_.has_hand()) refuse_joint_table(in_, layout_);
        if (list_ == nullptr) return;
        if (list_->points != kJointCount) {
            std::vector<HandFrame> all;
            for (const TableHands& pair : waiting_hands_) all.insert(all.end(), pair.begin(), pair.end());
            refuse_joints_of_no_hand(in_, std::nullopt, all);
            return out_.note("The joints are numbers; their count is that of " + std::string(list_->name) + ".");
        }
        constexpr double kClearly = 1.3;  // in a hand it is about 2
        wrist_first_ = lengths[0] > kClearly * lengths[1];
        if (!wrist_first_ && !(lengths[1] > kClearly * lengths[0]))
            in_.fail(std::string("the joints are numbers, and by the shape neither of the first two is the wrist") +
                     kUseNames);
        if (wrist_first_)
            for (TableHands& hands : waiting_hands_)
                for (HandFrame& hand : hands) std::swap(hand.joints[0], hand.joints[1]);
        const std::string first = cells_.lowest == 0.0 ? "0" : "1", second = cells_.lowest == 0.0 ? "1" : "2";
        out_.note("The joints are numbers; by the shape of the hand, " + (wrist_first_ ? second : first) +
                  " is the palm and " + (wrist_first_ ? first : second) + " the wrist.");
    }

    void push(const CellTime& time, std::int64_t row, TableHands& hands) {
        out_.hold(time_ns_of(in_, time, unit_ns_, row), row);
        for (const Side side : {Side::left, Side::right}) {
            HandFrame& hand = hands[side];
            any_hand_ = any_hand_ || hand.active;
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
    JointCells cells_;
    const JointList* list_ = nullptr;  // long: of joints that are numbers
    std::map<std::string, std::optional<NamedJoint>, std::less<>> names_;
    std::set<std::string, std::less<>> objects_;
    HandCells hand_cells_;
    std::optional<TableRow> instant_;
    std::int64_t samples_ = 0, first_row_ = 0, rows_without_time_ = 0;
    double unit_ns_ = 1e9;
    double instant_time_ = 0.0;  // long: of rows with different times, in the file's unit
    bool settled_ = false, is_civil_ = false, any_hand_ = false;
    bool any_joint_ = false, rows_name_hand_ = false, wrist_first_ = false;  // long: the first joint is the wrist
};

}  // namespace

bool is_joint_csv(std::string_view head, std::uintmax_t file_size) {
    const std::string_view header = header_of(head).names;
    if (is_manus_csv(head, file_size) || is_glovebox_csv(head, file_size)) return false;
    if (is_long_joint_csv(head)) return true;
    if (std::count(header.begin(), header.end(), ',') < static_cast<std::ptrdiff_t>(kMinAngles) - 1) return false;
    const JointTableLayout layout = joint_table_layout(header);
    const bool any = layout.angles >= kMinAngles || layout.largest().count() >= kMinJoints;
    return any && !is_landmark_csv(head, file_size);
}

bool is_long_joint_csv(std::string_view head) {
    const JointTableLayout layout = joint_table_layout(header_of(head).names);
    return layout.is_long && joint_cells_of(head, layout).any;
}

void read_joint_csv(Input& in, const ImportOptions& options, Assembly& out) {
    JointTableReader(in, options, out).read();
}

}  // namespace glovebox::recordings
