// OpenGloves (LucidGloves) alpha encoding, both ways: what a glove says, and what it is told.
//
// A packet is a line of keys with numbers, "A1023B512...": curl of the five fingers (A..E), of single joints ((BAB))
// and splay ((AB)), joystick (F, G) and buttons (a key without a number is a pressed button). What comes back is force
// feedback, one number a finger. Neither side has an error channel: what cannot be read is passed over and counted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {

struct OpenGlovesInput {
    /// 0 straight, 1 closed; per finger MCP, PIP, DIP and the tip's, which no hand has. A finger that the packet does
    /// not name keeps what it had.
    std::array<std::array<float, 4>, kFingerCount> flexion{};
    std::array<float, kFingerCount> splay{};  ///< -1..1, positive towards the thumb
    float joystick_x = 0.0F, joystick_y = 0.0F;
    bool joystick_pressed = false, trigger = false, a = false, b = false, grab = false, pinch = false, menu = false,
         calibrate = false;
};

struct OpenGlovesSettings {
    float max_analog = 4095.0F;  ///< what a sensor says when closed; ESP32 boards 4095, Arduino 1023
};

/// Updates `input` from one line. False, and nothing changed, if the line names no finger. Never throws or allocates.
bool decode_opengloves(std::string_view line, const OpenGlovesSettings& settings, OpenGlovesInput& input);
/// One line with its end, naming every finger, joint and splay.
std::string encode_opengloves(const OpenGlovesInput& input, const OpenGlovesSettings& settings);

/// Force feedback: 0..1 a finger, thumb first; as numbers from 0 to 1000.
using FingerForces = std::array<float, kFingerCount>;
std::optional<FingerForces> decode_opengloves_forces(std::string_view line);

/// The hand that these sensors mean, and the sensors that would mean this hand. Closed is 90, 100 and 70 degrees of
/// MCP, PIP and DIP (thumb 50, 60, 80); full splay is 20 degrees.
HandAngles angles_from_opengloves(const OpenGlovesInput& input);
OpenGlovesInput opengloves_from_angles(const HandAngles& angles);

/// Bytes to lines, whatever pieces they arrive in. Lines longer than 256 bytes are noise and are thrown away whole.
class LineAssembler {
  public:
    /// Calls `take(line)` for each line that is now complete.
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
