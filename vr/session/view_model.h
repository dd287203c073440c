// What the window shows and what a person did to it: the seam between the application and everything that draws.
//
// The application fills a ViewModel each frame; the window draws it and returns ViewCommands. The window reads scenes
// and reports, it never steps them.
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

/// A line of the event list; also gaps and jumps, which are not contact events.
struct EventLine {
    enum class Mark : std::uint8_t { on, off, trouble };
    double time_s = 0.0;
    Mark mark = Mark::on;
    std::string who, what;                    ///< "index tip", "on ball"
    std::optional<tracking::Side> side = {};  ///< whose bone; empty where only one hand is there, or none is meant
};

struct Interval {
    double begin_s = 0.0, end_s = 0.0;
};

struct Playback {
    double position_s = 0.0, duration_s = 0.0;
    int frame = 0, frame_count = 0;
    bool playing = true, loop = true;
    double speed = 1.0;
    std::span<const Interval> gaps;  ///< of the recording: cut out of the track and hatched
};

/// Median cost of one refit method on the input at hand, where it was measured.
struct MethodCost {
    std::string_view name;
    double typical_us = 0.0;  ///< refit + test + exact; 0: not measured yet
};

/// How old a pose was when something was made of it. Live sessions only.
struct PoseAge {
    std::string_view until;  ///< "command", "photon"
    const DurationHistogram* age = nullptr;
};

/// What a person in a headset can choose besides: buttons of the panel.
struct HeadsetChoices {
    bool placing = false;  ///< the scene follows a hand until it pinches
    bool can_see_through = false, sees_through = false;
    std::string_view next_scene;  ///< empty: there is no other
};

struct HandMeshes;    // vr/render/hand_mesh.h
struct TakeOverview;  // vr/session/take.h

struct ViewModel {
    const scenes::Scene* scene = nullptr;
    const scenes::World* world = nullptr;
    const scenes::StepReport* report = nullptr;
    const tracking::HandPair* hands = nullptr;  ///< as shown: guarded, placed, radii filled
    const scenes::ProxyHands* proxy = nullptr;  ///< kept out of what they touch: drawn solid, `hands` then as ghosts
    tracking::PerSide<tracking::HandProfile> profiles;
    const HandMeshes* hand_meshes = nullptr;  ///< drawn in place of our own skins; null: ours
    std::array<std::uint64_t, tracking::kQuarantineCount> quarantine{};
    const StageStats* stats = nullptr;
    std::span<const BoxPair> box_pairs;       ///< that the frame on show tested; empty unless keep_box_tests was asked
    std::span<const std::int64_t> frame_ns;   ///< what each Stage of the frame on show took; empty: not known
    const Prices* prices = nullptr;           ///< of the method in use; null: not measured
    const DeadlineLedger* haptics = nullptr;  ///< null: no force loop
    std::string haptics_note;                 ///< "threaded, SCHED_FIFO 80, memory locked"
    std::string title, subtitle;  ///< recording's name; "left hand • ball on a table • replay at recorded rate"
    std::span<const EventLine> events;  ///< oldest first
    std::span<const MethodCost> methods;
    std::string_view method;                 ///< the method in use
    std::string advice;                      ///< a sentence; empty: not measured yet
    std::string_view advised_method;         ///< that the sentence recommends; empty: none
    std::span<const float> recent_total_us;  ///< per frame, the last 10 s, oldest first
    Playback playback;
    const TakeOverview* take = nullptr;       ///< of a recording, all of it; null: not known yet, or live
    float take_progress = 1.0F;               ///< 0..1: how much of it has been looked through
    tracking::PerSide<bool> has_lanes{};      ///< sides that get touch lanes over the track
    bool live = false;                        ///< its hands come now: no jumps in time; keys may move the wrist
    std::string link_title, link;             ///< live sessions: "Glove", "live • 2 silences"; empty in replays
    std::span<const PoseAge> ages;            ///< live sessions; empty in replays
    const HeadsetChoices* headset = nullptr;  ///< null: no headset
    const LabView* lab = nullptr;             ///< a laboratory instead of a scene: no hands, another panel
};

/// What the person asked for since the last frame. Defaults mean nothing was asked.
struct ViewCommands {
    bool quit = false, toggle_play = false, toggle_loop = false;
    bool keep_box_tests = false;                             ///< the next models need their box_pairs
    int step_frames = 0;                                     ///< -1 back, +1 on; several key presses add up
    double seek_s = -1.0;                                    ///< >= 0: go there
    double speed = 0.0;                                      ///< > 0: set it
    std::string_view method;                                 ///< not empty: use this method
    Eigen::Vector3f move_wrist_m = Eigen::Vector3f::Zero();  ///< of a live glove that no tracker moves
    float turn_wrist_rad = 0.0F;                             ///< about +Y
    std::string open_recording, open_scene;                  ///< not empty: end this session, begin that one
    bool place_scene = false, toggle_see_through = false;    ///< of a headset; place_scene again: leave it where it was
    int lab_choice = -1, lab_option = -1;                    ///< >= 0: of the laboratory's choices, this one that way
};

}  // namespace glovebox::vr
