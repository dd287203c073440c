// Reads raw glove sensor values and annotations from a .glove log, to make calibrations from them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recordings/load.h"
#include "tracking/glove/calibration.h"

namespace glovebox::recordings {

struct GloveWords {
    tracking::Side side = tracking::Side::right;
    std::vector<tracking::SensorSample> samples;  ///< all with the same number of sensors; empty: none in the log
};

struct Annotation {
    std::int64_t time_ns = 0;
    std::string text;
};

/// Returns the raw sensor values of one hand, the one that has more samples. Throws ImportError if the log cannot be
/// read.
GloveWords read_glove_words(const std::filesystem::path& log);
/// Returns the annotations in time order. Throws ImportError if the log cannot be read.
std::vector<Annotation> read_annotations(const std::filesystem::path& log);

}  // namespace glovebox::recordings
