// Interface of all consumers of a session's frames except displays: contacts, trace, method check, fault checks.
//
// Sinks are created before the first frame. If frame() throws recordings::ExportError, the error is printed, the sink
// is removed, and the session continues and ends with exit code 1.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace glovebox::vr {

class Session;

/// Receives each frame, and contributes to the report at the end.
class Sink {
  public:
    virtual ~Sink() = default;
    /// Called after each frame, in order.
    virtual void frame(const Session& session) = 0;
    /// Returns whether the sink only measures. Its frame() is then called after the frame's time has been taken.
    virtual bool measures() const { return false; }
    /// Completes the sink's files and adds its part to the report. Called once, after the last frame.
    virtual void finish(const Session& session, nlohmann::ordered_json& report) = 0;
    /// Returns lines for a terminal; may be empty. Called after finish().
    virtual std::string text() const { return {}; }
    /// Returns false if a check failed; the session then ends with exit code 3.
    virtual bool passed() const { return true; }
};

}  // namespace glovebox::vr
