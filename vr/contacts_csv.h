// Every contact of every frame as a line of CSV; units in the column names, world coordinates of the scene.
#pragma once

#include <filesystem>
#include <fstream>

#include "vr/replay.h"

namespace glovebox::vr {

class ContactsCsv {
  public:
    /// Throws std::runtime_error when the file cannot be made. Written beside and renamed by finish().
    explicit ContactsCsv(std::filesystem::path path);
    void add(const Replay& replay);
    void finish();

  private:
    std::filesystem::path path_, beside_;
    std::ofstream out_;
};

}  // namespace glovebox::vr
