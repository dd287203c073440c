#include "tracking/glove/opengloves.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace glovebox::tracking {
namespace {

constexpr float kFullSplay = 20.0F * kDegree_rad;
constexpr float kMaxForce = 1000.0F;

struct Token {
    std::string_view key;
    float value = -1.0F;  // -1: a key without a number
};

// Removes the next key and its number from the front; other characters are skipped.
bool next_token(std::string_view& text, Token& token) {
    while (!text.empty() && !(text[0] >= 'A' && text[0] <= 'Z') && text[0] != '(') text.remove_prefix(1);
    if (text.empty()) return false;
    std::size_t length = 1;
    if (text[0] == '(') {
        while (length < text.size() && text[length] >= 'A' && text[length] <= 'Z') ++length;
        if (length < text.size() && text[length] == ')') {
            token.key = text.substr(1, length - 1);
            ++length;
        } else {
            token.key = {};  // an unclosed bracket is not a key
        }
    } else {
        token.key = text.substr(0, 1);
    }
    text.remove_prefix(length);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    token.value = error == std::errc() ? static_cast<float>(number) : -1.0F;
    const auto digits = static_cast<std::size_t>(end - text.data());
    text.remove_prefix(digits);
    return true;
}

int finger_of(char letter) {
    return letter >= 'A' && letter <= 'E' ? letter - 'A' : -1;
}

void append_number(float share, float most, std::string& text) {
    text += std::to_string(std::lround(std::clamp(share, 0.0F, 1.0F) * most));
}

// Applies whole fingers first, so that single joints override them at any position in the packet.
bool take_fingers(std::string_view line, float most, OpenGlovesInput& input) {
    bool any = false;
    Token token;
    for (std::string_view rest = line; next_token(rest, token);) {
        if (token.key.size() != 1 || token.value < 0.0F || finger_of(token.key[0]) < 0) continue;
        input.flexion[static_cast<std::size_t>(finger_of(token.key[0]))].fill(std::min(token.value / most, 1.0F));
        any = true;
    }
    for (std::string_view rest = line; next_token(rest, token);) {
        const int finger = token.key.empty() ? -1 : finger_of(token.key[0]);
        if (finger < 0 || token.value < 0.0F) continue;
        const float share = std::min(token.value / most, 1.0F);
        const auto f = static_cast<std::size_t>(finger);
        if (token.key.size() == 2 && token.key[1] == 'B') input.splay[f] = 2.0F * share - 1.0F;
        if (token.key.size() == 3 && token.key[1] == 'A' && token.key[2] >= 'A' && token.key[2] <= 'D')
            input.flexion[f][static_cast<std::size_t>(token.key[2] - 'A')] = share;
        any = true;
    }
    return any;
}

}  // namespace

bool decode_opengloves(std::string_view line, const OpenGlovesSettings& settings, OpenGlovesInput& input) {
    OpenGlovesInput next = input;
    if (!take_fingers(line, settings.max_analog, next)) return false;
    next.joystick_pressed = next.trigger = next.a = next.b = next.grab = next.pinch = next.menu = next.calibrate =
        false;
    Token token;
    for (std::string_view rest = line; next_token(rest, token);) {
        if (token.key.size() != 1) continue;
        const float axis = 2.0F * std::min(std::max(token.value, 0.0F) / settings.max_analog, 1.0F) - 1.0F;
        switch (token.key[0]) {
            case 'F':
                if (token.value >= 0.0F) next.joystick_x = axis;
                break;
            case 'G':
                if (token.value >= 0.0F) next.joystick_y = axis;
                break;
            case 'H':
                next.joystick_pressed = true;
                break;
            case 'I':
                next.trigger = true;
                break;
            case 'J':
                next.a = true;
                break;
            case 'K':
                next.b = true;
                break;
            case 'L':
                next.grab = true;
                break;
            case 'M':
                next.pinch = true;
                break;
            case 'N':
                next.menu = true;
                break;
            case 'O':
                next.calibrate = true;
                break;
            default:
                break;
        }
    }
    input = next;
    return true;
}

std::string encode_opengloves(const OpenGlovesInput& input, const OpenGlovesSettings& settings) {
    std::string text;
    for (std::size_t f = 0; f < kFingerCount; ++f) {
        const auto& joints = input.flexion[f];
        const char letter = static_cast<char>('A' + f);
        text += letter;
        append_number((joints[0] + joints[1] + joints[2]) / 3.0F, settings.max_analog, text);
        for (std::size_t j = 0; j < joints.size(); ++j) {
            text.append("(").append(1, letter).append("A").append(1, static_cast<char>('A' + j)).append(")");
            append_number(joints[j], settings.max_analog, text);
        }
        text.append("(").append(1, letter).append("B)");
        append_number(0.5F * (input.splay[f] + 1.0F), settings.max_analog, text);
    }
    append_number(0.5F * (input.joystick_x + 1.0F), settings.max_analog, text += 'F');
    append_number(0.5F * (input.joystick_y + 1.0F), settings.max_analog, text += 'G');
    const std::array<std::pair<char, bool>, 8> buttons = {{{'H', input.joystick_pressed},
                                                           {'I', input.trigger},
                                                           {'J', input.a},
                                                           {'K', input.b},
                                                           {'L', input.grab},
                                                           {'M', input.pinch},
                                                           {'N', input.menu},
                                                           {'O', input.calibrate}}};
    for (const auto& [letter, pressed] : buttons)
        if (pressed) text += letter;
    return text + "\n";
}

std::optional<FingerForces> decode_opengloves_forces(std::string_view line) {
    FingerForces forces{};
    unsigned named = 0;
    Token token;
    for (std::string_view rest = line; next_token(rest, token);) {
        if (token.key.size() != 1 || token.value < 0.0F || finger_of(token.key[0]) < 0) continue;
        forces[static_cast<std::size_t>(finger_of(token.key[0]))] = std::min(token.value / kMaxForce, 1.0F);
        named |= 1U << finger_of(token.key[0]);
    }
    if (named != 0x1F) return std::nullopt;
    return forces;
}

HandAngles angles_from_opengloves(const OpenGlovesInput& input) {
    HandAngles angles;
    const auto& thumb = input.flexion[0];
    angles.thumb = {thumb[0] * kClosedThumb_rad[0], input.splay[0] * kFullSplay, thumb[1] * kClosedThumb_rad[1],
                    thumb[2] * kClosedThumb_rad[2]};
    for (std::size_t f = 0; f < 4; ++f) {
        const auto& finger = input.flexion[f + 1];
        angles.fingers[f] = {finger[0] * kClosedFinger_rad[0], input.splay[f + 1] * kFullSplay,
                             finger[1] * kClosedFinger_rad[1], finger[2] * kClosedFinger_rad[2]};
    }
    return angles;
}

OpenGlovesInput opengloves_from_angles(const HandAngles& angles) {
    OpenGlovesInput input;
    const auto share = [](float angle, float closed) { return std::clamp(angle / closed, 0.0F, 1.0F); };
    const auto splay = [](float angle) { return std::clamp(angle / kFullSplay, -1.0F, 1.0F); };
    const ThumbAngles& thumb = angles.thumb;
    input.flexion[0] = {share(thumb.cmc_flex, kClosedThumb_rad[0]), share(thumb.mcp_flex, kClosedThumb_rad[1]),
                        share(thumb.ip_flex, kClosedThumb_rad[2]), share(thumb.ip_flex, kClosedThumb_rad[2])};
    input.splay[0] = splay(thumb.cmc_abduction);
    for (std::size_t f = 0; f < 4; ++f) {
        const FingerAngles& finger = angles.fingers[f];
        const float tip = share(finger.dip_flex, kClosedFinger_rad[2]);
        input.flexion[f + 1] = {share(finger.mcp_flex, kClosedFinger_rad[0]),
                                share(finger.pip_flex, kClosedFinger_rad[1]), tip, tip};
        input.splay[f + 1] = splay(finger.mcp_spread);
    }
    return input;
}

}  // namespace glovebox::tracking
