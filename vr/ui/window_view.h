// The desktop window as the view of a session, and pictures of single frames.
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

class WindowView final : public View {
  public:
    /// Throws std::runtime_error where there is no display or no OpenGL 3.3.
    WindowView(const std::string& name, const SessionSettings& settings);

    /// What takes long to open is waited for with the window open; what takes a moment shows none before it is there,
    /// so that bad input never does. Null: the person has closed the window. Throws what `open` throws.
    static std::unique_ptr<WindowView> open_while(const std::string& name, const SessionSettings& settings,
                                                  const std::function<std::unique_ptr<Session>()>& open,
                                                  std::unique_ptr<Session>& opened);

    /// What the person wants to see instead, by menu or by dropping a file. Once told, this session ends as Q ends it.
    /// Only of views that were allowed to.
    struct Next {
        std::string recording, scene;  ///< one of them
    };
    void let_switch() { may_switch_ = true; }
    std::optional<Next> take_next() { return std::exchange(next_, {}); }
    /// Lets go of a session that is about to be destroyed.
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

/// {first_frame_ms since the process began, scenes_per_second, {scene, panel, input}_ms ...}: how the window kept up.
nlohmann::ordered_json window_json(const WindowTimings& timings);

/// Of a recording: goes to `at_s`, else (negative) to the frame in which the most bones touch without being deep
/// inside; of a live session: as it stands. Draws it to settings.screenshot, without any display.
void save_picture(Session& session, const SessionSettings& settings, double at_s);

}  // namespace glovebox::vr
