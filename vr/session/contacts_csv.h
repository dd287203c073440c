// Every contact of every frame as a line of CSV; units in the column names, world coordinates of the scene.
//
// A pair that hovers has one line, a pair that touches one for each place that the bone rests on
// (collision/contact/contact_points.h), numbered in the last column, 0 the deepest.
#pragma once

#include <filesystem>
#include <string>

#include "collision/query/collide.h"
#include "recordings/output.h"
#include "tracking/hand_frame.h"
#include "vr/session/sink.h"

namespace glovebox::vr {

/// A number that is to be written with so many decimals: what would come out as "-0.000" is 0.
double without_minus_zero(float value, int decimals);

class ContactsCsv final : public Sink {
  public:
    /// These throw recordings::ExportError where the file cannot be written.
    explicit ContactsCsv(const std::filesystem::path& path);
    /// A frame done with PipelineSettings::contact_manifolds.
    void frame(const Session& session) override;
    void finish(const Session& session, nlohmann::ordered_json& report) override;

  private:
    void add_row(const Session& session, tracking::Side side, const collision::Contact& contact, int point,
                 bool touching);
    recordings::Output out_;
};

}  // namespace glovebox::vr
