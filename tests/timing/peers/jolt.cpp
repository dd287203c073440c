// Jolt: frames by its narrow-phase query, hull pairs by its GJK and EPA, boxes near a hand by its broad phase.
#include <Jolt/Jolt.h>
// Jolt.h comes first.
#include <Jolt/Core/Factory.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Geometry/OrientedBox.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseLayerInterfaceTable.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseQuery.h>
#include <Jolt/Physics/Collision/BroadPhase/ObjectVsBroadPhaseLayerFilterTable.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/NarrowPhaseQuery.h>
#include <Jolt/Physics/Collision/ObjectLayerPairFilterTable.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/TaperedCapsuleShape.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include <algorithm>
#include <memory>

#include "tests/timing/peers/peer_library.h"

namespace glovebox::timing {
namespace {

// Jolt is made for sizes from 10 cm to 10 m. In metres it drops half of the contacts with small triangles.
constexpr float kPerMetre = 20.0F;

void start() {
    static const bool once = [] {
        JPH::RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory();
        JPH::RegisterTypes();
        return true;
    }();
    (void)once;
}

JPH::Vec3 vec(const Point& at, float scale = kPerMetre) {
    return scale * JPH::Vec3(at[0], at[1], at[2]);
}
JPH::Mat44 mat(const PlainPose& pose, float scale = kPerMetre) {
    const auto column = [&](std::size_t k) { return JPH::Vec4(vec(pose.axes[k], 1.0F), 0.0F); };
    return {column(0), column(1), column(2), JPH::Vec4(vec(pose.at_m, scale), 1.0F)};
}

struct Placed {
    JPH::RefConst<JPH::Shape> shape;
    JPH::Mat44 pose;  // of the shape's origin
};

Placed placed(const PlainCone& cone) {
    const JPH::Vec3 a = vec(cone.a_m), b = vec(cone.b_m), along = b - a;
    const float length = along.Length();
    const JPH::Quat turn =
        length > 0.0F ? JPH::Quat::sFromTo(JPH::Vec3::sAxisY(), along / length) : JPH::Quat::sIdentity();
    return {JPH::TaperedCapsuleShapeSettings(0.5F * length, kPerMetre * cone.radius_b_m, kPerMetre * cone.radius_a_m)
                .Create()
                .Get(),
            JPH::Mat44::sRotationTranslation(turn, 0.5F * (a + b))};
}
Placed placed(const PlainBox& box) {
    const float radius = kPerMetre * box.radius_m;
    return {JPH::BoxShapeSettings(vec(box.half_m) + JPH::Vec3::sReplicate(radius), radius).Create().Get(),
            mat(box.pose)};
}
Placed placed(const PlainMesh& mesh) {
    if (mesh.hull) {
        JPH::Array<JPH::Vec3> corners;
        for (const Point& corner : mesh.vertices_m) corners.push_back(vec(corner));
        return {JPH::ConvexHullShapeSettings(corners, 0.0F).Create().Get(), mat(mesh.pose)};
    }
    JPH::VertexList vertices;
    for (const Point& at : mesh.vertices_m)
        vertices.push_back(JPH::Float3(kPerMetre * at[0], kPerMetre * at[1], kPerMetre * at[2]));
    JPH::IndexedTriangleList triangles;
    for (const auto& t : mesh.triangles)
        triangles.push_back({t[0], t[1], t[2], 0, static_cast<JPH::uint32>(triangles.size())});
    JPH::MeshShapeSettings settings(vertices, triangles);
    settings.mPerTriangleUserData = true;
    return {settings.Create().Get(), mat(mesh.pose)};
}
Placed placed(const PlainShape& shape) {
    return std::visit([](const auto& s) { return placed(s); }, shape);
}

// Resting objects; their order is that of the bodies' indices.
struct World {
    JPH::BroadPhaseLayerInterfaceTable layers{1, 1};
    JPH::ObjectLayerPairFilterTable pairs{1};
    std::unique_ptr<JPH::ObjectVsBroadPhaseLayerFilterTable> filter;
    JPH::PhysicsSystem system;

    explicit World(const std::vector<Placed>& objects) {
        layers.MapObjectToBroadPhaseLayer(0, JPH::BroadPhaseLayer(0));
        pairs.EnableCollision(0, 0);
        filter = std::make_unique<JPH::ObjectVsBroadPhaseLayerFilterTable>(layers, 1, pairs, 1);
        const auto count = static_cast<JPH::uint>(objects.size());
        system.Init(count + 1, 0, 16, 16, layers, *filter, pairs);
        JPH::BodyInterface& bodies = system.GetBodyInterfaceNoLock();
        std::vector<JPH::BodyID> ids;
        for (const Placed& object : objects)
            ids.push_back(
                bodies
                    .CreateBody(JPH::BodyCreationSettings(object.shape, object.pose.GetTranslation(),
                                                          object.pose.GetQuaternion(), JPH::EMotionType::Static, 0))
                    ->GetID());
        std::vector<JPH::BodyID> shuffled = ids;  // Jolt sorts them
        const auto state = bodies.AddBodiesPrepare(shuffled.data(), static_cast<int>(count));
        bodies.AddBodiesFinalize(shuffled.data(), static_cast<int>(count), state, JPH::EActivation::DontActivate);
        system.OptimizeBroadPhase();
    }
};

struct TouchCollector final : JPH::CollideShapeCollector {
    std::vector<Touch>* out = nullptr;
    std::int32_t bone = 0;

    void AddHit(const JPH::CollideShapeResult& hit) override {
        const JPH::TransformedShape& object = *GetContext();
        std::int32_t triangle = -1;
        if (object.mShape->GetSubType() == JPH::EShapeSubType::Mesh)
            triangle = static_cast<std::int32_t>(
                static_cast<const JPH::MeshShape*>(object.mShape.GetPtr())->GetTriangleUserData(hit.mSubShapeID2));
        out->push_back(
            {bone, static_cast<std::int32_t>(object.mBodyID.GetIndex()), triangle, hit.mPenetrationDepth / kPerMetre});
    }
};

FrameQuery frame(std::span<const PlainShape> bones, std::span<const PlainShape> objects) {
    start();
    std::vector<Placed> resting, moving;
    for (const PlainShape& object : objects) resting.push_back(placed(object));
    for (const PlainShape& bone : bones) {
        moving.push_back(placed(bone));
        moving.back().pose = moving.back().pose.PreTranslated(moving.back().shape->GetCenterOfMass());
    }
    return [world = std::make_shared<World>(resting), moving](std::span<const PlainPose> world_from_bone,
                                                              std::vector<Touch>& out) {
        JPH::CollideShapeSettings settings;
        settings.mActiveEdgeMode = JPH::EActiveEdgeMode::CollideWithAll;
        settings.mBackFaceMode = JPH::EBackFaceMode::CollideWithBackFaces;
        TouchCollector collector;
        collector.out = &out;
        const JPH::NarrowPhaseQuery& query = world->system.GetNarrowPhaseQueryNoLock();
        for (std::size_t i = 0; i < moving.size(); ++i) {
            collector.bone = static_cast<std::int32_t>(i);
            query.CollideShape(moving[i].shape, JPH::Vec3::sOne(), mat(world_from_bone[i]) * moving[i].pose, settings,
                               JPH::Vec3::sZero(), collector);
        }
    };
}

HullQuery hulls(const PlainMesh& a, const PlainMesh& b) {
    start();
    using Convex = JPH::ConvexShape;
    struct Pair {
        Placed a, b;
        Convex::SupportBuffer buffer_a, buffer_b;
        const Convex::Support *support_a = nullptr, *support_b = nullptr;
        JPH::Vec3 axis = JPH::Vec3::sAxisX();  // kept from the last call
    };
    const auto pair = std::make_shared<Pair>();
    pair->a = placed(a);
    pair->b = placed(b);
    const auto support_of = [](const Placed& hull, Convex::SupportBuffer& buffer) {
        return static_cast<const Convex*>(hull.shape.GetPtr())
            ->GetSupportFunction(Convex::ESupportMode::IncludeConvexRadius, buffer, JPH::Vec3::sOne());
    };
    pair->support_a = support_of(pair->a, pair->buffer_a);
    pair->support_b = support_of(pair->b, pair->buffer_b);
    return [pair](const PlainPose& pose) {
        const JPH::Mat44 b_in_a =
            mat(pose).PreTranslated(pair->b.shape->GetCenterOfMass()).PostTranslated(-pair->a.shape->GetCenterOfMass());
        const JPH::TransformedConvexObject moved(b_in_a, *pair->support_b);
        constexpr float kReach = 10.0F * kPerMetre;  // farther hulls are not measured
        if (pair->axis.IsNearZero()) pair->axis = JPH::Vec3::sAxisX();
        JPH::EPAPenetrationDepth depth;
        JPH::Vec3 on_a, on_b;
        using Status = JPH::EPAPenetrationDepth::EStatus;
        const Status status = depth.GetPenetrationDepthStepGJK(*pair->support_a, kReach, moved, 0.0F,
                                                               JPH::cDefaultCollisionTolerance, pair->axis, on_a, on_b);
        if (status == Status::NotColliding) return double{kReach / kPerMetre};
        if (status == Status::Colliding) return double{pair->axis.Length() / kPerMetre};
        if (!depth.GetPenetrationDepthStepEPA(*pair->support_a, moved, JPH::cDefaultPenetrationTolerance, pair->axis,
                                              on_a, on_b))
            return 0.0;
        return -double{(on_b - on_a).Length() / kPerMetre};
    };
}

std::vector<JPH::OrientedBox> oriented(std::span<const PlainBox> boxes) {
    std::vector<JPH::OrientedBox> result;
    for (const PlainBox& box : boxes) result.emplace_back(mat(box.pose), vec(box.half_m));
    return result;
}

BoxQuery boxes(std::span<const PlainBox> a, std::span<const PlainBox> b, bool every) {
    return [a = oriented(a), b = oriented(b), every] {
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t k = every ? 0 : i; k < (every ? b.size() : i + 1); ++k) hits += a[i].Overlaps(b[k]);
        return hits;
    };
}

struct NearCollector final : JPH::CollideShapeBodyCollector {
    std::vector<BonePair>* out = nullptr;
    std::int32_t bone = 0;
    void AddHit(const JPH::BodyID& body) override {
        out->push_back({bone, static_cast<std::int32_t>(body.GetIndex())});
    }
};

NearQuery near_boxes(std::span<const PlainBox> objects) {
    start();
    std::vector<Placed> resting;
    for (const PlainBox& object : objects) resting.push_back(placed(object));
    return [world = std::make_shared<World>(resting)](std::span<const PlainBox> bones, bool by_box,
                                                      std::vector<BonePair>& out) {
        NearCollector collector;
        collector.out = &out;
        const JPH::BroadPhaseQuery& query = world->system.GetBroadPhaseQuery();
        for (const PlainBox& bone : bones) {
            const JPH::OrientedBox box(mat(bone.pose), vec(bone.half_m));
            if (by_box)
                query.CollideOrientedBox(box, collector);
            else
                query.CollideAABox(JPH::AABox(-box.mHalfExtents, box.mHalfExtents).Transformed(box.mOrientation),
                                   collector);
            ++collector.bone;
        }
    };
}

}  // namespace

PeerLibrary jolt() {
    return {"Jolt", frame, hulls, nullptr, boxes, near_boxes};
}

}  // namespace glovebox::timing
