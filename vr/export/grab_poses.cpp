#include "vr/export/grab_poses.h"

#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/session/session.h"

namespace glovebox::vr {

std::vector<FoundGrab> find_grabs(Session& session) {
    const scenes::World& world = session.pipeline.world;
    const std::size_t objects = session.scene.objects.size();
    std::vector<FoundGrab> found;
    tracking::PerSide<std::vector<FoundGrab>> open;
    tracking::PerSide<std::vector<bool>> is_open;
    for (const tracking::Side side : tracking::kSides) {
        open[side].resize(objects);
        is_open[side].resize(objects);
    }
    while (session.next()) {
        const double now_s = 1e-9 * static_cast<double>(world.time_ns);
        for (const tracking::Side side : tracking::kSides)
            for (std::size_t i = 0; i < objects; ++i) {
                const scenes::HoldState& hold = world.holds[scenes::hold_index(world, side, static_cast<int>(i))];
                const bool holds = hold.holding && !hold.shared;
                FoundGrab& grab = open[side][i];
                if (!holds && is_open[side][i]) found.push_back(grab);
                if (holds && !is_open[side][i]) grab.begin_s = 1e-9 * static_cast<double>(hold.since_ns);
                is_open[side][i] = holds;
                if (!holds) continue;
                grab.object = static_cast<int>(i);
                grab.pose = {side, hold.palm_from_object.inverse(Eigen::Isometry)};
                grab.end_s = now_s;
            }
    }
    for (const tracking::Side side : tracking::kSides)
        for (std::size_t i = 0; i < objects; ++i)
            if (is_open[side][i]) found.push_back(open[side][i]);
    return found;
}

std::string grab_poses_toml(const scenes::Scene& scene, const std::vector<FoundGrab>& grabs) {
    std::string toml;
    for (const FoundGrab& grab : grabs) {
        const Eigen::Vector3f at_m = grab.pose.object_from_palm.translation();
        const Eigen::Quaternionf q(grab.pose.object_from_palm.linear());
        const char* const side = grab.pose.side == tracking::Side::left ? "left" : "right";
        toml += (toml.empty() ? "# " : "\n# ") +
                tracking::printable(scene.objects[static_cast<std::size_t>(grab.object)].name) +
                tracking::formatted(
                    ", %s hand, %.2f s to %.2f s\n[[object.grab_pose]]\nhand = \"%s\"\npalm_m = [%.4f, %.4f, %.4f]\n"
                    "palm_quaternion = [%.5f, %.5f, %.5f, %.5f]\n",
                    side, grab.begin_s, grab.end_s, side, double{at_m.x()}, double{at_m.y()}, double{at_m.z()},
                    double{q.x()}, double{q.y()}, double{q.z()}, double{q.w()});
    }
    return toml;
}

}  // namespace glovebox::vr
