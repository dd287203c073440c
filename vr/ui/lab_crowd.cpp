// The crowd of [Sung05, sec. 5] as a laboratory: trajectories, intersecting space-time boxes, and the cost of each
// method of testing clips on the crowd's queries.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "collision/survey/clips/crowd.h"
#include "tracking/formatted.h"
#include "vr/platform/platform.h"
#include "vr/render/palette.h"
#include "vr/ui/lab.h"
#include "vr/ui/lab_meshes.h"

namespace glovebox::vr {
namespace {

namespace clips = collision::clips;
using Eigen::Vector2d;
using Eigen::Vector3f;
using tracking::formatted;

constexpr float kModel = 0.01F;         // model metres per metre: 30 x 40 m on 30 x 40 cm
constexpr float kUp_m_per_s = 2.0F;     // height of one second of future, in world metres
constexpr float kAlong_m_per_s = 3.0F;  // length of one second along the third axis
constexpr double kPast_s = 6.0;         // past of each agent that is drawn along the third axis
constexpr float kPawn_m = 1.75F;

/// Space-time to the model. Up: the floor lies, the future stands on it. Along: the floor stands as a wall at "now",
/// its long side to the back; the past lies to its left and the future to its right.
struct SpaceTime {
    bool along;
    Vector2d middle_m;
    double now_s;

    Vector3f operator()(const Vector2d& at_m, double time_s) const {
        const Eigen::Vector2f p = (at_m - middle_m).cast<float>();
        const auto t_s = static_cast<float>(time_s - now_s);
        if (!along) return kModel * Vector3f(p.x(), t_s * kUp_m_per_s, -p.y());
        return kModel * Vector3f(t_s * kAlong_m_per_s, p.x() + static_cast<float>(middle_m.x()), -p.y());
    }
};

enum class BoxesShown : std::uint8_t { roots, middle, leaves, none };

/// One method, its trees, and the time of its queries in a step.
struct MethodLane {
    const clips::ClipMethod* method;
    std::vector<clips::ClipTree> trees;
    DurationHistogram cost;
};

/// The crowd, and what its agents did before their present clips.
struct CrowdWorld {
    clips::Crowd crowd;
    std::vector<std::vector<clips::Crowd::Agent>> past;
};

class CrowdLab {
  public:
    explicit CrowdLab(const LabSettings& settings)
        : world_({clips::Crowd(crowd_settings(settings), method_named(settings.method)), {}}),
          pawn_(pawn_mesh()),
          disc_(disc_mesh()),
          along_(settings.time == "along"),
          boxes_(settings.boxes.empty() ? BoxesShown::leaves : boxes_named(settings.boxes)) {
        world_.world().past.resize(crowd().agents().size());
        world_ = Rewindable<CrowdWorld>(world_.world());
        method_ = &method_named(settings.method);
        for (const clips::ClipMethod& method : clips::clip_methods()) {
            MethodLane lane{&method, {}, {}};
            for (const clips::ClipTree& tree : crowd().trees()) lane.trees.push_back(method.build(tree.clip(), {}));
            lanes_.push_back(std::move(lane));
        }
        for (const MethodLane& each : lanes_) view_.costs.push_back({each.method->name, &each.cost});
        view_.bodies.resize(2);
        view_.bodies[0].mesh = &pawn_;
        view_.bodies[1].mesh = &disc_;
        model_.lab = &view_;
        model_.title = "Crowd in space-time";
    }

    double dt_s() const { return crowd().dt_s(); }

    void go_to(int step) {
        ++view_.version;
        world_.go_to(step, [this](CrowdWorld& world) { advance(world); });
    }

    void use(std::string_view name) {
        ++view_.version;
        if (const clips::ClipMethod* row = clips::find_clip_method(name)) method_ = row;
        step_cost_.clear();
        recent_us_.clear();
    }

    void choose(int choice, int option) {
        ++view_.version;
        if (choice == 0) along_ = option == 1;
        if (choice == 1) boxes_ = static_cast<BoxesShown>(option);
    }

    const ViewModel& view(const Playback& playback);
    nlohmann::ordered_json report() const;

  private:
    static clips::CrowdSettings crowd_settings(const LabSettings& settings) {
        clips::CrowdSettings crowd;
        crowd.radius_m = settings.radius_m;
        if (settings.bodies > 0) crowd.agents = settings.bodies;
        return crowd;
    }
    static const clips::ClipMethod& method_named(const std::string& name) {
        const clips::ClipMethod* row = clips::find_clip_method(name);
        return row == nullptr ? clips::clip_methods().front() : *row;
    }
    static BoxesShown boxes_named(const std::string& name) {
        return name == "roots"    ? BoxesShown::roots
               : name == "middle" ? BoxesShown::middle
               : name == "none"   ? BoxesShown::none
                                  : BoxesShown::leaves;
    }

    const clips::Crowd& crowd() const { return world_.world().crowd; }
    const MethodLane& lane() const { return *std::ranges::find(lanes_, method_, &MethodLane::method); }

    void advance(CrowdWorld& world);
    void measure();

    /// A box that an agent's clip has in space-time, with the time of its samples.
    struct Drawn {
        std::size_t agent;
        const clips::ClipTree::Node* node;
        int state;  ///< 0 apart, 1 overlaps another agent's box, 2 and the two collide
    };
    void gather_boxes();
    void meet(std::size_t a, std::size_t b, std::span<Drawn> boxes_a, std::span<Drawn> boxes_b);
    void add_box(const SpaceTime& place, const Drawn& box);
    void add_line(const Vector3f& a, const Vector3f& b, std::uint32_t color, float width_px, float alpha);
    void add_floor(const SpaceTime& place);
    void add_agent(const SpaceTime& place, std::size_t i);
    void add_path(const SpaceTime& place, const clips::Crowd::Agent& agent, double from_s, double to_s, float alpha);
    void add_figures();

    Rewindable<CrowdWorld> world_;
    DrawMesh pawn_, disc_;
    const clips::ClipMethod* method_ = nullptr;
    bool along_;
    BoxesShown boxes_;

    std::vector<MethodLane> lanes_;
    std::size_t next_lane_ = 0;
    std::vector<clips::ClipQuery> asked_;
    clips::ClipCounts query_counts_;
    DurationHistogram step_cost_;
    std::vector<float> recent_us_;

    std::vector<Drawn> drawn_;
    std::vector<std::size_t> first_drawn_;
    std::array<int, 3> state_counts_{};
    std::vector<bool> in_trouble_;
    LabView view_;
    std::uint64_t viewed_ = ~std::uint64_t{0};  ///< version of view_ that was filled in last
    ViewModel model_;
    std::vector<MethodCost> costs_;
};

void CrowdLab::advance(CrowdWorld& world) {
    asked_.clear();
    const std::vector<clips::Crowd::Agent> before = world.crowd.agents();
    world.crowd.step(&asked_);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const clips::Crowd::Agent& now = world.crowd.agents()[i];
        if (now.placed.start_s == before[i].placed.start_s) continue;
        std::vector<clips::Crowd::Agent>& past = world.past[i];
        past.push_back(before[i]);
        std::erase_if(past, [&](const clips::Crowd::Agent& agent) {
            return agent.placed.start_s + 4.0 < world.crowd.time_s() - kPast_s;
        });
    }
    measure();
}

// The chosen method answers the queries of every step; the others take turns.
void CrowdLab::measure() {
    if (asked_.empty()) return;
    const auto answer = [this](MethodLane& lane, clips::ClipCounts& counts) {
        const std::int64_t start_ns = thread_cpu_ns();
        for (const clips::ClipQuery& q : asked_)
            lane.method->collide(lane.trees[q.a], q.placed_a, lane.trees[q.b], q.placed_b, counts);
        const std::int64_t took_ns = thread_cpu_ns() - start_ns;
        lane.cost.add(took_ns);
        return took_ns;
    };
    clips::ClipCounts ignored;
    for (MethodLane& lane : lanes_)
        if (lane.method == method_) {
            const std::int64_t took_ns = answer(lane, query_counts_);
            step_cost_.add(took_ns);
            recent_us_.push_back(1e-3F * static_cast<float>(took_ns));
        }
    if (recent_us_.size() > 600) recent_us_.erase(recent_us_.begin(), recent_us_.begin() + 300);
    next_lane_ = (next_lane_ + 1) % lanes_.size();
    if (lanes_[next_lane_].method != method_) answer(lanes_[next_lane_], ignored);
}

void CrowdLab::add_line(const Vector3f& a, const Vector3f& b, std::uint32_t color, float width_px, float alpha) {
    view_.lines.push_back({a, b, color, width_px, alpha});
}

// Collects the boxes of all agents that are not in the past, and which of them overlap.
void CrowdLab::gather_boxes() {
    drawn_.clear();
    first_drawn_.clear();
    const auto& agents = crowd().agents();
    for (std::size_t i = 0; i < agents.size(); ++i) {
        first_drawn_.push_back(drawn_.size());
        const clips::ClipTree& tree = lane().trees[agents[i].clip];
        if (tree.shape().root == clips::NodeKind::none) continue;
        const int level = boxes_ == BoxesShown::roots ? 0 : boxes_ == BoxesShown::middle ? 1 : tree.depth() - 1;
        for (const std::int32_t n : tree.nodes_at(level)) {
            const clips::ClipTree::Node& node = tree.nodes()[static_cast<std::size_t>(n)];
            if (agents[i].placed.start_s + dt_s() * node.end > crowd().time_s() + 1e-9) drawn_.push_back({i, &node, 0});
        }
    }
    first_drawn_.push_back(drawn_.size());
    in_trouble_.assign(agents.size(), false);
    const std::span all(drawn_);
    for (std::size_t a = 0; a < agents.size(); ++a)
        for (std::size_t b = a + 1; b < agents.size(); ++b)
            meet(a, b, all.subspan(first_drawn_[a], first_drawn_[a + 1] - first_drawn_[a]),
                 all.subspan(first_drawn_[b], first_drawn_[b + 1] - first_drawn_[b]));
    // The most important ones are drawn last.
    std::ranges::stable_sort(drawn_, {}, &Drawn::state);
    state_counts_ = {};
    for (const Drawn& box : drawn_) ++state_counts_[static_cast<std::size_t>(box.state)];
}

void CrowdLab::meet(std::size_t a, std::size_t b, std::span<Drawn> boxes_a, std::span<Drawn> boxes_b) {
    const clips::Crowd::Agent &agent_a = crowd().agents()[a], &agent_b = crowd().agents()[b];
    const clips::ClipTree &tree_a = lane().trees[agent_a.clip], &tree_b = lane().trees[agent_b.clip];
    const clips::RelativePlacement placed = clips::relative(agent_a.placed, agent_b.placed);
    // Pairs that are farther apart than both can reach need no box test.
    if (placed.offset_m.norm() > 1.5 * (tree_a.reach_m() + tree_b.reach_m())) return;
    const double scale = tree_a.fit().time_scale_m_per_s;
    const Eigen::Vector3d offset(placed.offset_m.x(), placed.offset_m.y(), placed.start_s * scale);
    bool any = false;
    for (Drawn& box_a : boxes_a) {
        const clips::TiltedBox in_b = clips::transformed(placed.b_from_a, offset, tree_a.space_time_box(*box_a.node));
        for (Drawn& box_b : boxes_b) {
            if (!clips::overlap(in_b, tree_b.space_time_box(*box_b.node), 0.0)) continue;
            box_a.state = std::max(box_a.state, 1);
            box_b.state = std::max(box_b.state, 1);
            any = true;
        }
    }
    if (!any) return;
    clips::ClipCounts counts;
    if (!method_->collide(tree_a, agent_a.placed, tree_b, agent_b.placed, counts)) return;
    in_trouble_[a] = in_trouble_[b] = true;
    for (const std::span<Drawn> boxes : {boxes_a, boxes_b})
        for (Drawn& box : boxes)
            if (box.state == 1) box.state = 2;
}

void CrowdLab::add_box(const SpaceTime& place, const Drawn& box) {
    const clips::Crowd::Agent& agent = crowd().agents()[box.agent];
    const clips::ClipTree& tree = lane().trees[agent.clip];
    clips::TiltedBox bounds = tree.space_time_box(*box.node);
    const double scale = tree.fit().time_scale_m_per_s;
    // Only the future is drawn above the floor: an upright box is cut there, a tilted one loses the edges below it.
    const double now_t = (crowd().time_s() - agent.placed.start_s) * scale;
    if (!along_ && box.node->tilted < 0) {
        const double low = std::max(bounds.center.z() - bounds.half.z(), now_t);
        const double high = std::max(bounds.center.z() + bounds.half.z(), low);
        bounds.center.z() = 0.5 * (low + high);
        bounds.half.z() = 0.5 * (high - low);
    }
    std::array<Vector3f, 8> corners;
    for (std::size_t k = 0; k < 8; ++k) {
        const Eigen::Vector3d sign((k & 1U) != 0 ? 1.0 : -1.0, (k & 2U) != 0 ? 1.0 : -1.0, (k & 4U) != 0 ? 1.0 : -1.0);
        const Eigen::Vector3d at = bounds.center + bounds.axes * sign.cwiseProduct(bounds.half);
        corners[k] = place(agent.placed * Vector2d(at.x(), at.y()), agent.placed.start_s + at.z() / scale);
    }
    struct Style {
        std::uint32_t color;
        float width_px, alpha;
    };
    constexpr std::array<Style, 3> kStyles = {
        {{palette::kIdle, 0.9F, 0.50F}, {palette::kFalsePositive, 1.4F, 0.85F}, {palette::kTouching, 1.9F, 1.0F}}};
    const Style& style = kStyles[static_cast<std::size_t>(box.state)];
    constexpr std::uint8_t kEdges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                            {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    for (const auto& edge : kEdges) {
        Vector3f a = corners[edge[0]], b = corners[edge[1]];
        if (!along_) {
            if (a.y() < 0.0F && b.y() < 0.0F) continue;
            if (a.y() < 0.0F) a += (b - a) * (a.y() / (a.y() - b.y()));
            if (b.y() < 0.0F) b += (a - b) * (b.y() / (b.y() - a.y()));
        }
        add_line(a, b, style.color, style.width_px, style.alpha);
    }
    if (box.state == 0) return;
    constexpr std::uint8_t kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& f : kFaces)
        for (const auto& three : {std::array{0, 1, 2}, std::array{0, 2, 3}})
            view_.faces.push_back({{corners[f[three[0]]], corners[f[three[1]]], corners[f[three[2]]]},
                                   style.color,
                                   box.state == 2 ? 0.07F : 0.035F});
}

// Draws the edge of the floor, and a line every five metres outside the table's own grid.
void CrowdLab::add_floor(const SpaceTime& place) {
    const double w = crowd().settings().width_m, d = crowd().settings().depth_m, t = crowd().time_s();
    const auto line = [&](const Vector2d& a, const Vector2d& b, float width_px, float alpha) {
        Vector3f from = place(a, t), to = place(b, t);
        if (!along_) from.y() = to.y() = 0.0004F;
        add_line(from, to, palette::kTertiary, width_px, alpha);
    };
    line({0, 0}, {w, 0}, 1.5F, 0.7F);
    line({w, 0}, {w, d}, 1.5F, 0.7F);
    line({w, d}, {0, d}, 1.5F, 0.7F);
    line({0, d}, {0, 0}, 1.5F, 0.7F);
    if (!along_) return;
    for (double x = 5.0; x < w; x += 5.0) line({x, 0}, {x, d}, 0.8F, 0.28F);
    for (double y = 5.0; y < d; y += 5.0) line({0, y}, {w, y}, 0.8F, 0.28F);
    const std::array<Vector3f, 4> wall = {place({0, 0}, t), place({w, 0}, t), place({w, d}, t), place({0, d}, t)};
    view_.faces.push_back({{wall[0], wall[1], wall[2]}, 0xFFFFFF, 0.35F});
    view_.faces.push_back({{wall[0], wall[2], wall[3]}, 0xFFFFFF, 0.35F});
}

void CrowdLab::add_path(const SpaceTime& place, const clips::Crowd::Agent& agent, double from_s, double to_s,
                        float alpha) {
    const std::vector<clips::ClipSample>& samples = crowd().trees()[agent.clip].clip().samples;
    std::optional<Vector3f> last;
    for (std::size_t i = 0; i < samples.size(); i += i + 4 < samples.size() || i + 1 == samples.size() ? 4 : 1) {
        const double t = agent.placed.start_s + dt_s() * static_cast<double>(i);
        if (t < from_s - 1e-9 || t > to_s) continue;
        const Vector3f here = place(agent.placed * samples[i].center_m, t);
        if (last) add_line(*last, here, palette::kTotal, 1.1F, alpha);
        last = here;
    }
}

void CrowdLab::add_agent(const SpaceTime& place, std::size_t i) {
    const clips::Crowd::Agent& agent = crowd().agents()[i];
    const Vector2d at_m = crowd().position_m(agent);
    const double now_s = crowd().time_s();
    const bool waits = agent.clip + 1 == crowd().trees().size();
    const Vector3f color = palette::rgb(in_trouble_[i] ? palette::kTouching : waits ? palette::kGlove : 0x8FC1B6U);
    const auto radius_m = static_cast<float>(crowd().settings().radius_m);
    const Vector3f here = place(at_m, now_s);
    if (along_) {
        // A disc in the wall, with its axis along time.
        const float half_turn = std::sqrt(0.5F);
        view_.bodies[1].bodies.push_back(
            {here, {0.0F, 0.0F, half_turn, half_turn}, kModel * Vector3f(radius_m, 0.25F, radius_m), color});
        for (const clips::Crowd::Agent& before : world_.world().past[i])
            add_path(place, before, now_s - kPast_s, agent.placed.start_s, 0.28F);
    } else {
        view_.bodies[0].bodies.push_back({here, {0, 0, 0, 1}, kModel * Vector3f(kPawn_m, kPawn_m, kPawn_m), color});
        // The agent's disc on the floor.
        constexpr int kRing = 28;
        Vector3f last = Vector3f::Zero();
        for (int k = 0; k <= kRing; ++k) {
            const double turn_rad = 2.0 * 3.14159265358979 * k / kRing;
            Vector3f next =
                place(at_m + crowd().settings().radius_m * Vector2d(std::cos(turn_rad), std::sin(turn_rad)), now_s);
            next.y() = 0.0006F;
            if (k > 0) add_line(last, next, in_trouble_[i] ? palette::kTouching : palette::kTertiary, 1.0F, 0.5F);
            last = next;
        }
    }
    if (!waits) add_path(place, agent, along_ ? now_s - kPast_s : now_s, 1e300, along_ ? 0.45F : 0.6F);
}

void CrowdLab::add_figures() {
    const auto queries = static_cast<double>(std::max<std::int64_t>(1, query_counts_.queries));
    const auto per_query = [&](std::int64_t count) { return formatted("%.2f", static_cast<double>(count) / queries); };
    view_.figures_title = "Questions: may this clip be walked?";
    view_.figures = {{"asked", formatted("%.0f", queries)},
                     {"answered no at the root",
                      formatted("%.0f %%", 100.0 * static_cast<double>(query_counts_.decided_at_root) / queries)},
                     {"flat boxes, tilted boxes a question",
                      per_query(query_counts_.tests_2d) + ", " + per_query(query_counts_.tests_3d)},
                     {"pairs of samples a question", per_query(query_counts_.sample_tests)},
                     {"clips chosen, none of them free",
                      std::to_string(crowd().choices()) + ", " + std::to_string(crowd().forced())}};
}

const ViewModel& CrowdLab::view(const Playback& playback) {
    model_.playback = playback;
    if (std::exchange(viewed_, view_.version) == view_.version) return model_;
    view_.lines.clear();
    view_.faces.clear();
    for (LabBodies& many : view_.bodies) many.bodies.clear();
    const SpaceTime place{
        along_, {0.5 * crowd().settings().width_m, 0.5 * crowd().settings().depth_m}, crowd().time_s()};
    gather_boxes();
    add_floor(place);
    for (std::size_t i = 0; i < crowd().agents().size(); ++i) add_agent(place, i);
    if (boxes_ != BoxesShown::none)
        for (const Drawn& box : drawn_) add_box(place, box);
    add_figures();

    view_.camera = {};
    view_.stand = along_ ? 1 : 0;
    view_.camera.target_m = along_ ? Vector3f(-0.02F, 0.145F, 0.0F) : Vector3f(0.0F, 0.012F, 0.005F);
    view_.camera.yaw_rad = along_ ? 0.72F : 1.02F;
    view_.camera.elevation_rad = along_ ? 0.30F : 0.62F;
    view_.camera.distance_m = along_ ? 0.92F : 0.84F;
    view_.ground_y_m = along_ ? -0.004F : 0.0F;
    view_.headline = "A step's questions, 99th percentile";
    view_.measured = &step_cost_;
    view_.budget_us = 1e6 / 30.0;
    view_.budget_name = "1/30 s";
    view_.costs_title = "On the same";
    costs_.clear();
    for (const LabCost& each : view_.costs) costs_.push_back({each.name, each.cost->percentile_us(0.5)});
    view_.choices = {{"Time", {"up", "along"}, along_ ? 1U : 0U},
                     {"Boxes", {"roots", "middle", "leaves", "none"}, static_cast<std::size_t>(boxes_)}};
    view_.legend = {{"boxes of clips that collide", state_counts_[2], palette::kTouching, 2.2F},
                    {"boxes that meet", state_counts_[1], palette::kFalsePositive, 1.6F},
                    {"apart", state_counts_[0], palette::kIdle, 1.2F}};

    model_.subtitle =
        formatted("%zu agents of %.2f m on %.0f × %.0f m • boxes of %s • time %s", crowd().agents().size(),
                  crowd().settings().radius_m, crowd().settings().width_m, crowd().settings().depth_m,
                  std::string(method_->name).c_str(), along_ ? "to the right" : "upwards");
    model_.methods = costs_;
    model_.method = method_->name;
    model_.recent_total_us = recent_us_;
    return model_;
}

nlohmann::ordered_json CrowdLab::report() const {
    return {{"lab", "crowd"},
            {"agents", crowd().agents().size()},
            {"radius_m", crowd().settings().radius_m},
            {"time_s", crowd().time_s()},
            {"choices", crowd().choices()},
            {"forced", crowd().forced()},
            {"overlapping_pairs", crowd().overlapping_pairs()},
            {"queries", query_counts_.queries},
            {"rows", cost_rows(view_.costs)}};
}

}  // namespace

Laboratory make_crowd_lab(const LabSettings& settings) {
    return laboratory_of(std::make_shared<CrowdLab>(settings), 20.0);
}

}  // namespace glovebox::vr
