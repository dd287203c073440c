// GraspDB14: `year month day hour minute second switch` and then angles in radians, in the order of the CyberGlove
// Reference Manual; or a bare table of 18, 22 or 23 angles per row, separated by commas or blanks, without time. Files
// differ in the sign of flexion, which is found from the data, because fingers bend far in one direction only. The
// angles are defined in tracking/glove/cyberglove.h.
#include "recordings/formats/cyberglove_text.h"

#include <algorithm>
#include <cmath>

#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"
#include "tracking/glove/cyberglove.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr std::size_t kTimeWords = 7;
constexpr std::size_t kVoters = 512;

constexpr float kFullTurn_rad = 6.3F;  // larger numbers are raw sensor values

struct Row {
    std::int64_t time_ns = 0;
    std::array<float, 23> sensors{};  // the first ones, as many as the file has
};

std::size_t count_words(std::string_view line) {
    std::size_t count = 0;
    std::string_view word;
    for (Words words(line); words.next(word);) ++count;
    return count;
}

bool is_layout(std::size_t words) {
    return words == kTimeWords + 18 || words == kTimeWords + 22 || words == kTimeWords + 23;
}

constexpr double kBareRowNs = 1e9 / 60.0;  // a bare table has no times; GraspDB14's gloves have 60 rows per second

// Parses a row of a bare table and returns the number of angles; 0 if it is not one.
std::size_t bare_angles(std::string_view line, std::array<float, 23>& angles) {
    const bool commas = line.find(',') != std::string_view::npos;
    Fields fields(line);
    Words words(line);
    std::string_view cell;
    std::size_t count = 0;
    while (commas ? fields.next(cell) : words.next(cell)) {
        if (count == angles.size() || !parse_number(cell, angles[count])) return 0;
        ++count;
    }
    return count == 18 || count == 22 || count == 23 ? count : 0;
}

Row parse_row(const Input& in, std::string_view line, std::size_t angle_count) {
    Words words(line);
    std::string_view word;
    std::array<int, 5> date{};
    Row row;
    const auto next = [&](const char* what) {
        if (!words.next(word))
            in.fail(std::string("the row ends before its ") + what + ": the file is cut off or damaged");
    };
    for (int& part : date) {
        next("time");
        if (!parse_number(word, part)) in.fail("the time has " + excerpt(word) + ", which is not a whole number");
    }
    double second = 0.0;
    next("time");
    if (!parse_number(word, second)) in.fail("the second is " + excerpt(word) + ", not a number");
    const auto time_ns = civil_time_ns(date[0], date[1], date[2], date[3], date[4], second);
    if (!time_ns) in.fail("the row does not begin with a date and a time");
    row.time_ns = *time_ns;
    next("switch");
    for (std::size_t i = 0; i < angle_count; ++i) {
        next("last angle");
        if (!parse_number(word, row.sensors[i]))
            in.fail("angle " + std::to_string(i + 1) + " is " + excerpt(word) + ", not a number");
    }
    if (words.next(word)) in.fail("the row has more than " + std::to_string(angle_count) + " angles");
    return row;
}

std::size_t count_angles(const Input& in, std::string_view line) {
    const std::size_t words = count_words(line);
    if (!is_layout(words))
        in.fail("the row has " + std::to_string(words - std::min(words, kTimeWords)) +
                " angles; 18, 22 and 23 are known");
    return words - kTimeWords;
}

/// Calls `take(row, angle_count)` for each row.
template <class Take>
void for_each_row(Input& in, Take&& take) {
    std::size_t angle_count = 0;
    std::int64_t rows = 0;
    bool is_bare = false;
    for (std::string_view line; in.next_full_line(line); ++rows) {
        Row bare;
        if (rows == 0) is_bare = bare_angles(line, bare.sensors) != 0;
        if (is_bare) {
            const std::size_t count = bare_angles(line, bare.sensors);
            if (rows == 0) angle_count = count;
            if (count != angle_count)
                in.fail("the row is not " + std::to_string(angle_count) + " numbers: the file is cut off or damaged");
            bare.time_ns = std::llround(static_cast<double>(rows) * kBareRowNs);
            take(bare, angle_count);
            continue;
        }
        if (angle_count == 0) angle_count = count_angles(in, line);
        take(parse_row(in, line, angle_count), angle_count);
    }
}

// Applies the user's calibration to a row. A calibration of 22 sensors is also used for a file with all 23, and the
// reverse.
struct Calibration {
    const std::vector<tracking::SensorCalibration>& sensors;

    tracking::CyberGloveAngles angles(const Row& row, std::size_t count) const {
        std::vector<float> values(row.sensors.begin(), row.sensors.begin() + static_cast<std::ptrdiff_t>(count));
        if (sensors.size() != count)
            values = tracking::cyberglove_sensors(tracking::cyberglove_angles(values), sensors.size());
        for (std::size_t i = 0; i < sensors.size(); ++i) values[i] = sensors[i].angle_rad(values[i]);
        return tracking::cyberglove_angles(values);
    }
};

// Returns +1 if flexion is positive in these rows, else -1, from the middle joints, which hardly bend backwards.
float flexion_sign(const std::vector<tracking::CyberGloveAngles>& rows) {
    double sum = 0.0;
    for (const tracking::CyberGloveAngles& angles : rows)
        for (const std::size_t pip : tracking::kCyberGlovePip)
            if (std::isfinite(angles[pip])) sum += static_cast<double>(angles[pip]);
    return sum < 0.0 ? -1.0F : 1.0F;
}

// Returns true if the numbers are angles: small and not all integers. Raw sensor values are integers up to 255 or 1023.
bool has_radians(std::string_view head) {
    bool all_small = true, any_part = false;
    for (std::size_t end = head.find('\n'); end != std::string_view::npos; end = head.find('\n')) {
        std::string_view line = trimmed(head.substr(0, end)), word;
        head.remove_prefix(end + 1);
        std::array<float, 23> angles{};
        std::size_t count = bare_angles(line, angles);
        if (count == 0) {
            Words words(line);
            for (std::size_t i = 0; words.next(word); ++i) {
                if (i < kTimeWords || i >= kTimeWords + angles.size()) continue;
                if (!parse_number(word, angles[i - kTimeWords])) return false;
            }
        }
        for (const float angle : angles) {
            all_small = all_small && std::abs(angle) <= kFullTurn_rad;
            any_part = any_part || angle != std::floor(angle);
        }
    }
    return all_small && any_part;
}

// Returns true for a bare table of angles. Tests two rows, if there are two, to reject other tables of numbers.
bool is_bare_table(std::string_view head) {
    std::array<float, 23> first{}, second{};
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::size_t count = bare_angles(trimmed(head.substr(0, end)), first);
    head.remove_prefix(std::min(end + 1, head.size()));
    const std::size_t next = bare_angles(trimmed(head.substr(0, head.find('\n'))), second);
    if (count == 0 || next != count) return false;
    return std::all_of(first.begin(), first.end(), [](float v) { return std::abs(v) <= kFullTurn_rad; });
}

}  // namespace

bool is_cyberglove_text(std::string_view head, std::uintmax_t) {
    if (is_bare_table(head)) return true;
    const std::string_view line = head.substr(0, head.find('\n'));
    std::string_view word;
    Words words(line);
    int year = 0, month = 0, day = 0;
    const bool date = words.next(word) && word.size() == 4 && parse_number(word, year) && words.next(word) &&
                      parse_number(word, month) && words.next(word) && parse_number(word, day);
    return date && year > 1980 && year < 2200 && month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
           count_words(line) > kTimeWords;
}

void read_cyberglove_text(Input& in, const ImportOptions& options, Assembly& out) {
    SourceTraits traits;
    traits.wrist_relative = true;
    out.describe(traits);
    const Side side = out.default_side();
    const tracking::UserHand* user = options.user ? &(*options.user)[side] : nullptr;
    const tracking::HandProfile profile = user && user->hand ? *user->hand : tracking::default_profile();
    bool calibrated = user && !user->sensors.empty();
    if (calibrated && !tracking::is_cyberglove_sensor_count(user->sensors.size()))
        in.fail("the profile's calibration has " + std::to_string(user->sensors.size()) +
                " sensors; a CyberGlove has 18, 22 or 23");
    out.note(std::string("The glove measures angles: the hand has ") +
             (user && user->hand ? "the profile's bones" : "the default hand's bones") +
             ", and the thumb's base is approximate.");
    if (calibrated && has_radians(in.head())) {
        calibrated = false;
        out.note("The file's angles are radians already; the profile's calibration was not used on them.");
    }
    if (calibrated) out.note("Angles are calibrated with the profile.");
    if (is_bare_table(in.head())) out.note("The file has no time; its rows were taken as 60 a second.");

    struct Voter {
        std::int64_t time_ns;
        tracking::CyberGloveAngles angles;
    };
    std::vector<Voter> voters;
    float sign = calibrated ? 1.0F : 0.0F;
    const auto push = [&](std::int64_t time_ns, tracking::CyberGloveAngles angles) {
        tracking::HandPair sample;
        sample.time_ns = time_ns;
        for (float& angle : angles) angle *= sign;
        sample[side] = tracking::pose_from_cyberglove(profile, angles, side);
        sample[side].source = tracking::Source::glove;
        out.push(sample);
    };
    const auto settle_sign = [&] {
        std::vector<tracking::CyberGloveAngles> seen;
        for (const Voter& voter : voters) seen.push_back(voter.angles);
        sign = flexion_sign(seen);
        if (sign < 0.0F) out.note("Flexion is negative in this file; all angles were turned round.");
        for (const Voter& voter : voters) push(voter.time_ns, voter.angles);
        voters.clear();
    };

    const auto take = [&](const Row& row, std::size_t count) {
        if (calibrated) return push(row.time_ns, Calibration{user->sensors}.angles(row, count));
        for (std::size_t i = 0; i < count; ++i)
            if (std::abs(row.sensors[i]) > kFullTurn_rad)
                in.fail("angle " + std::to_string(i + 1) + " is " + std::to_string(row.sensors[i]) +
                        ": these are raw sensor words, not radians; give a calibration (--profile FILE)");
        const auto angles = tracking::cyberglove_angles({row.sensors.data(), count});
        if (sign != 0.0F) return push(row.time_ns, angles);
        voters.push_back({row.time_ns, angles});
        if (voters.size() == kVoters) settle_sign();
    };
    try {
        for_each_row(in, take);
    } catch (const ImportError&) {
        if (sign == 0.0F) settle_sign();
        throw;
    }
    if (sign == 0.0F) settle_sign();
}

std::vector<tracking::SensorSample> read_cyberglove_sensors(Input& in) {
    std::vector<tracking::SensorSample> samples;
    std::int64_t first_ns = 0;
    for_each_row(in, [&](const Row& row, std::size_t count) {
        if (samples.empty()) first_ns = row.time_ns;
        const auto end = row.sensors.begin() + static_cast<std::ptrdiff_t>(count);
        if (!std::all_of(row.sensors.begin(), end, [](float value) { return std::isfinite(value); })) return;
        samples.push_back({1e-9 * static_cast<double>(row.time_ns - first_ns), {row.sensors.begin(), end}});
    });
    return samples;
}

}  // namespace glovebox::recordings
