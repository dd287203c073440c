// From settings to a session that is ready to run.
#pragma once

#include <memory>
#include <string>

#include "vr/session/fault_watch.h"
#include "vr/session/open_recording.h"
#include "vr/session/session.h"
#include "vr/session/settings.h"

namespace glovebox::vr {

/// A scene and what it was asked for by.
struct NamedScene {
    std::string name;
    scenes::Scene scene;
};

/// The scene that a recording is replayed in: the one asked for, else the one that it was made in (a bundled one brings
/// its own), else the first. Throws std::runtime_error.
NamedScene scene_of_replay(const std::string& asked, const std::string& recording);

/// Loads scene, recording and the motion of recorded objects, and puts the faults in. Throws std::runtime_error with
/// one clear line.
std::unique_ptr<Session> open_recording_session(const RecordingSettings& recording, const SessionSettings& settings,
                                                Clock clock);

/// A live source in a scene. What moves by itself there does so, too.
struct LiveScene {
    std::string name;  ///< as `--scene` takes it
    scenes::Scene scene;
};
LiveScene open_live_scene(const SessionSettings& settings);

/// A live source with the faults that the settings ask for put in, and the watch over them, which must outlive it. As
/// it is where none are asked for. Throws std::runtime_error where a fault needs to know how long the session will
/// last.
std::unique_ptr<tracking::HandSource> with_faults(std::unique_ptr<tracking::HandSource> source,
                                                  const SessionSettings& settings, std::unique_ptr<FaultWatch>& watch);

/// Adds what the settings ask for besides the source, for all sources alike: hand meshes, log, haptics and sinks.
/// `outputs`: what haptic outputs need to know of a headset or a glove. Throws std::runtime_error.
void equip(Session& session, const SessionSettings& settings, const std::string& scene_name, OutputOptions outputs);

}  // namespace glovebox::vr
