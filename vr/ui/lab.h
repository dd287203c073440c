// Laboratories: demonstrations without hands that show parts of the library at work, in a window or headless.
//
// There are two. In the first, a crowd's agents choose motion clips without collisions; its trees are drawn in
// space-time. In the second, rocks tumble down a slope; the pairs that a broad phase finds are drawn. A laboratory is a
// set of functions. Playback, seeking, pictures and reports are common to all, in run_lab(). To add a laboratory, add
// one file and one entry.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "vr/session/stage_stats.h"
#include "vr/session/view_model.h"
#include "vr/ui/lab_view.h"

namespace glovebox::vr {

/// Options of a laboratory.
struct LabSettings {
    std::string method;       ///< the method in use; empty: the first entry
    int bodies = 0;           ///< number of agents or rocks; 0: the laboratory's default
    double radius_m = 0.5;    ///< radius of an agent
    std::string time = "up";  ///< direction in which the crowd's time is drawn: "up" or "along"
    std::string boxes;        ///< boxes that are drawn at first; empty: the first choice
    bool headless = false;
    int frames = 0;      ///< 0: until closed
    double at_s = -1.0;  ///< time at which to begin; negative: the laboratory's default
    double rate = 1.0;
    std::filesystem::path screenshot, report;
    int width_px = 1280, height_px = 720;
};

/// The functions of a laboratory. Steps count from 0 and are deterministic: step k has the same state, from whichever
/// step it is reached.
struct Laboratory {
    double dt_s = 1.0 / 60.0;
    int steps = 3600;      ///< number of steps that it plays (LabRow::plays_s)
    double begin_s = 0.0;  ///< default time of a picture
    std::function<void(int step)> go_to;
    /// Returns the current state; valid until the next call of any of these functions.
    std::function<const ViewModel&(const Playback& playback)> view;
    std::function<void(std::string_view method)> use;
    std::function<void(int choice, int option)> choose;
    std::function<nlohmann::ordered_json()> report;
};

/// An entry of the table of laboratories.
struct LabRow {
    std::string_view name, summary;
    double plays_s;
    Laboratory (*make)(const LabSettings& settings);
};
std::span<const LabRow> lab_table();

Laboratory make_crowd_lab(const LabSettings& settings);
Laboratory make_rocks_lab(const LabSettings& settings);

/// Returns the laboratory that the functions of this class make, in which steps last lab->dt_s().
template <typename Lab>
Laboratory laboratory_of(std::shared_ptr<Lab> lab, double begin_s) {
    Laboratory out;
    out.dt_s = lab->dt_s();
    out.begin_s = begin_s;
    out.go_to = [lab](int step) { lab->go_to(step); };
    out.view = [lab](const Playback& playback) -> const ViewModel& { return lab->view(playback); };
    out.use = [lab](std::string_view method) { lab->use(method); };
    out.choose = [lab](int choice, int option) { lab->choose(choice, option); };
    out.report = [lab] { return lab->report(); };
    return out;
}

/// Returns the rows of a laboratory's report: each method and its times.
nlohmann::ordered_json cost_rows(std::span<const LabCost> costs);

/// Returns the panel's advice on the method with the lowest median, based on the 99 % confidence interval of its speed
/// relative to the method in use. If the whole interval is at least 1.1, the advice is such as "grid is 1.3x as fast
/// here (1.2 to 1.4x)". If the interval contains 1.1, the advice says "undecided". Otherwise the string is empty.
std::string lab_advice(std::string_view best_name, const DurationHistogram& best, const DurationHistogram& used);

/// Runs a laboratory to its end and returns the exit code. Throws std::runtime_error if a picture or report cannot be
/// written.
int run_lab(const LabRow& row, LabSettings settings);

/// A deterministic world with random access in time. It steps forward; to go back, it continues from the latest stored
/// copy before the requested step.
template <typename World>
class Rewindable {
  public:
    explicit Rewindable(World world, int keep_every = 240) : now_(std::move(world)), keep_every_(keep_every) {
        kept_.push_back(now_);
    }

    World& world() { return now_; }
    const World& world() const { return now_; }
    int step() const { return step_; }

    /// Goes to a step; `advance(world)` steps the world once. A copy is kept every `keep_every` steps.
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
