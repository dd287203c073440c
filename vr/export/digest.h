// Exports a session as one self-contained HTML page: 3-D replay, touch lanes, timings, faults of the recording.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vr/session/session.h"
#include "vr/session/touch_list.h"

namespace glovebox::vr {

/// Inputs of the page besides the session.
struct DigestSettings {
    std::string doctor;    ///< output of `doctor`, as text
    std::string command;   ///< the command that makes the page
    std::string three_js;  ///< the library, minified
};

/// Runs the session from start to end and returns the page's data as JSON: positions of every `stride`-th sample in
/// tenths of a millimetre; touches exactly. Ten minutes of two hands give a page of less than 5 MB, library included.
nlohmann::ordered_json digest_data(Session& session, const DigestSettings& settings);

/// Returns the page: data, library, script and style in one file that loads nothing else. Untrusted names occur only in
/// the data, and are inserted into the page as text.
std::string digest_page(const nlohmann::ordered_json& data, const DigestSettings& settings);

/// Reads three.js from $GLOVEBOX_THREE_JS or the system (Debian: libjs-three). Throws std::runtime_error.
std::string read_three_js();

}  // namespace glovebox::vr
