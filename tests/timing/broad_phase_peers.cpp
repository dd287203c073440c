// Compares our broad phases with FCL's and Bullet's on the same moving bodies, interleaved in one process.
//
//   glovebox_broad_phase_peers [--quick] [--json]
//
// Every contender gets the same boxes in every step and must report the same pairs. A whole step is timed: set the
// bodies' positions, update, list the exact pairs. Bullet's tree keeps pairs of enlarged boxes, so its pairs
// are filtered by the exact boxes, as its users must do.
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/broadphase/broadphase_interval_tree.h>
#include <fcl/broadphase/broadphase_spatialhash.h>
#include <fcl/geometry/shape/box.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "collision/broad_phase/broad_phase.h"
#include "collision/broad_phase/moving_bodies.h"
#include "tests/timing/peers/peers.h"

namespace glovebox {
namespace {

using collision::Aabb;
using timing::median;
using Boxes = std::vector<Aabb>;

/// A contender: takes the boxes of a step and returns the number of overlapping pairs.
struct Contender {
    std::string name;
    std::function<std::size_t(const Boxes&)> step;
};

Contender ours(const collision::BroadPhase& row) {
    struct State {
        std::unique_ptr<collision::BroadPhaseMemory> memory;
        std::vector<collision::BodyPair> pairs;
        collision::BroadPhaseCounts counts;
    };
    auto state = std::make_shared<State>();
    state->memory = row.make_memory();
    return {"glovebox " + std::string(row.name), [state, row](const Boxes& boxes) {
                row.find_pairs(*state->memory, {boxes, {}}, state->pairs, state->counts);
                return state->pairs.size();
            }};
}

template <typename Manager, typename... Arguments>
Contender fcl_row(const std::string& name, const Boxes& first, Arguments... arguments) {
    using Object = fcl::CollisionObject<double>;
    struct State {
        std::unique_ptr<Manager> manager;
        std::vector<std::unique_ptr<Object>> objects;
        std::vector<std::pair<Object*, Object*>> pairs;
    };
    auto state = std::make_shared<State>();
    state->manager = std::make_unique<Manager>(arguments...);
    for (const Aabb& box : first) {
        const Eigen::Vector3d size = (box.max_m - box.min_m).cast<double>();
        state->objects.push_back(std::make_unique<Object>(std::make_shared<fcl::Box<double>>(size)));
    }
    const auto place = [state](const Boxes& boxes) {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            state->objects[i]->setTranslation(0.5 * (boxes[i].min_m + boxes[i].max_m).cast<double>());
            state->objects[i]->computeAABB();
        }
    };
    place(first);
    std::vector<Object*> pointers;
    for (const auto& object : state->objects) pointers.push_back(object.get());
    state->manager->registerObjects(pointers);
    state->manager->setup();
    return {"FCL " + name, [state, place](const Boxes& boxes) {
                place(boxes);
                state->manager->update();
                state->pairs.clear();
                state->manager->collide(&state->pairs, [](Object* a, Object* b, void* pairs) {
                    if (a->getAABB().overlap(b->getAABB()))
                        static_cast<std::vector<std::pair<Object*, Object*>>*>(pairs)->emplace_back(a, b);
                    return false;
                });
                return state->pairs.size();
            }};
}

btVector3 bullet(const Eigen::Vector3f& v) {
    return {v.x(), v.y(), v.z()};
}

Contender bullet_row(const std::string& name, const Boxes& first, std::unique_ptr<btBroadphaseInterface> broadphase) {
    struct State {
        std::unique_ptr<btBroadphaseInterface> broadphase;
        std::vector<btBroadphaseProxy*> proxies;
        std::vector<std::pair<const void*, const void*>> pairs;

        explicit State(std::unique_ptr<btBroadphaseInterface> of) : broadphase(std::move(of)) {}
        ~State() {  // the broad phase does not free the remaining proxies
            for (btBroadphaseProxy* proxy : proxies) broadphase->destroyProxy(proxy, nullptr);
        }
        State(const State&) = delete;
        State& operator=(const State&) = delete;
    };
    auto state = std::make_shared<State>(std::move(broadphase));
    for (const Aabb& box : first)
        state->proxies.push_back(state->broadphase->createProxy(bullet(box.min_m), bullet(box.max_m),
                                                                BOX_SHAPE_PROXYTYPE, state.get(), 1, -1, nullptr));
    return {"Bullet " + name, [state](const Boxes& boxes) {
                for (std::size_t i = 0; i < boxes.size(); ++i)
                    state->broadphase->setAabb(state->proxies[i], bullet(boxes[i].min_m), bullet(boxes[i].max_m),
                                               nullptr);
                state->broadphase->calculateOverlappingPairs(nullptr);
                const btBroadphasePairArray& found =
                    state->broadphase->getOverlappingPairCache()->getOverlappingPairArray();
                state->pairs.clear();
                for (int i = 0; i < found.size(); ++i) {
                    const btBroadphaseProxy &a = *found[i].m_pProxy0, &b = *found[i].m_pProxy1;
                    if (a.m_aabbMin.x() <= b.m_aabbMax.x() && b.m_aabbMin.x() <= a.m_aabbMax.x() &&
                        a.m_aabbMin.y() <= b.m_aabbMax.y() && b.m_aabbMin.y() <= a.m_aabbMax.y() &&
                        a.m_aabbMin.z() <= b.m_aabbMax.z() && b.m_aabbMin.z() <= a.m_aabbMax.z())
                        state->pairs.emplace_back(&a, &b);
                }
                return state->pairs.size();
            }};
}

struct Work {
    std::string name;
    collision::WorldSettings world;
    bool with_slow_ones;  ///< includes contenders that need seconds a step; false for large worlds
};

/// Bodies of 7 to 20 cm in a room with about 1.5 overlaps per body, and the same settled on its floor.
std::vector<Work> works() {
    std::vector<Work> all;
    for (const int bodies : {1000, 10000}) {
        const float edge_m = 0.084F * std::cbrt(static_cast<float>(bodies)),
                    floor_m = 0.13F * std::sqrt(static_cast<float>(bodies));
        const auto name = [&](const char* what) { return std::to_string(bodies) + " bodies, " + what; };
        const collision::WorldSettings room = {
            .bodies = bodies, .room_half_m = {edge_m, edge_m, edge_m}, .size_min_m = 0.07F, .size_max_m = 0.2F};
        for (const auto& [what, step_m] :
             {std::pair{"1 mm a step", 0.001F}, {"5 mm a step", 0.005F}, {"20 mm a step", 0.02F}}) {
            collision::WorldSettings world = room;
            world.step_m = step_m;
            all.push_back({name(what), world, bodies < 5000});
        }
        collision::WorldSettings settled = room;
        settled.room_half_m = {floor_m, 0.03F, floor_m};
        settled.step_m = 0.005F;
        all.push_back({name("settled on a floor, 5 mm"), settled, bodies < 5000});
    }
    return all;
}

/// Times all contenders on one world; returns the rows, and sets `agree` to false if pairs differ.
std::vector<nlohmann::ordered_json> run(const Work& work, int steps, bool& agree) {
    collision::MovingBodies world(work.world, 5);
    const Boxes first = world.boxes();
    std::vector<Contender> contenders;
    for (const auto& row : collision::broad_phases())
        if (work.with_slow_ones || (row.name != "brute" && row.name != "octree")) contenders.push_back(ours(row));
    const std::size_t our_count = contenders.size();
    contenders.push_back(fcl_row<fcl::DynamicAABBTreeCollisionManager<double>>("dynamic AABB tree", first));
    contenders.push_back(
        fcl_row<fcl::DynamicAABBTreeCollisionManager_Array<double>>("dynamic AABB tree, array", first));
    contenders.push_back(fcl_row<fcl::SSaPCollisionManager<double>>("SSaP", first));
    if (work.with_slow_ones) {
        contenders.push_back(fcl_row<fcl::SaPCollisionManager<double>>("SaP", first));
        contenders.push_back(fcl_row<fcl::IntervalTreeCollisionManager<double>>("interval tree", first));
    }
    const Eigen::Vector3d half = (work.world.room_half_m.array() + 0.5F).matrix().cast<double>();
    contenders.push_back(fcl_row<fcl::SpatialHashingCollisionManager<double>>(
        "spatial hash", first, 0.2, fcl::Vector3<double>(-half), fcl::Vector3<double>(half),
        4 * static_cast<unsigned>(first.size())));
    contenders.push_back(bullet_row("dbvt", first, std::make_unique<btDbvtBroadphase>()));
    const Eigen::Vector3f reach = work.world.room_half_m.array() + 1.0F;
    contenders.push_back(bullet_row(
        "axis sweep", first,
        std::make_unique<bt32BitAxisSweep3>(bullet(-reach), bullet(reach), static_cast<unsigned>(first.size() + 8))));

    std::vector<std::vector<double>> times_us(contenders.size());
    for (int step = 0; step < steps + 3; ++step, world.step()) {
        std::size_t expected = 0;
        for (std::size_t k = 0; k < contenders.size(); ++k) {
            // The order rotates from step to step, so that cache effects of the predecessor are spread over all.
            const std::size_t at = step == 0 ? k : (k + static_cast<std::size_t>(step)) % contenders.size();
            const double start_ns = timing::now_ns();
            const std::size_t pairs = contenders[at].step(world.boxes());
            const double took_us = 1e-3 * (timing::now_ns() - start_ns);
            if (step >= 3) times_us[at].push_back(took_us);
            if (k == 0) expected = pairs;
            // FCL computes in double and SaP quantizes: pairs that touch within rounding may differ, but no others.
            if (pairs > expected + 2 + expected / 200 || expected > pairs + 2 + pairs / 200) {
                std::fprintf(stderr, "%s: %s names %zu pairs, %s %zu\n", work.name.c_str(), contenders[at].name.c_str(),
                             pairs, contenders[(static_cast<std::size_t>(step)) % contenders.size()].name.c_str(),
                             expected);
                agree = false;
            }
        }
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < our_count; ++k)
        if (median(times_us[k]) < median(times_us[best])) best = k;
    const std::size_t chosen = 0;  // the table's first method is what an application gets
    std::vector<nlohmann::ordered_json> rows;
    for (std::size_t k = 0; k < contenders.size(); ++k) {
        if (k == chosen) continue;
        std::vector<double> ratios;
        for (std::size_t i = 0; i < times_us[k].size(); ++i) ratios.push_back(times_us[k][i] / times_us[chosen][i]);
        const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
        rows.push_back({{"work", work.name},
                        {"peer", contenders[k].name},
                        {"unit", "us per step"},
                        {"ours", median(times_us[chosen])},
                        {"theirs", median(times_us[k])},
                        {"ratio", median(times_us[k]) / median(times_us[chosen])},
                        {"ratio_min", *low},
                        {"ratio_max", *high}});
    }
    return rows;
}

}  // namespace
}  // namespace glovebox

int main(int count, char** arguments) {
    bool quick = false, json = false;
    for (int i = 1; i < count; ++i) {
        quick = quick || std::strcmp(arguments[i], "--quick") == 0;
        json = json || std::strcmp(arguments[i], "--json") == 0;
    }
    bool agree = true;
    std::vector<glovebox::Work> all_work = glovebox::works();
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (glovebox::Work& work : all_work) {
        // Quick is for tests: a few steps of the small worlds, without the contenders that take seconds.
        if (quick && work.world.bodies > 1000) continue;
        work.with_slow_ones = work.with_slow_ones && !quick;
        const int steps = quick ? 3 : work.world.bodies > 5000 ? 15 : 60;
        const auto rows = glovebox::run(work, steps, agree);
        if (!json)
            std::printf("\n%s: glovebox %s %.0f us\n", work.name.c_str(),
                        glovebox::collision::broad_phases().front().name.data(), rows.front()["ours"].get<double>());
        for (const auto& row : rows) {
            all.push_back(row);
            if (!json)
                std::printf("  %-34s %9.0f us  %6.2f x (%.2f - %.2f)\n", row["peer"].get<std::string>().c_str(),
                            row["theirs"].get<double>(), row["ratio"].get<double>(), row["ratio_min"].get<double>(),
                            row["ratio_max"].get<double>());
        }
    }
    if (json) std::printf("%s\n", all.dump().c_str());
    return agree ? 0 : 1;
}
