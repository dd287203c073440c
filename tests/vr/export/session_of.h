// A session of a bundled recording, for tests of exports.
#pragma once

#include <memory>
#include <string>

#include "vr/platform/platform.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {

inline std::unique_ptr<Session> session_of(const std::string& recording) {
    SessionSettings settings;
    settings.headless = true;
    RecordingSettings from;
    from.recording = recording;
    return open_recording_session(from, settings, now_ns);
}

}  // namespace glovebox::vr
