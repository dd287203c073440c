// The interface between the application and everything that draws: the state to show (ViewModel) and the user's
// commands (ViewCommands).
//
// The application fills a ViewModel each frame; the window draws it and returns ViewCommands. The window reads scenes
// and reports but never steps them. Pointers and views are valid for one frame.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scenes/proxy_hand.h"
#include "scenes/scene.h"
#include "scenes/step.h"
#include "tracking/guard.h"
#include "tracking/hand_profile.h"
#include "vr/haptics/ledger.h"
#include "vr/session/box_pairs.h"
#include "vr/session/prices.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

struct LabView;

/// A line of the event list: a contact event, a gap, a jump or a message.
struct EventLine {
    enum class Mark : std::uint8_t { on, off, trouble };
    double time_s = 0.0;
    Mark mark = Mark::on;
    std::string who, what;  ///< "index tip", "on ball"
    /// Side of the bone; empty if only one hand is in use, or the line concerns no hand.
    std::optional<tracking::Side> side = {};
};

struct Interval {
    double begin_s = 0.0, end_s = 0.0;
};

struct Playback {
    double position_s = 0.0, duration_s = 0.0;
    int frame = 0, frame_count = 0;
    bool playing = true, loop = true;
    double speed = 1.0;
    std::span<const Interval> gaps;  ///< gaps in the recording, drawn hatched
};

/// Median cost of one refit method on the current input.
struct MethodCost {
    std::string_view name;
    double typical_us = 0.0;  ///< sum of the stages refit, test and exact; 0: not measured yet
};

/// Age of a pose when it was used, which is the latency from tracking to a haptic command or to a displayed picture.
/// Live sessions only.
struct PoseAge {
    std::string_view until;  ///< "command", "photon"
    const DurationHistogram* age = nullptr;
};

/// State of the panel's extra buttons in a headset.
struct HeadsetChoices {
    bool placing = false;  ///< the scene follows a hand until the hand pinches
    bool can_see_through = false, sees_through = false;
    std::string_view next_scene;  ///< empty: there is no other scene
};

struct HandMeshes;    // vr/render/hand_mesh.h
struct TakeOverview;  // vr/session/take.h

/// All state of a session that is drawn in one frame.
struct ViewModel {
    const scenes::Scene* scene = nullptr;
    const scenes::World* world = nullptr;
    const scenes::StepReport* report = nullptr;
    const tracking::HandPair* hands = nullptr;  ///< as drawn: guarded, placed, with joint radii filled in
    /// Proxy hands, drawn solid, while `hands` are drawn as ghosts; null: none.
    const scenes::ProxyHands* proxy = nullptr;
    tracking::PerSide<tracking::HandProfile> profiles;
    const HandMeshes* hand_meshes = nullptr;  ///< drawn in place of the built-in skins; null: built-in skins
    std::array<std::uint64_t, tracking::kQuarantineCount> quarantine{};
    const StageStats* stats = nullptr;
    std::span<const BoxPair> box_pairs;       ///< box tests of the current frame; empty without keep_box_tests
    std::span<const std::int64_t> frame_ns;   ///< time of each Stage of the current frame; empty: not known
    const Prices* prices = nullptr;           ///< measured cost of each test; null: not measured
    const DeadlineLedger* haptics = nullptr;  ///< null: no force loop
    std::string haptics_note;                 ///< "threaded, SCHED_FIFO 80, memory locked"
    std::string title, subtitle;  ///< recording's name; "left hand • ball on a table • replay at recorded rate"
    std::span<const EventLine> events;  ///< oldest first
    std::span<const MethodCost> methods;
    std::string_view method;                 ///< the method in use
    std::string advice;                      ///< MethodRace::advice(); empty: not measured yet
    std::string_view advised_method;         ///< the method that `advice` recommends; empty: none
    std::span<const float> recent_total_us;  ///< total time of each frame of the last 10 s, oldest first
    Playback playback;
    const TakeOverview* take = nullptr;       ///< overview of the whole recording; null: not known yet, or live
    float take_progress = 1.0F;               ///< 0..1: fraction of `take` that has been computed
    tracking::PerSide<bool> has_lanes{};      ///< sides that get touch lanes above the playback track
    bool live = false;                        ///< live source: cannot seek; keys may move the wrist
    std::string link_title, link;             ///< live sessions: "Glove", "live • 2 silences"; empty in replays
    std::span<const PoseAge> ages;            ///< live sessions; empty in replays
    const HeadsetChoices* headset = nullptr;  ///< null: no headset
    /// A laboratory shown instead of a scene, without hands and with its own panel; null: none.
    const LabView* lab = nullptr;
};

/// The user's commands since the last frame. Default values mean that there was no command.
struct ViewCommands {
    bool quit = false, toggle_play = false, toggle_loop = false;
    bool keep_box_tests = false;  ///< the next ViewModels must have box_pairs
    /// Number of frames to step, negative for back and positive for forward. Key presses add up.
    int step_frames = 0;
    double seek_s = -1.0;                                    ///< >= 0: seek to this time
    double speed = 0.0;                                      ///< > 0: set the playback speed
    std::string_view method;                                 ///< not empty: use this method
    Eigen::Vector3f move_wrist_m = Eigen::Vector3f::Zero();  ///< for a live glove without a wrist tracker
    float turn_wrist_rad = 0.0F;                             ///< about +Y
    std::string open_recording, open_scene;                  ///< not empty: end this session and open that one
    /// Dropped together with open_recording: the file of the other hand, if both are of one take; empty: none.
    std::string open_other_hand;
    int not_opened = 0;                                    ///< how many more files were dropped together with these
    bool place_scene = false, toggle_see_through = false;  ///< headset only; place_scene cancels a placing in progress
    int lab_choice = -1, lab_option = -1;                  ///< >= 0: select option lab_option of choice lab_choice
};

}  // namespace glovebox::vr
