// Any bytes from a serial line: values in range come out, and a packet made of them reads back the same.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "tracking/glove/cyberglove.h"
#include "tracking/glove/opengloves.h"

using namespace glovebox::tracking;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const OpenGlovesSettings settings;
    OpenGlovesInput input;
    LineAssembler lines;
    lines.add(bytes, [&](std::string_view line) {
        if (decode_opengloves(line, settings, input)) {
            for (const auto& finger : input.flexion)
                for (const float joint : finger)
                    if (!(joint >= 0.0F && joint <= 1.0F)) std::abort();
            OpenGlovesInput again;
            if (!decode_opengloves(encode_opengloves(input, settings), settings, again)) std::abort();
            if (std::abs(again.flexion[2][1] - input.flexion[2][1]) > 2e-4F) std::abort();
        }
        if (const auto forces = decode_opengloves_forces(line))
            for (const float force : *forces)
                if (!(force >= 0.0F && force <= 1.0F)) std::abort();
    });
    try {
        parse_two_point_calibration(bytes);
    } catch (const std::runtime_error&) {
    }
    return 0;
}
