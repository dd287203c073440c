// What takes a session's frames besides the person: contacts, a trace, a check of all methods, a watch over faults.
//
// A sink is made before the first frame. frame() may throw recordings::ExportError: that is told once and the sink is
// given up, the session goes on and ends with exit code 1.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace glovebox::vr {

class Session;

class Sink {
  public:
    virtual ~Sink() = default;
    /// After each frame, in order.
    virtual void frame(const Session& session) = 0;
    /// Measuring is no part of a frame's work: such a sink is called when the frame's time is closed.
    virtual bool measures() const { return false; }
    /// Once, after the last frame: completes what it writes and adds its part to the report.
    virtual void finish(const Session& session, nlohmann::ordered_json& report) = 0;
    /// After finish(): a line or more for a terminal; may be empty.
    virtual std::string text() const { return {}; }
    /// False: the session ends with exit code 3.
    virtual bool passed() const { return true; }
};

}  // namespace glovebox::vr
