// Shows a session in the desktop window, and renders pictures of single frames.
#pragma once

#include <functional>
#include <future>
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
    /// returns, so that bad input shows no window. If the user closes the window before, `opened` stays null and `open`
    /// still runs; see is_opening(). Throws the exceptions of `open`.
    static std::unique_ptr<WindowView> open_while(const std::string& name, const SessionSettings& settings,
                                                  const std::function<std::unique_ptr<Session>()>& open,
                                                  std::unique_ptr<Session>& opened);

    /// Another recording or scene that the user has chosen in the menu or dropped on the window.
    struct Next {
        std::string recording, scene;  ///< at least one of the two is not empty
        std::string other_hand;        ///< dropped together with `recording`: perhaps its other hand; empty: none
        int not_opened = 0;            ///< how many more files were dropped
    };
    using Opener = std::function<std::unique_ptr<Session>(const Next&)>;
    /// Lets the user switch to what `open` returns. It runs on another thread while this session goes on. If it throws,
    /// its message is shown and this session stays; otherwise this session ends, as with key Q.
    void let_switch(Opener open) { open_ = std::move(open); }
    /// Returns the session to which the user has switched; null if there is none.
    std::unique_ptr<Session> take_next() { return std::move(next_); }
    /// Drops all references to a session that is about to be destroyed. `name` is that of the next one.
    void forget(const std::string& name);
    /// Shows a line over the scene for some seconds.
    void say(std::string line) { window_.show_message(std::move(line)); }
    /// Returns whether a session is being opened, which can take long and cannot be stopped. The destructor waits for
    /// it: end_program() does not.
    bool is_opening() const { return opening_.valid(); }

    ViewCommands show(Session& session) override;
    bool open() const override { return window_.open(); }
    void frame_done(const Session& session) override;
    void finish(const Session& session, nlohmann::ordered_json& report) override;

  private:
    void open_next(const ViewCommands& commands);
    bool next_is_open();

    Opener open_;
    std::unique_ptr<Session> next_;
    std::future<std::unique_ptr<Session>> opening_;  // before the window: its destructor waits, without a window
    Window window_;
    std::optional<SessionView> view_;
    bool says_loading_ = false;
};

/// Returns the window's timings as {first_frame_ms, scenes_per_second, {scene, panel, input}_ms, ...}.
nlohmann::ordered_json window_json(const WindowTimings& timings);

/// Draws a frame to settings.screenshot, without a display. For a recording, this is the frame at `at_s`, or, if `at_s`
/// is negative, SessionTotals::clearest_frame. For a live session, it is the current frame.
void save_picture(Session& session, const SessionSettings& settings, double at_s);

}  // namespace glovebox::vr
