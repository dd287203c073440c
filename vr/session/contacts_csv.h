// Writes every contact of every frame as a line of CSV. Column names contain the units; positions are in world space.
//
// A bone-object pair that hovers has one line. A pair that touches has one line for each point of its contact manifold
// (collision/contact/contact_points.h). The last column holds the point's index; the deepest point has index 0.
#pragma once

#include <filesystem>
#include <string>

#include "collision/query/collide.h"
#include "recordings/output.h"
#include "tracking/hand_frame.h"
#include "vr/session/sink.h"

namespace glovebox::vr {

/// Returns `value`, or 0 if printing it with `decimals` decimals would give a negative zero such as "-0.000".
double without_minus_zero(float value, int decimals);

class ContactsCsv final : public Sink {
  public:
    /// The constructor, frame() and finish() throw recordings::ExportError if the file cannot be written.
    explicit ContactsCsv(const std::filesystem::path& path);
    /// Adds the contacts of a frame. The session must run with PipelineSettings::contact_manifolds.
    void frame(const Session& session) override;
    void finish(const Session& session, nlohmann::ordered_json& report) override;

  private:
    void add_row(const Session& session, tracking::Side side, const collision::Contact& contact, int point,
                 bool touching);
    recordings::Output out_;
};

}  // namespace glovebox::vr
