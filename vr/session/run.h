// Runs a session to its end: the loop, what a person asks for, and the end of every command that has one (table,
// report, exit code).
#pragma once

#include <nlohmann/json.hpp>

#include "vr/session/session.h"
#include "vr/session/settings.h"

namespace glovebox::vr {

/// What a person sees of a session: a window, or a headset's eyes.
class View {
  public:
    virtual ~View() = default;
    /// Shows the session as it stands; returns what the person asked for. May wait as long as its display does.
    virtual ViewCommands show(Session& session) = 0;
    virtual bool open() const = 0;
    /// A window stays when its recording has ended; a headset that was closed has nothing left to show.
    virtual bool ends_with_source() const { return false; }
    /// What --frames counts: the session's frames, or those that a headset has paced.
    virtual std::uint64_t frames(const Session& session) const { return session.totals.frames; }
    /// After each frame of the session.
    virtual void frame_done(const Session& /*session*/) {}
    /// Once, at the end: its part of the report.
    virtual void finish(const Session& /*session*/, nlohmann::ordered_json& /*report*/) {}
    /// A line for the terminal, after the report's table; may be empty.
    virtual std::string text() const { return {}; }
};

/// Until the source ends, --frames or --seconds are over, the view is closed, or Ctrl-C. A recording in a window stays
/// open at its end. Returns the exit code of the contract. `view`: null for headless sessions of recordings and gloves.
/// `begin`: false where the person has ended it before the first frame: only what comes at the end is done.
int run(Session& session, View* view, const SessionSettings& settings, bool begin = true);

}  // namespace glovebox::vr
