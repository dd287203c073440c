// Builds a session, ready to run, from its settings.
#pragma once

#include <memory>
#include <string>

#include "vr/session/fault_watch.h"
#include "vr/session/open_recording.h"
#include "vr/session/session.h"
#include "vr/session/settings.h"

namespace glovebox::vr {

/// A scene, and the name by which it was loaded: the value of `--scene`.
struct NamedScene {
    std::string name;
    scenes::Scene scene;
};

/// Loads the scene for replaying a recording. If `scene_name` is not empty, this is the scene with that name. Otherwise
/// it is the scene in which the recording was made (bundled recordings name their own), or the first built-in scene.
/// Throws std::runtime_error.
NamedScene scene_of_replay(const std::string& scene_name, const std::string& recording);

/// Loads scene, recording and the motion of recorded objects, and injects the faults. Throws std::runtime_error with a
/// one-line message.
std::unique_ptr<Session> open_recording_session(const RecordingSettings& recording, const SessionSettings& settings,
                                                Clock clock);

struct OpenedSession {
    std::unique_ptr<Session> session;
    std::string word;  ///< about the two files, one line for the user; empty: there is only one
};
/// Opens `from`. If its two files are not the two hands of one recording, clears from.other_hand and opens the first
/// file alone; the word then begins with its name and says why. Throws as open_recording_session().
OpenedSession open_both_or_first(RecordingSettings& from, const SessionSettings& settings, Clock clock);

/// Loads the scene of a live session, with the recorded motions of its objects: the one that the settings name, or the
/// first built-in one. Throws std::exception.
NamedScene open_live_scene(const SessionSettings& settings);

/// Wraps a live source so that it injects the settings' faults, and creates `watch`, which must outlive the source.
/// Returns the source unchanged if the settings contain no faults. Throws std::runtime_error if a fault depends on the
/// session's duration.
std::unique_ptr<tracking::HandSource> with_faults(std::unique_ptr<tracking::HandSource> source,
                                                  const SessionSettings& settings, std::unique_ptr<FaultWatch>& watch);

/// Adds hand meshes, log, haptics and sinks to a session as the settings specify, whatever its source. `outputs`
/// describes a headset or glove to the haptic outputs. Throws std::runtime_error.
void equip(Session& session, const SessionSettings& settings, const std::string& scene_name, OutputOptions outputs);

}  // namespace glovebox::vr
