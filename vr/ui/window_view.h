// Shows a session in the desktop window, and renders pictures of single frames.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "vr/session/run.h"
#include "vr/session/session_view.h"
#include "vr/ui/window.h"

namespace glovebox::vr {

/// The desktop window as a session's view.
class WindowView final : public View {
  public:
    /// Throws std::runtime_error if there is no display or no OpenGL 3.3.
    WindowView(const std::string& name, const SessionSettings& settings);

    /// Runs `open` while showing a window if that takes long. A quick `open` finishes before a window appears, so that
    /// bad input never shows one. Null: the user has closed the window. Throws what `open` throws.
    static std::unique_ptr<WindowView> open_while(const std::string& name, const SessionSettings& settings,
                                                  const std::function<std::unique_ptr<Session>()>& open,
                                                  std::unique_ptr<Session>& opened);

    /// The recording or scene that the user wants to see instead, chosen in the menu or dropped on the window. It ends
    /// this session as Q does. Only views with let_switch() have one.
    struct Next {
        std::string recording, scene;  ///< one of them is not empty
    };
    void let_switch() { may_switch_ = true; }
    std::optional<Next> take_next() { return std::exchange(next_, {}); }
    /// Drops all references to a session that is about to be destroyed.
    void forget();
    void say(std::string line) { window_.say(std::move(line)); }

    ViewCommands show(Session& session) override;
    bool open() const override { return window_.open(); }
    void frame_done(const Session& session) override;
    void finish(const Session& session, nlohmann::ordered_json& report) override;

  private:
    Window window_;
    std::optional<SessionView> view_;
    std::optional<Next> next_;
    bool may_switch_ = false;
};

/// Returns the window's timings: {first_frame_ms since the process began, scenes_per_second, {scene, panel, input}_ms
/// ...}.
nlohmann::ordered_json window_json(const WindowTimings& timings);

/// Draws a frame to settings.screenshot, without a display. For a recording it is the frame at `at_s`, or (negative)
/// the one with the most bones touching without being deep inside; for a live session, the current frame.
void save_picture(Session& session, const SessionSettings& settings, double at_s);

}  // namespace glovebox::vr
