// Gloves' protocols: entries of one table. A new glove is one file and one entry.
//
// A decoder takes the lines that a glove sends and keeps what they said: raw sensor values for the log, and the hand
// that they mean for the session.
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
    /// False, and nothing changed, where the line is no packet. Never throws or allocates.
    virtual bool decode(std::string_view line) = 0;
    /// Of the last packet, in the glove's own order.
    virtual std::span<const float> sensors() const = 0;
    /// The hand that the last packet means; by the user's calibration where there is one.
    virtual HandAngles angles(const UserHand& user) const = 0;
};

struct GloveProtocol {
    std::string_view name, summary;
    std::size_t sensor_count;  ///< that a calibration must have
    /// `max_analog`: what a sensor says when its finger is closed.
    std::unique_ptr<GloveDecoder> (*make)(float max_analog);
};

std::span<const GloveProtocol> glove_protocols();                 ///< the first is the default
const GloveProtocol* find_glove_protocol(std::string_view name);  ///< nullptr if there is no such entry

std::unique_ptr<GloveDecoder> make_opengloves_decoder(float max_analog);

}  // namespace glovebox::tracking
