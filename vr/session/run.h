// Runs a session to its end: the main loop, the user's commands, and then the table, the report and the exit code.
#pragma once

#include <nlohmann/json.hpp>

#include "vr/session/session.h"
#include "vr/session/settings.h"

namespace glovebox::vr {

/// Displays a session: a window, or a headset.
class View {
  public:
    virtual ~View() = default;
    /// Draws the session's current state and returns the user's commands since the last call. May wait for the display.
    virtual ViewCommands show(Session& session) = 0;
    virtual bool open() const = 0;
    /// Returns whether the view ends with its source, as a headset does. A window stays open at the recording's end.
    virtual bool ends_with_source() const { return false; }
    /// Returns the number of frames that --frames limits: frames of the session, or frames that a headset has paced.
    virtual std::uint64_t frames(const Session& session) const { return session.totals.frames; }
    /// Called after each frame of the session.
    virtual void frame_done(const Session& /*session*/) {}
    /// Adds the view's part to the report; called once, at the end.
    virtual void finish(const Session& /*session*/, nlohmann::ordered_json& /*report*/) {}
    /// Returns lines for the terminal, printed after the report's table; may be empty.
    virtual std::string text() const { return {}; }
};

/// Runs until the source ends, --frames or --seconds are reached, the view is closed, or Ctrl-C is pressed. A window
/// stays open at a recording's end. Then writes the outputs and returns the exit code (exit_codes.h). `view` is null if
/// headless. If `begin` is false, the user has quit before the first frame, and only the outputs are written.
int run(Session& session, View* view, const SessionSettings& settings, bool begin = true);

}  // namespace glovebox::vr
