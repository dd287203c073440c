// Decoder of the OpenGloves protocol, an entry of glove_protocols().
#include "tracking/glove/guided_poses.h"
#include "tracking/glove/opengloves.h"
#include "tracking/glove/protocol.h"

namespace glovebox::tracking {
namespace {

class OpenGlovesDecoder final : public GloveDecoder {
  public:
    explicit OpenGlovesDecoder(float max_analog) : settings_{max_analog} {}

    bool decode(std::string_view line) override {
        if (!decode_opengloves(line, settings_, input_)) return false;
        sensors_ = opengloves_sensors(input_, settings_);
        return true;
    }
    std::span<const float> sensors() const override { return sensors_; }
    HandAngles angles(const UserHand& user) const override {
        if (user.sensors.empty()) return angles_from_opengloves(input_);
        std::array<float, kOpenGlovesSensors> angles_rad{};
        for (std::size_t i = 0; i < angles_rad.size(); ++i) angles_rad[i] = user.sensors[i].angle_rad(sensors_[i]);
        return angles_from_opengloves_sensors(angles_rad);
    }

  private:
    OpenGlovesSettings settings_;
    OpenGlovesInput input_;
    std::array<float, kOpenGlovesSensors> sensors_{};
};

}  // namespace

std::unique_ptr<GloveDecoder> make_opengloves_decoder(float max_analog) {
    return std::make_unique<OpenGlovesDecoder>(max_analog);
}

}  // namespace glovebox::tracking
