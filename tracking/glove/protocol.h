// Table of glove protocols. To support a new glove, add one file and one entry.
//
// A decoder parses the lines that a glove sends and keeps the latest values. The log stores the raw sensor values; the
// session uses the hand angles.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "tracking/forward_kinematics.h"
#include "tracking/user_profile.h"

namespace glovebox::tracking {

class GloveDecoder {
  public:
    virtual ~GloveDecoder() = default;
    /// Decodes a line. Returns false and changes nothing if it is not a packet. Never throws or allocates.
    virtual bool decode(std::string_view line) = 0;
    /// Returns the raw values of the last packet in the glove's own order; valid until the next decode().
    virtual std::span<const float> sensors() const = 0;
    /// Returns the hand angles of the last packet, using the user's calibration if there is one.
    virtual HandAngles angles(const UserHand& user) const = 0;
};

struct GloveProtocol {
    std::string_view name, summary;
    std::size_t sensor_count;  ///< number of sensors that a calibration must have
    /// Creates a decoder. `max_analog` is the raw sensor value of a closed finger.
    std::unique_ptr<GloveDecoder> (*make)(float max_analog);
};

std::span<const GloveProtocol> glove_protocols();                 ///< the first is the default
const GloveProtocol* find_glove_protocol(std::string_view name);  ///< nullptr if there is no such entry

std::unique_ptr<GloveDecoder> make_opengloves_decoder(float max_analog);

}  // namespace glovebox::tracking
