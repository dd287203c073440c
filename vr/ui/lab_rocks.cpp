// Rocks tumbling down a slope as a laboratory: pairs that the broad phase finds, pairs that touch, and the cost of each
// broad-phase method on the same rocks.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "collision/survey/rock_slope.h"
#include "tracking/formatted.h"
#include "vr/platform/platform.h"
#include "vr/render/palette.h"
#include "vr/ui/lab.h"
#include "vr/ui/lab_meshes.h"

namespace glovebox::vr {
namespace {

using collision::BodyPair;
using collision::BroadPhase;
using collision::RockSlope;
using Eigen::Vector3f;
using tracking::formatted;

constexpr float kDt_s = 1.0F / 60.0F;
constexpr float kModelSide_m = 0.40F;  // side of the slope, for any number of rocks
constexpr std::array kCounts = {300, 1000, 3000, 10000};
// Methods that are not chosen are measured in turn, for this many consecutive steps. Some use results of the step
// before, so the first step does not count.
constexpr int kTurnSteps = 6;
// With more rocks than this, methods with quadratic time are measured only when chosen; otherwise they would stop the
// animation.
constexpr int kManyRocks = 3000;

struct RowLane {
    const BroadPhase* row;
    std::unique_ptr<collision::BroadPhaseMemory> memory;
    std::vector<BodyPair> pairs;
    collision::BroadPhaseCounts counts;  ///< of `counted_steps`, the last consecutive ones
    int counted_steps = 0;
    DurationHistogram cost;
    double last_us = 0.0;
    int last_step = -2;  ///< a step that does not follow this one is a warm-up and does not count
};

class RocksLab {
  public:
    explicit RocksLab(const LabSettings& settings)
        : world_(RockSlope(settings.bodies > 0 ? settings.bodies : 1000, 3)),
          ramp_(ramp_mesh(RockSlope::kSine, RockSlope::kCosine)),
          rock_count_(settings.bodies > 0 ? settings.bodies : 1000),
          show_boxes_(settings.boxes == "boxes" || settings.boxes == "both"),
          show_pairs_(settings.boxes != "none" && settings.boxes != "boxes") {
        const BroadPhase* wanted = collision::find_broad_phase(settings.method);
        row_ = wanted == nullptr ? &collision::broad_phases().front() : wanted;
        model_.lab = &view_;
        model_.title = "Rocks on a slope";
        begin();
    }

    double dt_s() const { return 1.0 / 60.0; }

    void go_to(int step) {
        ++view_.version;
        world_.go_to(step, [this](RockSlope& slope) { advance(slope); });
    }

    void use(std::string_view name) {
        ++view_.version;
        if (const BroadPhase* row = collision::find_broad_phase(name)) row_ = row;
        recent_us_.clear();
    }

    void choose(int choice, int option) {
        ++view_.version;
        if (choice == 0 && kCounts[static_cast<std::size_t>(option)] != rock_count_) {
            rock_count_ = kCounts[static_cast<std::size_t>(option)];
            const int step = std::min(world_.step(), 120);
            world_ = Rewindable<RockSlope>(RockSlope(rock_count_, 3));
            begin();
            go_to(step);
        }
        if (choice == 1) show_pairs_ = option == 0 || option == 1, show_boxes_ = option == 1 || option == 2;
    }

    const ViewModel& view(const Playback& playback);
    nlohmann::ordered_json report() const;

  private:
    void begin() {
        lanes_.clear();
        for (const BroadPhase& row : collision::broad_phases())
            lanes_.push_back({&row, row.make_memory(), {}, {}, 0, {}});
        view_.costs.clear();
        for (const RowLane& each : lanes_) view_.costs.push_back({each.row->name, &each.cost});
        recent_us_.clear();
        boulders_.clear();
        // Use fewer faces when there are too many rocks to see them.
        for (unsigned kind = 0; kind < 3; ++kind)
            boulders_.push_back(std::make_unique<DrawMesh>(rock_mesh(11 + kind, rock_count_ > 2000 ? 1 : 2)));
        view_.bodies.assign(1 + boulders_.size(), {});
        view_.bodies[0].mesh = &ramp_;
        for (std::size_t kind = 0; kind < boulders_.size(); ++kind) view_.bodies[1 + kind].mesh = boulders_[kind].get();
    }

    RowLane& lane() { return *std::ranges::find(lanes_, row_, &RowLane::row); }
    const RowLane& lane() const { return *std::ranges::find(lanes_, row_, &RowLane::row); }

    void advance(RockSlope& slope);
    void look(RowLane& lane, const collision::Bodies& bodies) const;
    bool sits_out(const RowLane& lane) const {
        return rock_count_ > kManyRocks &&
               (lane.row->name == "brute" || lane.row->name == "octree" || lane.row->name == "sweep-and-prune");
    }
    void add_ramp();
    void add_rocks();
    void add_pairs();
    void add_box(const collision::Aabb& box, std::uint32_t color, float width_px, float alpha);
    void add_figures();

    float scale() const { return kModelSide_m / world_.world().side_m(); }
    /// The foot of the slope lies on the table, its middle over the origin.
    Vector3f place(const Vector3f& at_m) const {
        const float side_m = world_.world().side_m();
        return scale() * (at_m + side_m * Vector3f(-0.5F, RockSlope::kSine, -0.5F * RockSlope::kCosine));
    }

    Rewindable<RockSlope> world_;
    DrawMesh ramp_;
    std::vector<std::unique_ptr<DrawMesh>> boulders_;
    int rock_count_;
    bool show_boxes_, show_pairs_;
    const BroadPhase* row_ = nullptr;
    std::vector<RowLane> lanes_;
    std::size_t turn_ = 0;
    int steps_taken_ = 0;  ///< in all, including repeated ones
    std::vector<BodyPair> sorted_;
    std::vector<float> recent_us_;
    std::vector<std::uint8_t> met_;  ///< per rock: 1 if its box overlaps another's, 2 if the rock touches another
    int touching_pairs_ = 0;
    LabView view_;
    std::uint64_t viewed_ = ~std::uint64_t{0};  ///< version of view_ that was filled in last
    ViewModel model_;
    std::vector<MethodCost> costs_;
};

void RocksLab::look(RowLane& lane, const collision::Bodies& bodies) const {
    const bool warm = lane.last_step + 1 == steps_taken_;
    const std::int64_t start_ns = thread_cpu_ns();
    lane.row->find_pairs(*lane.memory, bodies, lane.pairs, lane.counts);
    const std::int64_t took_ns = thread_cpu_ns() - start_ns;
    if (warm)
        lane.cost.add(took_ns), ++lane.counted_steps;
    else
        lane.counts = {}, lane.counted_steps = 0;
    lane.last_us = 1e-3 * static_cast<double>(took_ns);
    lane.last_step = steps_taken_;
}

void RocksLab::advance(RockSlope& slope) {
    slope.step(kDt_s);
    ++steps_taken_;
    RowLane& chosen = lane();
    look(chosen, slope.bodies());
    recent_us_.push_back(static_cast<float>(chosen.last_us));
    if (recent_us_.size() > 1200) recent_us_.erase(recent_us_.begin(), recent_us_.begin() + 600);
    if (steps_taken_ % kTurnSteps == 0) do
            turn_ = (turn_ + 1) % lanes_.size();
        while (sits_out(lanes_[turn_]) && lanes_[turn_].row != row_);
    if (lanes_[turn_].row != row_ && !sits_out(lanes_[turn_])) look(lanes_[turn_], slope.bodies());
    // Methods list pairs in different orders; the simulation must not depend on it.
    sorted_ = chosen.pairs;
    std::ranges::sort(sorted_);
    slope.push(sorted_);
}

void RocksLab::add_ramp() {
    const RockSlope& slope = world_.world();
    const float side_m = slope.side_m();
    LabBody ramp;
    ramp.at_m = {0.0F, 0.0F, -0.5F * RockSlope::kCosine * kModelSide_m};
    ramp.size = Vector3f::Constant(kModelSide_m);
    ramp.color = palette::rgb(0xD8D3C9);
    view_.bodies[0].bodies.assign(1, ramp);
    // Ten fields each way, slightly above the surface.
    for (int k = 0; k <= 10; ++k) {
        const float at_m = side_m * static_cast<float>(k) / 10.0F;
        const auto line = [&](const Vector3f& a_m, const Vector3f& b_m) {
            const Vector3f lift(0.0F, 0.0004F, 0.0002F);
            view_.lines.push_back(
                {place(a_m) + lift, place(b_m) + lift, palette::kTertiary, 0.8F, k % 10 == 0 ? 0.55F : 0.16F});
        };
        const Vector3f down(0.0F, -RockSlope::kSine * side_m, RockSlope::kCosine * side_m);
        line({at_m, 0.0F, 0.0F}, Vector3f(at_m, 0.0F, 0.0F) + down);
        const Vector3f across = down * (static_cast<float>(k) / 10.0F);
        line(across, across + Vector3f(side_m, 0.0F, 0.0F));
    }
}

void RocksLab::add_rocks() {
    const RockSlope& slope = world_.world();
    // Find the touching pairs at the rocks' current positions: they were pushed after the pairs were found.
    met_.assign(static_cast<std::size_t>(rock_count_), 0);
    touching_pairs_ = 0;
    for (const BodyPair pair : sorted_) {
        const bool touches = slope.touch(pair);
        touching_pairs_ += touches ? 1 : 0;
        for (const std::int32_t rock : {pair.a, pair.b}) {
            std::uint8_t& met = met_[static_cast<std::size_t>(rock)];
            met = std::max<std::uint8_t>(met, touches ? 2 : 1);
        }
    }
    constexpr std::array<std::uint32_t, 3> kStone = {0xA9A29A, 0xB8AC9C, 0x98979A};
    for (std::size_t i = 0; i < static_cast<std::size_t>(rock_count_); ++i) {
        const RockSlope::View rock = slope.view(i);
        if (!rock.present) continue;
        const std::size_t kind = i % boulders_.size();
        Vector3f color = palette::rgb(kStone[(i / 3) % kStone.size()]);
        if (met_[i] == 2) color = 0.45F * color + 0.55F * palette::rgb(palette::kTouching);
        view_.bodies[1 + kind].bodies.push_back(
            {place(rock.center_m), rock.turn.coeffs(), Vector3f::Constant(scale() * rock.radius_m), color});
    }
}

void RocksLab::add_box(const collision::Aabb& box, std::uint32_t color, float width_px, float alpha) {
    const auto corner = [&](unsigned k) {
        return place({(k & 1U) != 0 ? box.max_m.x() : box.min_m.x(), (k & 2U) != 0 ? box.max_m.y() : box.min_m.y(),
                      (k & 4U) != 0 ? box.max_m.z() : box.min_m.z()});
    };
    for (unsigned k = 0; k < 8; ++k)
        for (const unsigned bit : {1U, 2U, 4U})
            if ((k & bit) == 0) view_.lines.push_back({corner(k), corner(k | bit), color, width_px, alpha});
}

void RocksLab::add_pairs() {
    const RockSlope& slope = world_.world();
    const float crowded = rock_count_ > kManyRocks ? 0.7F : 1.0F;
    // Touching pairs are drawn last.
    for (const bool touching : {false, true})
        for (const BodyPair pair : sorted_) {
            if (slope.touch(pair) != touching) continue;
            const std::uint32_t color = touching ? palette::kTouching : palette::kFalsePositive;
            if (show_boxes_)
                for (const std::int32_t rock : {pair.a, pair.b})
                    add_box(slope.bodies().boxes[static_cast<std::size_t>(rock)], color, touching ? 1.4F : 0.9F,
                            crowded * (touching ? 0.9F : 0.5F));
            if (!show_pairs_) continue;
            // From the top of one rock to the top of the other, or the rocks would hide the line.
            const auto top = [&](std::int32_t i) {
                const RockSlope::View rock = slope.view(static_cast<std::size_t>(i));
                const Vector3f out(0.0F, RockSlope::kCosine, RockSlope::kSine);
                return place(rock.center_m + 1.12F * rock.radius_m * out);
            };
            view_.lines.push_back({top(pair.a), top(pair.b), color, touching ? 2.6F : 1.8F, crowded});
        }
}

void RocksLab::add_figures() {
    const RowLane& chosen = lane();
    const auto steps = static_cast<double>(std::max(1, chosen.counted_steps));
    const auto per_step = [&](std::int64_t count) { return formatted("%.0f", static_cast<double>(count) / steps); };
    const auto& swaps = chosen.counts.swaps;
    view_.figures_title = "A step of " + std::string(chosen.row->name);
    const auto present = std::ranges::count_if(
        world_.world().bodies().boxes, [](const collision::Aabb& box) { return box.min_m.x() <= box.max_m.x(); });
    view_.figures = {
        {"rocks on the slope", formatted("%d of %d", static_cast<int>(present), rock_count_)},
        {"pairs found", std::to_string(sorted_.size())},
        {"box tests", per_step(chosen.counts.box_tests)},
        {"bodies put in again", per_step(chosen.counts.updates)},
        {"swaps in the three lists",
         swaps[0] + swaps[1] + swaps[2] == 0 ? std::string("–") : per_step(swaps[0] + swaps[1] + swaps[2])}};
}

const ViewModel& RocksLab::view(const Playback& playback) {
    model_.playback = playback;
    if (std::exchange(viewed_, view_.version) == view_.version) return model_;
    view_.lines.clear();
    for (LabBodies& many : view_.bodies) many.bodies.clear();
    add_ramp();
    add_rocks();
    add_pairs();
    add_figures();

    view_.camera = {};
    view_.camera.target_m = {0.0F, 0.085F, 0.02F};
    view_.camera.yaw_rad = 0.62F;
    view_.camera.elevation_rad = 0.42F;
    view_.camera.distance_m = 0.90F;
    view_.headline = "A step of the broad phase, 99th percentile";
    view_.measured = &lane().cost;
    view_.budget_us = 1e6 / 60.0;
    view_.budget_name = "1/60 s";
    view_.costs_title = "Same rocks";
    costs_.clear();
    const RowLane* best = nullptr;
    for (const RowLane& row : lanes_) {
        costs_.push_back({row.row->name, row.cost.percentile_us(0.5)});
        if (row.cost.count() > 20 && (best == nullptr || row.cost.percentile_us(0.5) < best->cost.percentile_us(0.5)))
            best = &row;
    }
    model_.advice.clear();
    if (best != nullptr && best->row != row_ && lane().cost.count() > 20)
        model_.advice = lab_advice(best->row->name, best->cost, lane().cost);
    view_.choices.clear();
    LabChoice counts = {"Rocks", {}, ~std::size_t{0}};
    for (std::size_t i = 0; i < kCounts.size(); ++i) {
        counts.options.push_back(std::to_string(kCounts[i]));
        if (kCounts[i] == rock_count_) counts.chosen = i;
    }
    view_.choices.push_back(std::move(counts));
    view_.choices.push_back({"Pairs",
                             {"lines", "both", "boxes", "none"},
                             show_pairs_   ? (show_boxes_ ? 1U : 0U)
                             : show_boxes_ ? 2U
                                           : 3U});
    view_.legend = {{"pairs of rocks that touch", touching_pairs_, palette::kTouching, 2.2F},
                    {"pairs of boxes that meet", static_cast<int>(sorted_.size()) - touching_pairs_,
                     palette::kFalsePositive, 1.6F}};

    const auto side_m = static_cast<double>(world_.world().side_m());
    model_.subtitle = formatted("%d rocks of 7 to 20 cm on %.0f × %.0f m • pairs by %s", rock_count_, side_m, side_m,
                                std::string(row_->name).c_str());
    model_.methods = costs_;
    model_.method = row_->name;
    model_.recent_total_us = recent_us_;
    return model_;
}

nlohmann::ordered_json RocksLab::report() const {
    return {
        {"lab", "rocks"},
        {"rocks", rock_count_},
        {"time_s", kDt_s * static_cast<float>(world_.step())},
        {"pairs", sorted_.size()},
        {"touching_pairs", std::ranges::count_if(sorted_, [&](BodyPair pair) { return world_.world().touch(pair); })},
        {"rows", cost_rows(view_.costs)}};
}

}  // namespace

std::string lab_advice(std::string_view best_name, const DurationHistogram& best, const DurationHistogram& used) {
    constexpr double kMinSpeed = 1.10;
    // Order statistics of the binomial, as in MethodRace: the median lies between with 99 % confidence.
    const auto bound_us = [](const DurationHistogram& cost, double side) {
        const double reach = 0.5 * 2.576 / std::sqrt(static_cast<double>(cost.count()));
        return cost.percentile_us(std::clamp(0.5 + side * reach, 0.0, 1.0));
    };
    const double low = bound_us(used, -1.0) / bound_us(best, 1.0), high = bound_us(used, 1.0) / bound_us(best, -1.0);
    if (!(high >= kMinSpeed)) return {};
    const std::string name(best_name);
    if (low >= kMinSpeed)
        return formatted("%s is %.3gx as fast here (%.3g to %.3gx)", name.c_str(),
                         used.percentile_us(0.5) / best.percentile_us(0.5), low, high);
    return formatted("undecided whether %s is faster here (%.3g to %.3gx)", name.c_str(), low, high);
}

Laboratory make_rocks_lab(const LabSettings& settings) {
    return laboratory_of(std::make_shared<RocksLab>(settings), 6.0);
}

}  // namespace glovebox::vr
