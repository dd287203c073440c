// A session as one page that opens from a mail: 3-D replay, touch lanes, costs, what is wrong with the recording.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vr/session/session.h"
#include "vr/session/touch_list.h"

namespace glovebox::vr {

struct DigestSettings {
    std::string doctor;    ///< what `doctor` says, as text
    std::string command;   ///< that made the page
    std::string three_js;  ///< the library, minified
};

/// What the page draws, as JSON: positions in tenths of a millimetre, of every `stride`-th sample; touches exactly.
/// Runs the session from its start to its end. Ten minutes of two hands take less than 5 MB with the
/// library in the page.
nlohmann::ordered_json digest_data(Session& session, const DigestSettings& settings);

/// The page: that data, the library, script and style in one file without any address. Names of strangers are in the
/// data alone, and reach the page as text.
std::string digest_page(const nlohmann::ordered_json& data, const DigestSettings& settings);

/// three.js as the system has it (Debian: libjs-three), or $GLOVEBOX_THREE_JS. Throws std::runtime_error.
std::string read_three_js();

}  // namespace glovebox::vr
