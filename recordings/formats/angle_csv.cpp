// A column is the angle of a joint if its name has a finger, a joint (MCP, PIP, DIP; CMC, MCP and IP of a thumb) and
// the word flex or flexion: Index_MCP_Flex (MANUS), left_ring_pip_flexion. Other words make it another column. MANUS
// calls the two outer joints of the thumb PIP and DIP.
//
// Flexion has one axis and one zero, a straight finger, so the bones of a profile give the pose. Angles of more than a
// full turn in radians are degrees. If the second joints, which hardly bend backwards, bend backwards on average, all
// flexions are reversed. A spread is read from MANUS only: it is positive towards the thumb there, as the positions in
// the same files show. Elsewhere its sign is not certain, and it is not used.
#include "recordings/formats/angle_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "recordings/formats/csv_columns.h"
#include "recordings/formats/landmarks.h"
#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr std::size_t kWaitingRows = 512;  // until unit and sign are decided
constexpr float kMaxRadians = 6.3F;

// Angles of a hand: of each finger three flexions, from the knuckle or the thumb's base on, and the spread.
constexpr std::size_t kOfFinger = 4, kSpread = 3;
using Angles = std::array<float, kOfFinger * tracking::kFingerCount>;

struct AngleColumn {
    std::optional<Side> side;
    std::size_t angle = 0;
};

// Returns the flexion of a joint, counted from the first one that a finger has.
std::optional<std::size_t> flexion_of_joint(std::string_view joint, bool thumb) {
    if (thumb) {
        if (joint == "cmc") return 0;
        return is_one_of(joint, {"mcp", "pip"}) ? 1 : 2;
    }
    if (joint == "mcp") return 0;
    if (joint == "pip") return 1;
    return joint == "dip" ? std::optional<std::size_t>(2) : std::nullopt;
}

std::optional<AngleColumn> angle_column(std::string_view name) {
    AngleColumn column;
    std::optional<std::size_t> finger;
    std::string joint;
    bool flexion = false, spread = false;
    for (const std::string& word : words_of_name(name)) {
        constexpr std::array<std::string_view, 6> kFingers = {"thumb", "index", "middle", "ring", "little", "pinky"};
        const auto found = std::find(kFingers.begin(), kFingers.end(), word);
        if (found != kFingers.end() && !finger) {
            finger = std::min<std::size_t>(4, static_cast<std::size_t>(found - kFingers.begin()));
        } else if (is_one_of(word, {"cmc", "mcp", "pip", "dip", "ip"}) && joint.empty()) {
            joint = word;
        } else if (is_one_of(word, {"flex", "flexion"})) {
            flexion = true;
        } else if (word == "spread") {
            spread = true;
        } else if (const auto side = side_of_word(word); side && !column.side) {
            column.side = side;
        } else if (!is_one_of(word, {"finger", "hand", "joint", "angle", "deg", "degrees", "rad", "radians"})) {
            return std::nullopt;
        }
    }
    if (!finger || joint.empty() || flexion == spread) return std::nullopt;
    const bool thumb = *finger == 0;
    const auto number = flexion_of_joint(joint, thumb);
    if (!number || (spread && *number != 0)) return std::nullopt;
    column.angle = kOfFinger * *finger + (spread ? kSpread : *number);
    return column;
}

struct AngleTable {
    std::vector<std::optional<AngleColumn>> columns;
    std::optional<std::size_t> time, frame;
    double ns_per_unit = 0.0;
    bool of_manus = false;
    std::array<std::array<bool, Angles{}.size()>, 2> has{};

    bool has_hand(std::size_t side) const {
        for (std::size_t finger = 1; finger < tracking::kFingerCount; ++finger)
            if (!has[side][kOfFinger * finger] || !has[side][kOfFinger * finger + 1]) return false;
        return true;
    }
};

AngleTable angle_table(const std::vector<std::string>& names) {
    AngleTable table;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string_view name = unquoted(names[i]);
        const std::vector<std::string> words = words_of_name(name);
        std::optional<AngleColumn>& column = table.columns.emplace_back(angle_column(name));
        if (column) {
            bool& has = table.has[column->side == Side::right ? 1 : 0][column->angle];
            if (std::exchange(has, true)) column.reset();  // the first one is read
            table.of_manus = table.of_manus || name == "Index_MCP_Spread";
        } else if (const auto unit_ns = time_unit_of_column(words); unit_ns && !table.time) {
            table.time = i;
            table.ns_per_unit = *unit_ns;
        } else if (is_frame_column(words) && !table.frame) {
            table.frame = i;
        }
    }
    return table;
}

tracking::HandAngles hand_angles(const Angles& angles, float flexion, float spread) {
    tracking::HandAngles hand;
    hand.thumb.cmc_flex = flexion * angles[0];
    hand.thumb.mcp_flex = flexion * angles[1];
    hand.thumb.ip_flex = flexion * angles[2];
    hand.thumb.cmc_abduction = spread * angles[kSpread];
    for (std::size_t f = 0; f < hand.fingers.size(); ++f) {
        const float* of_finger = angles.data() + kOfFinger * (f + 1);
        hand.fingers[f] = {flexion * of_finger[0], spread * of_finger[kSpread], flexion * of_finger[1],
                           flexion * of_finger[2]};
    }
    return hand;
}

struct AngleRow {
    CellTime time;  // or a number of a frame
    std::int64_t row = 0;
    std::array<Angles, 2> hands{};
};

class AngleReader {
  public:
    AngleReader(Input& in, const ImportOptions& options, AngleTable table, Assembly& out)
        : in_(in), table_(std::move(table)), out_(out) {
        SourceTraits traits;
        traits.wrist_relative = true;
        out.describe(traits);
        sides_ = {Side::left, Side::right};
        const bool names_side = std::any_of(table_.columns.begin(), table_.columns.end(),
                                            [](const auto& column) { return column && column->side; });
        if (!names_side) sides_[0] = out.default_side();
        bool own = false;
        for (const Side side : sides_) {
            const tracking::UserHand* user = options.user ? &(*options.user)[side] : nullptr;
            profiles_[side] = user && user->hand ? *user->hand : tracking::default_profile();
            own = own || (user && user->hand);
        }
        out.note(std::string("The table has angles: the hand has ") +
                 (own ? "the profile's bones." : "the default hand's bones."));
        // Measured on a recording of MANUS that has positions too: fingertips are right to 1 cm, the thumb's is not.
        out.doubt("THUMB",
                  "The angles of the thumb's base have no common zero, so touches of the thumb may be wrong by 3 cm; "
                  "export positions too.");
    }

    void read() {
        drop_empty_times(in_, table_.time, out_);
        std::int64_t rows_without_time = 0;
        try {
            for (std::string_view line; in_.next_full_line(line); ++rows_) {
                AngleRow row = parse(line);
                if (row.time.empty()) {
                    ++rows_without_time;
                    continue;
                }
                if (settled_) {
                    push(row);
                    continue;
                }
                waiting_.push_back(row);
                if (waiting_.size() == kWaitingRows) settle();
            }
        } catch (const ImportError&) {
            if (!settled_) settle();
            throw;
        }
        if (!settled_) settle();
        note_rows_without_time(rows_without_time, out_);
    }

  private:
    AngleRow parse(std::string_view line) {
        AngleRow row;
        row.row = in_.row();
        row.time.value = static_cast<double>(rows_);
        for_each_cell(in_, line, table_.columns.size(), [&](std::size_t i, std::string_view cell) {
            if (i == table_.time) {
                row.time = time_of_cell(in_, cell, i);
                is_civil_ = is_civil_ || row.time.exact_ns;
            } else if (i == table_.frame && !table_.time) {
                row.time.value = number_of_cell(in_, cell, i);
            } else if (const auto& column = table_.columns[i]) {
                const double angle = trimmed(cell).empty() ? std::nan("") : number_of_cell(in_, cell, i);
                row.hands[column->side == Side::right ? 1 : 0][column->angle] = static_cast<float>(angle);
            }
        });
        return row;
    }

    void settle() {
        settled_ = true;
        std::vector<double> stamps;
        float largest = 0.0F;
        double bent = 0.0;
        for (const AngleRow& row : waiting_) {
            stamps.push_back(row.time.value);
            for (std::size_t hand = 0; hand < 2; ++hand)
                for (std::size_t a = 0; a < row.hands[hand].size() && table_.has_hand(hand); ++a) {
                    const float angle = row.hands[hand][a];
                    if (!std::isfinite(angle)) continue;
                    largest = std::max(largest, std::abs(angle));
                    if (a >= kOfFinger && a % kOfFinger == 1) bent += static_cast<double>(angle);
                }
        }
        const bool degrees = table_.of_manus || largest > kMaxRadians;
        out_.note(std::string("The angles were taken as ") + (degrees ? "degrees." : "radians."));
        if (bent < 0.0) out_.note("Flexion is negative in this file; the angles were turned round.");
        flexion_ = (bent < 0.0 ? -1.0F : 1.0F) * (degrees ? tracking::kDegree_rad : 1.0F);
        spread_ = table_.of_manus ? tracking::kDegree_rad : 0.0F;
        if (!table_.of_manus) out_.note("Only flexion is read; the fingers are not spread.");
        const auto guessed_ns = guess_time_unit_ns(stamps);
        unit_ns_ = is_civil_                  ? 1e9
                   : !table_.time             ? kDefaultFrame_ns
                   : table_.ns_per_unit > 0.0 ? table_.ns_per_unit
                                              : guessed_ns.value_or(1e9);
        if (!table_.time)
            out_.note(std::string("The file has no time; its ") + (table_.frame ? "frames" : "rows") +
                      " were taken as 30 a second.");
        else if (!is_civil_ && table_.ns_per_unit == 0.0 && guessed_ns)
            note_time_unit(*guessed_ns, out_);
        for (const AngleRow& row : waiting_) push(row);
        waiting_.clear();
    }

    void push(const AngleRow& row) {
        out_.hold(time_ns_of(in_, row.time, unit_ns_, row.row), row.row);
        for (std::size_t hand = 0; hand < 2; ++hand) {
            const bool whole = std::all_of(row.hands[hand].begin(), row.hands[hand].end(),
                                           [](float angle) { return std::isfinite(angle); });
            if (!table_.has_hand(hand) || !whole) continue;  // a lost hand
            const Side side = sides_[hand];
            tracking::HandFrame& frame = out_.held()[side];
            frame = tracking::pose_from_angles(profiles_[side], hand_angles(row.hands[hand], flexion_, spread_),
                                               Eigen::Isometry3f::Identity(), side);
            frame.source = tracking::Source::glove;
        }
        out_.push_held();
    }

    Input& in_;
    AngleTable table_;
    Assembly& out_;
    std::array<Side, 2> sides_{};  // of columns with the left or no side, and with the right one
    tracking::PerSide<tracking::HandProfile> profiles_;
    std::vector<AngleRow> waiting_;
    std::int64_t rows_ = 0;
    double unit_ns_ = 1e9;
    float flexion_ = 1.0F, spread_ = 0.0F;
    bool settled_ = false, is_civil_ = false;
};

}  // namespace

bool has_finger_angles(const std::vector<std::string>& names) {
    const AngleTable table = angle_table(names);
    return table.has_hand(0) || table.has_hand(1);
}

void read_finger_angles(Input& in, const std::vector<std::string>& names, const ImportOptions& options, Assembly& out) {
    AngleReader(in, options, angle_table(names), out).read();
}

}  // namespace glovebox::recordings
