// Every contact of every frame as a line of CSV; units in the column names, world coordinates of the scene.
//
// A pair that hovers has one line, a pair that touches one for each place that the bone rests on
// (collision/contact/contact_points.h), numbered in the last column, 0 the deepest.
#pragma once

#include <filesystem>

#include "recordings/output.h"
#include "vr/session/replay.h"

namespace glovebox::vr {

/// A number that is to be written with so many decimals: what would come out as "-0.000" is 0.
double without_minus_zero(float value, int decimals);

class ContactsCsv {
  public:
    /// These throw recordings::ExportError where the file cannot be written.
    explicit ContactsCsv(const std::filesystem::path& path);
    /// The frame that the replay is at, done with PipelineSettings::rest_points.
    void add(const Replay& replay);
    void finish();

  private:
    void add_row(const Replay& replay, tracking::Side side, const collision::Contact& contact, int point,
                 bool touching);
    recordings::Output out_;
};

}  // namespace glovebox::vr
