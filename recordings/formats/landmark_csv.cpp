// MediaPipe has no file format of its own, so every project writes its own table. A table is recognised by the meaning
// of its columns, from the words in their names, in any case and order ("x0", "WRIST_x", "landmark_0_x",
// "left_hand_5_z", "indexFingerTip.x"):
//   wide  21 landmarks by three coordinates, for one hand per row, or for two (left_ and right_, hand_0_ and hand_1_)
//   long  one landmark per row: a column with its number or name, and columns x, y, z
// The side comes from a column whose cells are words (Left, R). A column of numbers (hand_number, hand_id) only
// separates the hands of an instant: 0 and 1 are the order of detection, not sides. A column of gestures is ignored.
// Time is timestamp, time or t, in the unit of its name, or the one in which time steps are those of a camera; else the
// number of the frame, or of the row, at 30 per second.
#include "recordings/formats/landmark_csv.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "recordings/formats/csv_columns.h"
#include "recordings/formats/joint_csv.h"
#include "recordings/formats/landmarks.h"
#include "recordings/formats/point_order.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr std::size_t kMaxColumns = 4096;

enum class Meaning { other, time, frame, side, label, number, point, coordinate, width, height };
struct LandmarkColumn {
    Meaning meaning = Meaning::other;
    double ns_per_unit = 0.0;  // of a time; 0: to be guessed
    bool world = false;
    std::optional<Side> side;
    int number = 0;                       // of the hand
    std::optional<std::size_t> landmark;  // of a coordinate; nothing: of the row's landmark
    bool is_number = false;               // the landmark, not its name
    int axis = 0;
};

// Returns true for the name of another part of a person in a table of several (MediaPipe's Holistic).
bool is_other_part(std::string_view cell) {
    cell = unquoted(cell);
    return is_one_of(cell, {"face", "pose", "body", "Face", "Pose", "Body"});
}

bool are_all(const std::vector<std::string>& words, std::initializer_list<std::string_view> list) {
    return std::all_of(words.begin(), words.end(), [&list](const std::string& word) { return is_one_of(word, list); });
}

LandmarkColumn column_of_name(std::string_view name) {
    const std::vector<std::string> words = words_of_name(name);
    LandmarkColumn column;
    if (words.empty()) return column;
    const auto is = [&](Meaning meaning) {
        column.meaning = meaning;
        return column;
    };
    if (const auto unit_ns = time_unit_of_column(words)) {
        column.ns_per_unit = *unit_ns;
        return is(Meaning::time);
    }
    if (is_frame_column(words)) return is(Meaning::frame);
    if (are_all(words, {"image", "frame", "picture", "width", "w"}) && words.back()[0] == 'w')
        return is(Meaning::width);
    if (are_all(words, {"image", "frame", "picture", "height", "h"}) && words.back()[0] == 'h')
        return is(Meaning::height);
    if (words.size() > 1 && are_all(words, {"hand", "number", "num", "no", "id", "idx", "index"}))
        return is(Meaning::number);
    if (are_all(words, {"hand", "handedness", "side", "label", "type", "which"}))
        return is(words.size() == 1 && (words[0] == "label" || words[0] == "type") ? Meaning::label : Meaning::side);
    const auto is_point = [](const std::string& word) {
        return is_one_of(word, {"landmark", "landmarks", "lm", "joint", "point", "keypoint", "kp"});
    };
    if (std::any_of(words.begin(), words.end(), is_point) &&
        std::all_of(words.begin(), words.end(), [&](const std::string& word) {
            return is_point(word) || is_one_of(word, {"id", "idx", "index", "number", "num", "name", "hand"});
        }))
        return is(Meaning::point);

    // A coordinate has an axis, and optionally a hand and a landmark.
    std::string landmark;
    int axes = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        std::size_t number = 0;
        if (is_one_of(word, {"x", "y", "z"})) {
            column.axis = word[0] - 'x';
            ++axes;
        } else if (word == "left" || word == "right") {
            column.side = word == "left" ? Side::left : Side::right;
        } else if (is_one_of(word, {"world", "meter", "meters", "metre", "metres"})) {
            column.world = true;
        } else if (word == "hand" && i + 2 < words.size() && parse_number(words[i + 1], number) && number < 10 &&
                   std::any_of(words.begin() + static_cast<std::ptrdiff_t>(i) + 2, words.end(),
                               [](const std::string& w) { return w.size() > 2 || std::isdigit(w[0] & 0x7F) != 0; })) {
            column.number = static_cast<int>(number);
            ++i;
        } else if (parse_number(word, number)) {
            if (column.landmark) return {};
            column.landmark = number;
            column.is_number = true;
        } else if (!is_point(word) &&
                   !is_one_of(word, {"hand", "pos", "position", "coord", "norm", "normalized", "image", "m"})) {
            landmark.append(landmark.empty() ? "" : "_").append(word);
        }
    }
    if (axes != 1) return {};
    if (!landmark.empty()) {
        if (column.landmark) return {};  // of a face or a body
        column.landmark = landmark_of_name(landmark);
        if (!column.landmark) return {};
    }
    return is(Meaning::coordinate);
}

std::vector<LandmarkColumn> columns_of_header(std::string_view header) {
    std::vector<LandmarkColumn> columns;
    std::string_view name;
    for (Fields fields(header); fields.next(name) && columns.size() < kMaxColumns;)
        columns.push_back(column_of_name(trimmed(name)));
    return columns;
}

struct Layout {
    std::vector<LandmarkColumn> columns;
    std::optional<std::size_t> time, frame, side, number, point, width, height;
    bool is_long = false;
    std::size_t wide = 0;     // coordinates of named landmarks
    std::set<int> axes;       // of all coordinates
    std::set<int> in_header;  // hands that the header numbers
    std::set<Side> sides;     // hands that the header names
};

// Some programs number the landmarks from 1 to 21. Points with larger numbers too are others.
void count_from_zero(std::vector<LandmarkColumn>& columns) {
    const auto any = [&columns](std::size_t number) {
        return std::any_of(columns.begin(), columns.end(),
                           [number](const LandmarkColumn& c) { return c.is_number && c.landmark == number; });
    };
    const bool from_one = any(kLandmarks) && !any(0);
    const bool others = std::any_of(columns.begin(), columns.end(), [from_one](const LandmarkColumn& c) {
        return c.is_number && *c.landmark >= kLandmarks + (from_one ? 1 : 0);
    });
    for (LandmarkColumn& column : columns) {
        if (!column.is_number) continue;
        if (others)
            column = {};
        else if (from_one)
            column.landmark = *column.landmark - 1;
    }
}

Layout layout_of(std::string_view header) {
    Layout layout;
    layout.columns = columns_of_header(header);
    const bool any_world = std::any_of(layout.columns.begin(), layout.columns.end(), [](const LandmarkColumn& c) {
        return c.world && c.meaning == Meaning::coordinate;
    });
    const auto first = [](std::optional<std::size_t>& at, std::size_t i) {
        if (!at) at = i;
    };
    count_from_zero(layout.columns);
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        LandmarkColumn& column = layout.columns[i];
        // If a table has both kinds, use the landmarks in metres.
        if (column.meaning == Meaning::coordinate && any_world && !column.world) column.meaning = Meaning::other;
        if (column.meaning == Meaning::time) first(layout.time, i);
        if (column.meaning == Meaning::frame) first(layout.frame, i);
        if (column.meaning == Meaning::side) first(layout.side, i);
        if (column.meaning == Meaning::number) first(layout.number, i);
        if (column.meaning == Meaning::point) first(layout.point, i);
        if (column.meaning == Meaning::width) first(layout.width, i);
        if (column.meaning == Meaning::height) first(layout.height, i);
        if (column.meaning != Meaning::coordinate) continue;
        layout.axes.insert(column.axis);
        layout.wide += column.landmark ? 1 : 0;
        if (column.side) layout.sides.insert(*column.side);
        layout.in_header.insert(column.number);
    }
    for (std::size_t i = 0; i < layout.columns.size(); ++i)
        if (layout.columns[i].meaning == Meaning::label && !layout.side) layout.side = i;
    layout.is_long = layout.wide == 0 && layout.point && layout.axes.size() >= 2;
    return layout;
}

// Properties of ambiguous columns, found from the first rows.
struct Sampled {
    bool side_is_word = false;
    std::optional<double> time_unit_ns;
};

struct LandmarkRow {
    std::optional<CellTime> time;
    double frame = 0.0;
    bool has_frame = false;
    std::string_view side_cell, number_cell, point_cell;
    double width = 0.0, height = 0.0;
    std::array<LandmarkHand, 2> hands;                // wide: by side or number of the header
    Eigen::Vector3f point = Eigen::Vector3f::Zero();  // long
    bool has_point = false;
};

void parse_row(const Input& in, std::string_view line, const Layout& layout, LandmarkRow& row) {
    row = {};
    const Eigen::Vector3f lost = Eigen::Vector3f::Constant(std::nanf(""));
    row.point = lost;
    for (LandmarkHand& hand : row.hands) hand.points.fill(lost);
    for_each_cell(in, line, layout.columns.size(), [&](std::size_t i, std::string_view cell) {
        const LandmarkColumn& column = layout.columns[i];
        if (i == layout.time) {
            row.time = time_of_cell(in, cell, i);
            if (row.time->empty()) row.time.reset();
        } else if (i == layout.frame) {
            row.has_frame = parse_number(cell, row.frame);
        } else if (i == layout.side) {
            row.side_cell = cell;
        } else if (i == layout.number) {
            row.number_cell = cell;
        } else if (i == layout.point) {
            row.point_cell = trimmed(cell);
        } else if (i == layout.width) {
            parse_number(cell, row.width);
        } else if (i == layout.height) {
            parse_number(cell, row.height);
        } else if (column.meaning == Meaning::coordinate && !trimmed(cell).empty()) {
            const auto value = static_cast<float>(number_of_cell(in, cell, i));
            LandmarkHand& hand = row.hands[column.side == Side::right || column.number > 0 ? 1 : 0];
            (column.landmark ? hand.points[*column.landmark] : row.point)[column.axis] = value;
        }
    });
    // A point without one of its coordinates is lost.
    row.has_point = row.point.allFinite();
    for (LandmarkHand& hand : row.hands)
        for (std::size_t i = 0; i < kLandmarks; ++i) hand.seen.set(i, hand.points[i].allFinite());
}

class Reader {
  public:
    Reader(Input& in, const ImportOptions& options, Assembly& out) : in_(in), out_(out) {
        traits_.hand_length_m = hand_length_of(options);
    }

    void read() {
        layout_ = layout_of(read_line_of_names(in_));
        if (!layout_.axes.contains(2))
            in_.fail(
                "the table has x and y of each landmark but no z: a hand in space cannot be made of it; record "
                "MediaPipe's world landmarks (x, y, z in metres)");
        const std::size_t hands = layout_.sides.size() == 2 || layout_.in_header.size() == 2 ? 2 : 1;
        if (!layout_.is_long && layout_.wide != hands * 3 * kLandmarks)
            in_.fail("the header names " + counted(layout_.wide, "coordinate") + " of landmarks; " +
                     (hands == 1 ? "a hand has" : "two hands have") + " " + std::to_string(hands * 3 * kLandmarks) +
                     ", numbered 0 to 20");
        if (layout_.is_long) refuse_rows_by_joint(in_, *layout_.point);
        drop_empty_times(in_, layout_.time, out_);
        LandmarkRow row;
        for (std::string_view line; in_.next_full_line(line); ++rows_) {
            parse_row(in_, line, layout_, row);
            if (rows_ == 0) read_ahead();
            take(row);
        }
        if (rows_ == 0) return;
        end_hand();
        out_.push_held();
        note_rows_without_time(rows_without_time_, out_);
    }

  private:
    // Reads the rows in the head of the file in advance.
    void read_ahead() {
        std::vector<double> stamps;
        std::string_view rest = in_.head();
        rest.remove_prefix(header_of(rest).end);
        LandmarkHand hand;
        bool names_landmarks = false;
        std::vector<LandmarkHand> samples;
        const auto look_at = [&](const LandmarkHand& whole) {
            if (!whole.seen.all()) return;
            refuse_pixels_without_depth(in_, whole);
            samples.push_back(whole);
        };
        for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            const std::string_view line = trimmed(rest.substr(0, end));
            rest.remove_prefix(end + 1);
            if (line.empty()) continue;
            LandmarkRow row;
            try {
                parse_row(in_, line, layout_, row);
            } catch (const ImportError&) {
                break;  // it is refused where it is read, with its number
            }
            if (row.time && !row.time->exact_ns) stamps.push_back(row.time->value);
            if (is_other_part(row.side_cell)) continue;
            sampled_.side_is_word = sampled_.side_is_word || side_of_word(row.side_cell);
            for (const LandmarkHand& whole : row.hands) look_at(whole);
            const auto landmark = layout_.is_long && row.has_point ? landmark_of_cell(row.point_cell) : std::nullopt;
            if (!landmark) continue;
            double number = 0.0;
            names_landmarks = names_landmarks || !parse_number(row.point_cell, number);
            if (hand.seen.test(*landmark)) {
                look_at(hand);
                hand = {};
            }
            hand.points[*landmark] = row.point;
            hand.seen.set(*landmark);
        }
        look_at(hand);
        sampled_.time_unit_ns = guess_time_unit_ns(stamps);
        const bool has_numbers = layout_.is_long
                                     ? !names_landmarks
                                     : std::any_of(layout_.columns.begin(), layout_.columns.end(),
                                                   [](const LandmarkColumn& column) { return column.is_number; });
        if (has_numbers) {
            order_ = order_of_points(samples);
            refuse_points_of_no_hand(in_, order_, samples);
            for (LandmarkHand& sample : samples) put_in_order(order_, sample);
            if (order_ != nullptr) note_points(order_, true, out_);
        }
        const bool names_side = sampled_.side_is_word || !layout_.sides.empty();
        traits_.side_known = names_side;
        find_image_landmarks(samples, traits_);
        traits_.size_given = layout_.width && layout_.height;
        describe_landmarks(traits_, out_);
        if (!layout_.time && !layout_.frame)
            out_.note(std::string("The file has no time; its ") + (layout_.is_long ? "hands" : "rows") +
                      " were taken as 30 a second.");
        if (!layout_.time && layout_.frame) out_.note("The file has no time; its frames were taken as 30 a second.");
        if (layout_.time && layout_.columns[*layout_.time].ns_per_unit == 0.0 && sampled_.time_unit_ns)
            note_time_unit(*sampled_.time_unit_ns, out_);
    }

    // Returns the cell that separates the hands of an instant: a column of numbers, or a column `hand` with numbers.
    std::string_view number_cell(const LandmarkRow& row) const {
        if (layout_.number) return row.number_cell;
        const bool is_hand = layout_.side && layout_.columns[*layout_.side].meaning == Meaning::side;
        return is_hand && !sampled_.side_is_word ? row.side_cell : std::string_view();
    }

    std::int64_t time_of(const LandmarkRow& row) const {
        double time_ns = static_cast<double>(layout_.is_long ? instant_ : rows_) * kDefaultFrame_ns;
        if (row.has_frame) time_ns = row.frame * kDefaultFrame_ns;
        if (!row.time) return time_ns_of(in_, {time_ns, {}, {}}, 1.0, in_.row());
        const double named = layout_.columns[*layout_.time].ns_per_unit;
        return time_ns_of(in_, *row.time, named > 0.0 ? named : sampled_.time_unit_ns.value_or(1e9), in_.row());
    }

    void take(const LandmarkRow& row) {
        if (layout_.time && !row.time) {
            ++rows_without_time_;
            return;
        }
        if (is_other_part(row.side_cell)) return;
        std::optional<Side> side;
        if (sampled_.side_is_word) side = side_of_word(row.side_cell);
        const auto number = static_cast<int>(hand_cells_.index_of(in_, number_cell(row)));
        if (row.width > 0.0 && row.height > 0.0) traits_.height_of_width = row.height / row.width;
        if (layout_.is_long) return take_point(row, side, number);
        const std::int64_t time_ns = time_of(row);
        bool any = false;
        for (std::size_t i = 0; i < 2; ++i) {
            LandmarkHand hand = row.hands[i];
            hand.row = in_.row();
            hand.side = !layout_.sides.empty() ? std::optional(static_cast<Side>(i)) : side;
            hand.number = layout_.in_header.size() == 2 ? static_cast<int>(i) : number;
            if (hand.seen.none() && (any || i == 0)) {
                if (i == 0 && row.hands[1].seen.none()) add_landmarks(traits_, time_ns, hand, out_);
                continue;
            }
            // A row without landmarks needs no side.
            if (hand.seen.any() && sampled_.side_is_word && !hand.side)
                in_.fail("the hand is " + excerpt(row.side_cell) + "; left or right is expected");
            if (hand.seen.any()) add(time_ns, hand);
            any = true;
        }
    }

    void take_point(const LandmarkRow& row, std::optional<Side> side, int number) {
        const auto landmark = landmark_of_cell(row.point_cell);
        if (!landmark) in_.fail("the landmark is " + excerpt(row.point_cell) + "; 0 to 20 or a name is expected");
        if (sampled_.side_is_word && !side)
            in_.fail("the hand is " + excerpt(row.side_cell) + "; left or right is expected");
        const bool goes_on = has_hand_ && hand_.side == side && hand_.number == number && !hand_.seen.test(*landmark);
        // Without times, an instant ends when one of its hands begins again.
        const std::size_t hand = side ? static_cast<std::size_t>(*side) : static_cast<std::size_t>(number);
        if (!goes_on && in_instant_.test(hand)) {
            ++instant_;
            in_instant_.reset();
        }
        in_instant_.set(hand);
        const std::int64_t time_ns = time_of(row);
        if (!goes_on || hand_time_ns_ != time_ns) {
            end_hand();
            has_hand_ = true;
            hand_time_ns_ = time_ns;
            hand_.row = in_.row();
            hand_.side = side;
            hand_.number = number;
        }
        if (!row.has_point) return;
        hand_.points[*landmark] = row.point;
        hand_.seen.set(*landmark);
    }

    void add(std::int64_t time_ns, LandmarkHand& hand) {
        put_in_order(order_, hand);
        add_landmarks(traits_, time_ns, hand, out_);
    }

    void end_hand() {
        if (has_hand_) add(hand_time_ns_, hand_);
        has_hand_ = false;
        hand_ = {};
    }

    Input& in_;
    Assembly& out_;
    Layout layout_;
    Sampled sampled_;
    LandmarkTraits traits_;
    const PointOrder* order_ = nullptr;  // of landmarks with numbers
    HandCells hand_cells_;
    std::int64_t rows_ = 0, rows_without_time_ = 0;
    std::int64_t instant_ = 0;  // long, without times
    std::bitset<2> in_instant_;
    LandmarkHand hand_;  // long: being put together
    std::int64_t hand_time_ns_ = 0;
    bool has_hand_ = false;
};

}  // namespace

std::optional<std::size_t> landmark_of_cell(std::string_view cell) {
    std::size_t number = 0;
    if (parse_number(cell, number)) return number < kLandmarks ? std::optional(number) : std::nullopt;
    std::string name;
    for (const std::string& word : words_of_name(cell)) name.append(name.empty() ? "" : "_").append(word);
    return landmark_of_name(name);
}

bool is_landmark_csv(std::string_view head, std::uintmax_t) {
    const std::string_view header = header_of(head).names;
    if (std::count(header.begin(), header.end(), ',') < 3) return false;
    const Layout layout = layout_of(header);
    const bool flat = !layout.axes.contains(2) && layout.wide >= 42;  // recognised, to be refused with a message
    return layout.wide >= 60 || flat || (layout.is_long && !is_long_joint_csv(head));
}

void read_landmark_csv(Input& in, const ImportOptions& options, Assembly& out) {
    Reader(in, options, out).read();
}

}  // namespace glovebox::recordings
