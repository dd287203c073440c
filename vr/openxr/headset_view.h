// Shows a session in a headset and in the desktop window that mirrors it. If headless, only ends the frames.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "vr/openxr/headset_source.h"
#include "vr/openxr/live_eyes.h"
#include "vr/openxr/scene_placer.h"
#include "vr/platform/platform.h"
#include "vr/session/run.h"
#include "vr/session/session_view.h"

namespace glovebox::vr {

/// The headset as a session's view.
class HeadsetView final : public View {
  public:
    /// `eyes` is null for headless sessions. The eyes must outlive the headset that draws with them.
    HeadsetView(HeadsetSource& source, LiveEyes* eyes, const SessionSettings& settings,
                const Eigen::Isometry3f& scene_from_seat);

    ViewCommands show(Session& session) override;
    bool open() const override { return open_; }
    bool ends_with_source() const override { return true; }
    std::uint64_t frames(const Session&) const override { return stats_.frames; }
    void finish(const Session& session, nlohmann::ordered_json& report) override;
    std::string text() const override;

    /// Sets the scenes through which a button of the panel cycles, and the index of the current scene.
    void offer(std::vector<std::string> scenes, std::size_t now);
    /// Returns the scene that the user has requested, or an empty string. If a scene was requested, the connection
    /// stays open when the session ends.
    const std::string& next_scene() const { return next_scene_; }

    /// Returns the times of all haptic commands sent through the headset, for OutputOptions.
    CommandTimes* command_times() { return &stats_.commands; }

  private:
    struct Stats {
        DurationHistogram cpu;               ///< CPU time of this thread per frame, without waiting
        CommandTimes commands;               ///< measured until the runtime has accepted a command
        DurationHistogram sample_to_photon;  ///< age of the pose at the frame's predicted display time
        std::uint64_t frames = 0, frames_late = 0, rendered = 0;
        std::int64_t last_display_ns = 0;
        std::array<std::uint64_t, 6> sources{};  ///< number of hands used from each tracking::Source
        bool realtime = false;                   ///< wake_before_others() succeeded
        bool awake = false;                      ///< KeepAwake is in force
    };

    ViewModel& model_of(Session& session);
    std::span<const XrCompositionLayerBaseHeader* const> draw(Session& session);
    void use_runtime_meshes(Session& session);
    void follow_placing(const Session& session);
    void obey(Session& session, ViewCommands& commands);
    bool locate_head(Eigen::Isometry3f& seat_from_head);
    void account(const Session& session, std::int64_t cpu_ns);
    nlohmann::ordered_json json() const;

    HeadsetSource& source_;
    LiveEyes* eyes_;
    bool headless_, own_meshes_;
    Eigen::Isometry3f scene_from_seat_;
    ScenePlacer placer_;
    bool placed_ = false;
    tracking::HandPair in_seat_;
    HeadsetChoices choices_;
    std::vector<std::string> scenes_;
    std::size_t scene_ = 0;
    std::string next_scene_;
    std::array<int, kHeadsetButtonCount> presses_{};  // by HeadsetButton
    std::optional<SessionView> view_;
    tracking::HandPair predicted_;
    scenes::ProxyHands proxies_;
    Stats stats_;
    std::array<PoseAge, 2> ages_ = {{{"command", &stats_.commands.from_sample}, {"photon", &stats_.sample_to_photon}}};
    std::optional<KeepAwake> awake_;
    openxr::Status status_;  ///< state before the session was destroyed
    std::uint64_t frames_costed_ = 0;
    int meshes_of_ = 0;  ///< number of the session whose hand meshes were requested
    bool open_ = true;
};

}  // namespace glovebox::vr
