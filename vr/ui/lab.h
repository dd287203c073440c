// Laboratories: worlds without hands that show what the library's parts do, in a window or headless.
//
// Two there are: a crowd whose agents choose clips that run into no one, with its trees drawn in space-time, and rocks
// tumbling down a slope, with the pairs that a broad phase found. A laboratory is a handful of functions; running it,
// playing, seeking, pictures and reports are the same for all and live in run_lab(). A new one is one file and a row.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "vr/session/stage_stats.h"
#include "vr/session/view_model.h"
#include "vr/ui/lab_view.h"

namespace glovebox::vr {

struct LabSettings {
    std::string method;       ///< the row that decides; empty: the table's first
    int bodies = 0;           ///< agents or rocks; 0: as the laboratory thinks right
    double radius_m = 0.5;    ///< of an agent
    std::string time = "up";  ///< where the crowd's time goes: up, or along a third axis
    std::string boxes;        ///< which boxes are drawn at first; empty: the first choice
    bool headless = false;
    int frames = 0;      ///< 0: until closed
    double at_s = -1.0;  ///< where to begin; below 0: as the laboratory thinks right
    double rate = 1.0;
    std::filesystem::path screenshot, report;
    int width_px = 1280, height_px = 720;
};

/// What running one needs. Steps are numbered from 0 and deterministic: step k is the same however it was reached.
struct Laboratory {
    double dt_s = 1.0 / 60.0;
    int steps = 3600;      ///< how many it plays; the row says how long
    double begin_s = 0.0;  ///< where a picture says most
    std::function<void(int step)> go_to;
    /// The state as it is now; valid until the next call of any of these.
    std::function<const ViewModel&(const Playback& playback)> view;
    std::function<void(std::string_view method)> use;
    std::function<void(int choice, int option)> choose;
    std::function<nlohmann::ordered_json()> report;
};

struct LabRow {
    std::string_view name, summary;
    double plays_s;
    Laboratory (*make)(const LabSettings& settings);
};
std::span<const LabRow> lab_table();

Laboratory make_crowd_lab(const LabSettings& settings);
Laboratory make_rocks_lab(const LabSettings& settings);

/// Returns the panel's verdict on the method of the lowest median: "grid is 1.3x as fast here (1.2 to 1.4x)" where the
/// whole 99 % interval is at least 1.1, "undecided" where the interval crosses that, else nothing.
std::string lab_advice(std::string_view best_name, const DurationHistogram& best, const DurationHistogram& used);

/// Returns the exit code. Throws std::runtime_error for a picture or report that cannot be written.
int run_lab(const LabRow& row, LabSettings settings);

/// A deterministic world that can be taken anywhere in time: forward step by step, back to a copy kept on the way.
template <typename World>
class Rewindable {
  public:
    explicit Rewindable(World world, int keep_every = 240) : now_(std::move(world)), keep_every_(keep_every) {
        kept_.push_back(now_);
    }

    World& world() { return now_; }
    const World& world() const { return now_; }
    int step() const { return step_; }

    /// `advance(world)` takes it one step on. A world that was changed by hand has to forget() what it kept.
    template <typename Advance>
    void go_to(int step, const Advance& advance) {
        if (step < step_) {
            const auto last = static_cast<std::size_t>(step / keep_every_);
            const std::size_t from = std::min(last, kept_.size() - 1);
            now_ = kept_[from];
            step_ = static_cast<int>(from) * keep_every_;
        }
        while (step_ < step) {
            advance(now_);
            if (++step_ % keep_every_ == 0 && static_cast<std::size_t>(step_ / keep_every_) == kept_.size())
                kept_.push_back(now_);
        }
    }

  private:
    World now_;
    std::vector<World> kept_;
    int step_ = 0, keep_every_;
};

}  // namespace glovebox::vr
