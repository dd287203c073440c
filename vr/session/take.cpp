#include "vr/session/take.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

constexpr float kCell_m = 0.04F;
constexpr float kMaxStart_m = 1.0F;  // distance from the hands up to which an object's start is included
constexpr float kLargest_m = 0.6F;   // size limit of objects that are included

Vector3f horizontal(const Vector3f& v) {
    return {v.x(), 0.0F, v.z()};
}

Eigen::AlignedBox3f bounds_of(const tracking::HandFrame& hand) {
    Eigen::AlignedBox3f bounds;
    for (const tracking::JointPose& joint : hand.joints)
        if (joint.position_valid() && joint.position_m.allFinite()) bounds.extend(joint.position_m);
    return bounds;
}

// Returns the distance to the nearest hand; infinite without one, and for objects too large to be included.
float distance_of(const collision::Obb& box, const tracking::HandPair& hands) {
    const collision::Aabb bounds = collision::aabb_of(box);
    float least_m = std::numeric_limits<float>::infinity();
    if (!((bounds.max_m - bounds.min_m).maxCoeff() < kLargest_m)) return least_m;
    const Eigen::AlignedBox3f object(bounds.min_m, bounds.max_m);
    for (const tracking::HandFrame& hand : hands.hands) {
        const Eigen::AlignedBox3f reach = hand.active ? bounds_of(hand) : Eigen::AlignedBox3f();
        if (!reach.isEmpty()) least_m = std::min(least_m, object.exteriorDistance(reach));
    }
    return least_m;
}

// An object's place at the start, and its distances to the hands. Objects that fall or roll away are not followed: the
// hand would become tiny.
struct ObjectStart {
    collision::Obb box;
    float box_to_hand_m, to_hand_m;  // least over the recording: from `box`, and from the object where it is then
};

void note_distances(const scenes::World& world, const tracking::HandPair& hands, std::vector<ObjectStart>& starts) {
    constexpr float kFar_m = std::numeric_limits<float>::infinity();
    for (std::size_t i = starts.size(); i < world.colliders.size(); ++i)
        starts.push_back({world.colliders[i].box, kFar_m, kFar_m});
    for (std::size_t i = 0; i < starts.size(); ++i) {
        ObjectStart& start = starts[i];
        start.box_to_hand_m = std::min(start.box_to_hand_m, distance_of(start.box, hands));
        start.to_hand_m = std::min(start.to_hand_m, distance_of(world.colliders[i].box, hands));
    }
}

TakeMoment moment_of(const scenes::World& world, const tracking::HandPair& hands) {
    TakeMoment moment;
    for (const tracking::HandFrame& hand : hands.hands)
        for (const tracking::JointPose& joint : hand.joints)
            if (hand.active && joint.position_valid() && joint.position_m.allFinite())
                moment.joints_m.push_back(joint.position_m);
    for (const collision::Collider& collider : world.colliders)
        if (std::isfinite(distance_of(collider.box, hands))) moment.objects.push_back(collider.box);
    return moment;
}

// Keeps at most twice kMoments of the moments, evenly spaced, without knowing how many there will be.
class MomentSampler {
  public:
    explicit MomentSampler(std::vector<TakeMoment>& kept) : kept_(kept) {}
    void add(const scenes::World& world, const tracking::HandPair& hands) {
        constexpr std::size_t kMoments = 12;
        if (seen_++ % step_ != 0) return;
        kept_.push_back(moment_of(world, hands));
        if (kept_.size() < 2 * kMoments) return;
        for (std::size_t i = 1; 2 * i < kept_.size(); ++i) kept_[i] = std::move(kept_[2 * i]);
        kept_.resize(kMoments);
        step_ *= 2;
    }

  private:
    std::vector<TakeMoment>& kept_;
    std::size_t seen_ = 0, step_ = 1;
};

// Returns whether the box is between the eye and the point. A point in the box or just behind its surface is that of a
// finger on the object.
bool hides(const collision::Obb& box, const Vector3f& eye_m, const Vector3f& point_m) {
    constexpr float kBehind_m = 0.012F;
    const Eigen::Array3f from = (box.axes.transpose() * (eye_m - box.center_m)).array();
    const Eigen::Array3f along = (box.axes.transpose() * (point_m - eye_m)).array();
    const Eigen::Array3f a = (-box.half_m.array() - from) / along, b = (box.half_m.array() - from) / along;
    const float enters = a.min(b).maxCoeff(), leaves = a.max(b).minCoeff();
    return enters > 0.0F && enters < leaves && enters < 1.0F - kBehind_m / (point_m - eye_m).norm();
}

bool touches(const scenes::World& world) {
    return std::ranges::any_of(world.pairs, [](const scenes::PairState& pair) { return pair.touching != 0; });
}

}  // namespace

void PointCloud::add(const Vector3f& point_m) {
    if (!point_m.allFinite() || point_m.cwiseAbs().maxCoeff() > 1e3F) return;
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
        key = key << 21U | (static_cast<std::uint64_t>(std::lround(point_m[axis] / kCell_m) + (1 << 20)) & 0x1FFFFFU);
    cells_[key].extend(point_m);
}

void PointCloud::add(const collision::Obb& box) {
    for (unsigned i = 0; i < 8; ++i) {
        const Vector3f sign((i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 1.0F : -1.0F, (i & 4U) != 0 ? 1.0F : -1.0F);
        add(Vector3f(box.center_m + box.axes * sign.cwiseProduct(box.half_m)));
    }
}

std::vector<Vector3f> PointCloud::corners_m() const {
    std::vector<Vector3f> corners;
    corners.reserve(8 * cells_.size());
    for (const auto& [key, box] : cells_)
        for (int i = 0; i < 8; ++i) corners.push_back(box.corner(static_cast<Eigen::AlignedBox3f::CornerType>(i)));
    return corners;
}

void add_visible(const scenes::World& world, const tracking::HandPair& hands, float near_m, PointCloud& points) {
    for (const tracking::HandFrame& hand : hands.hands) {
        if (!hand.active) continue;
        for (const tracking::JointPose& joint : hand.joints)
            if (joint.position_valid()) points.add(joint.position_m);
        const Eigen::AlignedBox3f reach = bounds_of(hand);
        if (reach.isEmpty()) continue;
        for (const collision::Collider& collider : world.colliders) {
            const collision::Aabb bounds = collision::aabb_of(collider.box);
            if (!((bounds.max_m - bounds.min_m).maxCoeff() < kLargest_m)) continue;
            const Eigen::AlignedBox3f object(bounds.min_m, bounds.max_m);
            if (object.exteriorDistance(reach) < near_m) points.add(collider.box);
        }
    }
}

float hidden_share(std::span<const TakeMoment> moments, const Vector3f& eye_m) {
    constexpr float kObjects = 0.25F;  // weight of the objects; the rest is the hands'
    std::size_t joints = 0, hidden_joints = 0, objects = 0, hidden_objects = 0;
    for (const TakeMoment& moment : moments) {
        const auto hidden = [&](const Vector3f& point_m, const collision::Obb* itself) {
            return std::ranges::any_of(moment.objects, [&](const collision::Obb& box) {
                return &box != itself && hides(box, eye_m, point_m);
            });
        };
        joints += moment.joints_m.size();
        objects += moment.objects.size();
        for (const Vector3f& joint_m : moment.joints_m) hidden_joints += hidden(joint_m, nullptr) ? 1 : 0;
        for (const collision::Obb& object : moment.objects) hidden_objects += hidden(object.center_m, &object) ? 1 : 0;
    }
    const auto share = [](std::size_t some, std::size_t all) {
        return all == 0 ? 0.0F : static_cast<float>(some) / static_cast<float>(all);
    };
    return (1.0F - kObjects) * share(hidden_joints, joints) + kObjects * share(hidden_objects, objects);
}

Vector3f toward_eye_of(const tracking::HandPair& hands) {
    Vector3f toward_eye = Vector3f::Zero();
    for (const tracking::HandFrame& hand : hands.hands) {
        if (!hand.active) continue;
        Vector3f forward = horizontal(hand[Joint::middle_proximal].position_m - hand[Joint::wrist].position_m);
        Vector3f thumb_side =
            horizontal(hand[Joint::index_proximal].position_m - hand[Joint::little_proximal].position_m);
        if (forward.norm() > 0.02F) forward.normalize();
        // If a hand is on edge, its thumb points up: then look at the palm's side.
        if (thumb_side.norm() < 0.015F)
            thumb_side = forward.cross(Vector3f::UnitY()) * (hand.side == Side::right ? -1.0F : 1.0F);
        if (thumb_side.norm() > 1e-4F) thumb_side.normalize();
        const Vector3f both = 0.80F * thumb_side + 0.60F * forward;
        if (both.allFinite()) toward_eye += both;
    }
    return toward_eye;
}

TakeOverview watch_take(const scenes::Scene& scene, const recordings::FileSource& file,
                        const PipelineSettings& settings, const std::stop_token& stop, std::atomic<float>* progress) {
    constexpr float kTouching = 8.0F;  // weight of frames with a touch
    TakeOverview take;
    PointCloud points;
    PipelineSettings quiet = settings;
    quiet.contact_manifolds = quiet.keep_colliders = quiet.keep_box_tests = false;
    Pipeline pipeline(scene, quiet, [] { return std::int64_t{0}; });
    TouchTracker tracker(scene);
    std::vector<ObjectStart> starts;
    MomentSampler moments(take.moments);
    const auto keep = [&take](std::span<const Touch> ended) {
        take.touches.insert(take.touches.end(), ended.begin(), ended.end());
    };
    const int frames = file.frame_count();
    for (int i = 0; i < frames && !stop.stop_requested(); ++i) {
        pipeline.frame(file.recording.samples[static_cast<std::size_t>(i)],
                       i == 0 ? 0.0 : file.time_of(i) - file.time_of(i - 1));
        keep(tracker.add(pipeline.world, pipeline.report));
        add_visible(pipeline.world, pipeline.hands, kNearInTake_m, points);
        note_distances(pipeline.world, pipeline.hands, starts);
        const bool touching = touches(pipeline.world);
        if (touching) moments.add(pipeline.world, pipeline.hands);
        take.toward_eye += (touching ? kTouching : 1.0F) * toward_eye_of(pipeline.hands);
        for (const Side side : tracking::kSides)
            take.has_hand[side] = take.has_hand[side] || pipeline.hands[side].active;
        if (progress != nullptr) progress->store(static_cast<float>(i + 1) / static_cast<float>(frames));
    }
    keep(tracker.end_all());
    std::ranges::stable_sort(take.touches, {}, &Touch::begin_ns);
    for (const ObjectStart& start : starts)
        if (start.to_hand_m < kNearInTake_m && start.box_to_hand_m < kMaxStart_m) points.add(start.box);
    take.corners_m = points.corners_m();
    return take;
}

TakeWatcher::TakeWatcher(const Session& session)
    : thread_([this, &scene = session.scene, &file = *session.file,
               settings = session.pipeline.settings](const std::stop_token& stop) {
          take_ = watch_take(scene, file, settings, stop, &progress_);
          if (!stop.stop_requested()) whole_.store(true);
      }) {}

void TakeWatcher::wait() {
    if (thread_.joinable()) thread_.join();
}

}  // namespace glovebox::vr
