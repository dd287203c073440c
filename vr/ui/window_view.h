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

    /// Runs `open`, and shows a window meanwhile if `open` takes long. If it is quick, no window appears before it
    /// returns, so that bad input shows no window. Returns null if the user has closed the window. Throws the
    /// exceptions of `open`.
    static std::unique_ptr<WindowView> open_while(const std::string& name, const SessionSettings& settings,
                                                  const std::function<std::unique_ptr<Session>()>& open,
                                                  std::unique_ptr<Session>& opened);

    /// Another recording or scene that the user has chosen in the menu or dropped on the window. The choice ends this
    /// session, as key Q does. It is possible only after let_switch().
    struct Next {
        std::string recording, scene;  ///< one of the two is not empty
    };
    void let_switch() { may_switch_ = true; }
    std::optional<Next> take_next() { return std::exchange(next_, {}); }
    /// Drops all references to a session that is about to be destroyed.
    void forget();
    void show_message(std::string line) { window_.show_message(std::move(line)); }

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

/// Returns the window's timings as {first_frame_ms, scenes_per_second, {scene, panel, input}_ms, ...}.
nlohmann::ordered_json window_json(const WindowTimings& timings);

/// Draws a frame to settings.screenshot, without a display. For a recording, this is the frame at `at_s`, or, if `at_s`
/// is negative, SessionTotals::clearest_frame. For a live session, it is the current frame.
void save_picture(Session& session, const SessionSettings& settings, double at_s);

}  // namespace glovebox::vr
