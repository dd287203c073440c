// GraspDB14: `year month day hour minute second switch` and then angles in radians, in the order of the CyberGlove
// Reference Manual. The files differ in sign; a finger bends far one way only, so its sign is that of the bend. The
// angles are the glove's: tracking/glove/cyberglove.h says what each means and poses the hand.
#include "recordings/formats/cyberglove_text.h"

#include <cmath>

#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"
#include "tracking/glove/cyberglove.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr std::size_t kTimeWords = 7;
constexpr std::size_t kVoters = 512;

struct Row {
    std::int64_t time_ns = 0;
    tracking::CyberGloveAngles angles{};
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
    std::array<float, 23> values{};
    for (std::size_t i = 0; i < angle_count; ++i) {
        next("last angle");
        if (!parse_number(word, values[i]))
            in.fail("angle " + std::to_string(i + 1) + " is " + excerpt(word) + ", not a number");
    }
    if (words.next(word)) in.fail("the row has more than " + std::to_string(angle_count) + " angles");
    row.angles = tracking::cyberglove_angles({values.data(), angle_count});
    return row;
}

// +1 if flexion is positive in these rows, -1 if negative: by the middle joints, which hardly bend backwards.
float flexion_sign(const std::vector<Row>& rows) {
    double sum = 0.0;
    for (const Row& row : rows)
        for (const std::size_t pip : tracking::kCyberGlovePip)
            if (std::isfinite(row.angles[pip])) sum += static_cast<double>(row.angles[pip]);
    return sum < 0.0 ? -1.0F : 1.0F;
}

}  // namespace

bool is_cyberglove_text(std::string_view head, std::uintmax_t) {
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
    const Side side = options.side.value_or(Side::right);
    if (!options.side) out.note("The file does not say which hand it is; taken as right.");
    out.note("The glove measures angles: the hand has the default hand's bones, and the thumb's base is approximate.");

    const tracking::HandProfile profile = tracking::default_profile();
    std::vector<Row> voters;
    float sign = 0.0F;
    const auto push = [&](const Row& row) {
        tracking::HandPair sample;
        sample.time_ns = row.time_ns;
        tracking::CyberGloveAngles angles = row.angles;
        for (float& angle : angles) angle *= sign;
        sample[side] = tracking::pose_from_cyberglove(profile, angles, side);
        sample[side].source = tracking::Source::glove;
        out.push(sample);
    };
    const auto settle_sign = [&] {
        sign = flexion_sign(voters);
        if (sign < 0.0F) out.note("Flexion is negative in this file; all angles were turned round.");
        for (const Row& row : voters) push(row);
        voters.clear();
    };

    std::size_t angle_count = 0;
    for (std::string_view line; in.next_full_line(line);) {
        if (angle_count == 0) {
            const std::size_t words = count_words(line);
            if (!is_layout(words))
                in.fail("the row has " + std::to_string(words - std::min(words, kTimeWords)) +
                        " angles; 18, 22 and 23 are known");
            angle_count = words - kTimeWords;
        }
        const Row row = parse_row(in, line, angle_count);
        if (sign != 0.0F) {
            push(row);
        } else {
            voters.push_back(row);
            if (voters.size() == kVoters) settle_sign();
        }
    }
    if (sign == 0.0F) settle_sign();
}

}  // namespace glovebox::recordings
