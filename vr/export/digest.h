// Exports a session as one self-contained HTML page: 3-D replay, touch lanes, timings and faults of the recording.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vr/session/session.h"
#include "vr/session/touch_list.h"

namespace glovebox::vr {

/// Inputs of the page besides the session.
struct DigestSettings {
    std::string doctor;    ///< output of `doctor`, as text
    std::string command;   ///< command that makes the page, shown on it
    std::string three_js;  ///< source of the library three.js, minified
};

/// Runs the session from start to end and returns the page's data as JSON. Touches are exact. Positions are in tenths
/// of a millimetre, of every n-th sample, where the JSON's "stride" is n. For ten minutes of two hands, the page is
/// smaller than 5 MB, including the library.
nlohmann::ordered_json digest_data(Session& session, const DigestSettings& settings);

/// Returns the page, which contains data, library, script and style and loads no other file. Untrusted names occur only
/// in the data, and the page's script shows them as text, not as HTML.
std::string digest_page(const nlohmann::ordered_json& data, const DigestSettings& settings);

/// Reads three.js from $GLOVEBOX_THREE_JS or the system (Debian: libjs-three). Throws std::runtime_error.
std::string read_three_js();

}  // namespace glovebox::vr
