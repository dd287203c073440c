// Encoder and decoder for OpenGloves (LucidGloves) alpha encoding: sensor packets and force feedback.
//
// A sensor packet is a line of keys with numbers, such as "A1023B512...". Keys A..E are the curls of the five fingers,
// keys such as (BAB) are the flexion of single joints, and keys such as (AB) are the splay. F and G are the joystick; a
// key without a number is a pressed button. The reply is force feedback, one number for each finger. The protocol has
// no error messages, so unreadable input is skipped and counted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {

struct OpenGlovesInput {
    /// Flexion by finger and joint; 0 is straight, 1 is closed. The joints are MCP, PIP, DIP and a fourth at the tip,
    /// which a real hand lacks. Fingers that a packet does not name keep their values.
    std::array<std::array<float, 4>, kFingerCount> flexion{};
    std::array<float, kFingerCount> splay{};  ///< -1..1, positive towards the thumb
    float joystick_x = 0.0F, joystick_y = 0.0F;
    bool joystick_pressed = false, trigger = false, a = false, b = false, grab = false, pinch = false, menu = false,
         calibrate = false;
};

struct OpenGlovesSettings {
    float max_analog = 4095.0F;  ///< raw value of a closed finger: 4095 on ESP32 boards, 1023 on Arduino
};

/// Updates `input` from one line. Returns false and changes nothing if the line names no finger. Never throws or
/// allocates.
bool decode_opengloves(std::string_view line, const OpenGlovesSettings& settings, OpenGlovesInput& input);
/// Returns one line that names every finger, joint and splay, and ends with a line feed.
std::string encode_opengloves(const OpenGlovesInput& input, const OpenGlovesSettings& settings);

/// Force feedback of each finger, thumb first: 0..1, encoded as numbers from 0 to 1000.
using FingerForces = std::array<float, kFingerCount>;
std::optional<FingerForces> decode_opengloves_forces(std::string_view line);

/// Convert sensors to joint angles and back. The MCP, PIP and DIP of a closed finger are at 90, 100 and 70 degrees; the
/// joints of a closed thumb are at 50, 60 and 80. Full splay is 20 degrees.
HandAngles angles_from_opengloves(const OpenGlovesInput& input);
OpenGlovesInput opengloves_from_angles(const HandAngles& angles);

/// Assembles lines from bytes that arrive in arbitrary pieces. Lines longer than 256 bytes are noise and are discarded.
class LineAssembler {
  public:
    /// Calls `take(line)` for each line that these bytes complete.
    template <class Take>
    void add(std::string_view bytes, Take&& take) {
        for (const char c : bytes) {
            if (c == '\n' || c == '\r') {
                if (overlong_) ++discarded_;
                if (!overlong_ && size_ > 0) take(std::string_view(line_.data(), size_));
                size_ = 0;
                overlong_ = false;
            } else if (size_ == line_.size()) {
                overlong_ = true;
            } else {
                line_[size_++] = c;
            }
        }
    }
    std::uint64_t discarded() const { return discarded_; }

  private:
    std::array<char, 256> line_{};
    std::size_t size_ = 0;
    bool overlong_ = false;
    std::uint64_t discarded_ = 0;
};

}  // namespace glovebox::tracking
