#include "vr/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "vr/render/camera.h"
#include "vr/render/draw_list.h"
#include "vr/render/gl.h"
#include "vr/render/object_mesh.h"
#include "vr/render/palette.h"
#include "vr/render/shaders.h"
#include "vr/ui/lab_view.h"

namespace glovebox::vr {
namespace {

using Eigen::Matrix4f;
using Eigen::Vector2f;
using Eigen::Vector3f;
using Eigen::Vector4f;
using tracking::Side;

// The shadow map and the contact map fit the casters: a map that ends within a shadow cuts it off in a straight line.
constexpr float kShadowHalf_m = 0.22F;  // the least; larger maps grow in steps of sqrt 2, so that edges rarely change
constexpr float kCastReach = 1.35F;     // what is farther from the picture's centre, in reaches, casts no shadow
constexpr float kHandRadius_m = 0.03F;  // skin around a joint
constexpr float kForearm_m = 0.09F;     // behind the wrist, where the drawn arm ends
constexpr float kShadowBias_m = 0.0012F;
constexpr float kTapReach = 7.3F;  // length of the longest tap in shaders.cpp
constexpr int kContactSize = 192;
constexpr float kContactHalf_m = 0.26F;
constexpr float kContactHeight_m = 0.12F;  // what is higher above the ground leaves no soft patch; also in shaders.cpp
constexpr float kMinOutline_px = 1.6F;     // thinner, a contour in a picture of low resolution is a row of dots
constexpr float kLargestCaster_m = 0.6F;   // larger fixed objects are surroundings, not objects on the table
constexpr std::size_t kMaxBalls = 4;       // that the shaders' past_spheres() takes

// Texture units, fixed for all programs.
constexpr int kShadowUnit = 0;
constexpr int kContactUnit = 1;

gl::Program program(const char* name, const shaders::Source& source) {
    return {name, source.vertex, source.fragment};
}

const void* offset(std::size_t bytes) {
    return reinterpret_cast<const void*>(bytes);  // OpenGL takes byte offsets as pointers
}

void float_attribute(GLuint location, GLint count, std::size_t stride, std::size_t at, GLuint divisor = 0) {
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, count, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride), offset(at));
    glVertexAttribDivisor(location, divisor);
}

struct GpuMesh {
    gl::VertexArray array;
    gl::Buffer vertices, indices;
    GLsizei index_count = 0;

    void draw() const {
        glBindVertexArray(array.id());
        glDrawElements(GL_TRIANGLES, index_count, GL_UNSIGNED_INT, nullptr);
    }
};

template <typename Vertex>
void upload(GpuMesh& mesh, const std::vector<Vertex>& vertices,
            const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    glBindVertexArray(mesh.array.id());
    glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices.id());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(triangles.size() * sizeof triangles[0]),
                 triangles.data(), GL_STATIC_DRAW);
    mesh.index_count = static_cast<GLsizei>(3 * triangles.size());
}

void upload_solid(GpuMesh& mesh, const DrawMesh& triangles) {
    upload(mesh, triangles.vertices, triangles.triangles);
    float_attribute(0, 3, sizeof(DrawVertex), offsetof(DrawVertex, position_m));
    float_attribute(1, 3, sizeof(DrawVertex), offsetof(DrawVertex, normal));
}

// A skin whose last triangles are the forearm that fades out.
struct SkinMesh : GpuMesh {
    GLsizei solid_count = 0;  ///< indices of the others

    void draw_solid() const {
        glBindVertexArray(array.id());
        glDrawElements(GL_TRIANGLES, solid_count, GL_UNSIGNED_INT, nullptr);
    }
    void draw_faded() const {
        glBindVertexArray(array.id());
        glDrawElements(GL_TRIANGLES, index_count - solid_count, GL_UNSIGNED_INT,
                       offset(static_cast<std::size_t>(solid_count) * sizeof(std::uint32_t)));
    }
};

void upload_skin(SkinMesh& mesh, const HandSkin& skin) {
    constexpr float kFaded_m = 0.05F;  // behind the wrist; there the skin is 80 % opaque
    auto triangles = skin.triangles;
    const auto solid = [&](const std::array<std::uint32_t, 3>& corners) {
        return std::ranges::any_of(corners, [&](std::uint32_t vertex) {
            return skin.vertices[vertex].position_m.z() < kFaded_m * skin.scale;
        });
    };
    const auto faded = std::stable_partition(triangles.begin(), triangles.end(), solid);
    mesh.solid_count = static_cast<GLsizei>(3 * (faded - triangles.begin()));
    upload(mesh, skin.vertices, triangles);
    float_attribute(0, 3, sizeof(SkinVertex), offsetof(SkinVertex, position_m));
    float_attribute(1, 3, sizeof(SkinVertex), offsetof(SkinVertex, normal));
    float_attribute(2, 4, sizeof(SkinVertex), offsetof(SkinVertex, weights));
    glEnableVertexAttribArray(3);
    glVertexAttribIPointer(3, 4, GL_UNSIGNED_BYTE, sizeof(SkinVertex), offset(offsetof(SkinVertex, bones)));
    float_attribute(4, 1, sizeof(SkinVertex), offsetof(SkinVertex, open));
}

// A buffer that is refilled each frame.
template <typename Item>
void refill(const gl::Buffer& buffer, const std::vector<Item>& items) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(items.size() * sizeof(Item)), items.data(), GL_STREAM_DRAW);
}

// The uniforms of shaders.cpp's bend().
void set_pose(const gl::Program& program, const std::string& name, const SkinPose& pose) {
    program.set((name + "_turn").c_str(), pose.turn);
    program.set((name + "_shift").c_str(), pose.shift);
    program.set((name + "_along").c_str(), pose.along);
}

struct GpuHand {
    SkinMesh fine, coarse;
    BoneFrames rest;
    std::array<Matrix4f, 5> nail_from_rest;
    std::array<Vector4f, 5> nail_box;
    float scale = 1.0F;
    bool ready = false;
    // For the current frame:
    bool present = false;
    bool in_reach = false;  ///< present, and near enough to the picture to cast a shadow into it
    float opacity = 1.0F;
    bool outlined = false;  ///< tracked hand and proxy differ, and the one that is not solid is shown
    SkinPose outline;
    SkinPose pose;
};

struct GpuObject {
    GpuMesh mesh;
    std::vector<MeshPart> parts;
    Vector3f color;
    Eigen::AlignedBox3f bounds_m;  ///< in its own frame
    bool in_reach = false;         ///< casts a shadow, and is near enough to the picture in this frame
    bool near_hand = false;        ///< may be touched next: drawn lighter
    float ball_radius_m = 0.0F;    ///< > 0: also occludes analytically
    Vector3f ball_center_m = Vector3f::Zero();
    Eigen::Isometry3f world_from_object = Eigen::Isometry3f::Identity();
};

// Draws the parts of an object in the eye's rows: a picture in bands would process all of a large mesh for each band.
void draw_seen_parts(const GpuObject& object, const Matrix4f& clip_from_object, const Eye& eye) {
    const bool banded = eye.band_height_px > 0;
    const auto row = [&](int y_px) {
        return 2.0F * static_cast<float>(y_px) / static_cast<float>(eye.height_px) - 1.0F;
    };
    const float low = banded ? row(eye.band_y_px) : -1.0F;
    const float high = banded ? row(eye.band_y_px + eye.band_height_px) : 1.0F;
    glBindVertexArray(object.mesh.array.id());
    for (const MeshPart& part : object.parts) {
        if (!may_be_seen(part.box_m, clip_from_object, low, high)) continue;
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * part.triangle_count), GL_UNSIGNED_INT,
                       offset(part.first_triangle * sizeof(std::array<std::uint32_t, 3>)));
    }
}

/// A laboratory's bodies of one mesh.
struct GpuBodies {
    const DrawMesh* uploaded = nullptr;
    GpuMesh mesh;
    float radius_m = 0.0F;  ///< of the mesh about its origin
    gl::Buffer places;
    GLsizei count = 0;

    void draw() const {
        if (count == 0) return;
        glBindVertexArray(mesh.array.id());
        glDrawElementsInstanced(GL_TRIANGLES, mesh.index_count, GL_UNSIGNED_INT, nullptr, count);
    }
};

constexpr float kArrowHead_m = 0.011F;

constexpr float kNearHand = 0.35F;  // fraction of white added to objects that a hand is about to touch

// Returns whether an object is within hover distance of a hand and not touched, or a hand points at it to grab it.
bool is_near_hand(const scenes::World& world, int object) {
    bool near = false;
    for (const Side side : {Side::left, Side::right}) {
        near = near || world.aims[side].object == object;
        for (int bone = 0; bone < scenes::kHandBoneCount; ++bone) {
            const scenes::PairState& pair = world.pairs[scenes::pair_index(world, side, bone, object)];
            if (pair.touching != 0) return false;
            near = near || pair.hovering != 0;
        }
    }
    return near;
}

bool is_ground(const scenes::SceneObject& object) {
    const auto* box = std::get_if<collision::RoundedBox>(&object.shape);
    if (box == nullptr || object.motion != scenes::Motion::fixed) return false;
    const Eigen::Matrix3f axes = object.world_from_object.linear() * box->core.axes;
    const Vector3f half_m = (axes.cwiseAbs() * box->core.half_m).array() + box->radius_m;
    return std::abs(axes(1, 1)) > 0.999F && half_m.x() > 0.15F && half_m.z() > 0.15F;
}

float top_y_m(const scenes::SceneObject& object) {
    const auto& box = std::get<collision::RoundedBox>(object.shape);
    const Eigen::Matrix3f axes = object.world_from_object.linear() * box.core.axes;
    return (object.world_from_object * box.core.center_m).y() + (axes.cwiseAbs() * box.core.half_m).y() + box.radius_m;
}

// The extents of what casts, seen from the light and from above.
struct CastExtents {
    Eigen::Matrix3f light_from_world;
    float ground_y_m = 0.0F;
    Eigen::AlignedBox3f in_light;   ///< in the axes of the light
    Eigen::AlignedBox2f on_ground;  ///< x and z of what is low enough for a soft patch

    void add(const Vector3f& center_m, float radius_m) {
        const Vector3f at_m = light_from_world * center_m, around_m = Vector3f::Constant(radius_m);
        in_light.extend(at_m - around_m);
        in_light.extend(at_m + around_m);
        if (center_m.y() - radius_m > ground_y_m + kContactHeight_m) return;
        const Vector2f xz_m(center_m.x(), center_m.z());
        on_ground.extend(xz_m - around_m.head<2>());
        on_ground.extend(xz_m + around_m.head<2>());
    }
};

// Returns half the edge of a square map: `least_m`, or the next step that covers `needed_m`.
float map_half_m(float least_m, float needed_m) {
    float half_m = least_m;
    while (half_m < needed_m && half_m < 100.0F) half_m *= std::numbers::sqrt2_v<float>;
    return half_m;
}

// Covered rectangles get the nearest depth, so that nothing passes the depth test there.
void block_covered(const Eye& eye) {
    const bool banded = eye.band_height_px > 0;
    const int band_top = banded ? eye.band_y_px + eye.band_height_px : eye.height_px;
    for (const Eigen::Vector4i& rect : eye.covered_px) {
        const int low = std::max(rect.y(), banded ? eye.band_y_px : 0);
        const int high = std::min(rect.y() + rect.w(), band_top);
        if (rect.z() <= 0 || high <= low) continue;
        glEnable(GL_SCISSOR_TEST);
        glScissor(rect.x(), low, rect.z(), high - low);
        glClearDepth(0.0);
        glClear(GL_DEPTH_BUFFER_BIT);
        glClearDepth(1.0);
    }
    if (banded)
        glScissor(0, eye.band_y_px, eye.width_px, eye.band_height_px);
    else
        glDisable(GL_SCISSOR_TEST);
}

}  // namespace

Vector3f light_for(const Vector3f& eye_m, const Vector3f& target_m) {
    Vector3f viewer = eye_m - target_m;
    viewer.y() = 0.0F;
    viewer = viewer.squaredNorm() > 1e-8F ? Vector3f(viewer.normalized()) : Vector3f::UnitZ();
    const Vector3f left = viewer.cross(Vector3f::UnitY());
    return (0.72F * left + Vector3f::UnitY() + 0.10F * viewer).normalized();
}

FrameLight frame_light(const ViewModel& model, const OrbitCamera& camera) {
    FrameLight light;
    light.to_light = light_for(camera.eye_m(), camera.target_m);
    light.focus_m = camera.target_m;
    light.ground_m = {camera.target_m.x(), camera.target_m.z()};
    light.reach_m = camera.distance_m;
    Vector3f hands_m = Vector3f::Zero();
    int count = 0;
    for (std::size_t i = 0; model.hands != nullptr && i < model.hands->hands.size(); ++i) {
        const tracking::HandFrame& hand = model.hands->hands[i];
        const Vector3f& at_m = hand[tracking::Joint::middle_proximal].position_m;
        if (hand.active && at_m.allFinite()) hands_m += at_m, ++count;
    }
    // The midpoint between the hands and the rest of the picture.
    if (count > 0) light.focus_m = 0.5F * (light.focus_m + hands_m / static_cast<float>(count));
    return light;
}

struct Renderer::State {
    gl::Program background = program("background", shaders::background());
    gl::Program solid = program("solid", shaders::solid());
    gl::Program table = program("table", shaders::table());
    gl::Program skin = program("skin", shaders::skin());
    gl::Program solid_depth = program("solid_depth", shaders::solid_depth());
    gl::Program skin_depth = program("skin_depth", shaders::skin_depth());
    gl::Program solid_height = program("solid_height", shaders::solid_height());
    gl::Program skin_height = program("skin_height", shaders::skin_height());
    gl::Program blur = program("blur", shaders::blur());
    gl::Program line = program("line", shaders::line());
    gl::Program tint = program("tint", shaders::tint());
    gl::Program mark = program("mark", shaders::mark());
    gl::Program arrow = program("arrow", shaders::arrow());
    gl::Program many_solids = program("many_solids", shaders::many_solids());
    gl::Program many_depth = program("many_depth", shaders::many_depth());
    gl::Program many_height = program("many_height", shaders::many_height());

    gl::VertexArray nothing;
    gl::Texture shadow_map;
    gl::Framebuffer shadow_target;
    int shadow_size = 0;
    std::array<gl::Texture, 2> contact_map;
    std::array<gl::Framebuffer, 2> contact_target;

    tracking::PerSide<GpuHand> hands;
    const scenes::Scene* scene = nullptr;
    const scenes::SceneObject* objects_seen = nullptr;
    std::vector<GpuObject> objects;
    std::vector<ObjectKind> kinds;  ///< of the objects
    std::vector<GpuBodies> lab_bodies;
    GpuMesh floor, colliders;
    bool has_ground = false;
    float ground_y_m = 0.0F;
    float shadow_half_m = kShadowHalf_m;
    float contact_half_m = kContactHalf_m;
    Vector2f contact_center_m = Vector2f::Zero();  ///< x and z
    Vector3f shadow_scale = Vector3f::Zero();      ///< for shaders.cpp's lit()

    gl::VertexArray edge_array, tint_array, mark_array;
    gl::Buffer edge_buffer, tint_buffer, mark_buffer, arrow_buffer;
    GpuMesh arrow_shape;
    DrawList list;
    std::vector<Vector4f> balls;  ///< centre and radius of those that occlude analytically
    bool balls_on_map = false;    ///< more than the shaders take: on the ground, the contact map has all of them

    FrameLight light;
    RenderQuality quality;
    ViewSettings settings;
    Matrix4f shadow_from_world = Matrix4f::Identity();

    State();
    void load_objects(const scenes::Scene& new_scene);
    void load_floor(float at_y_m);
    void gather_lab(const LabView& lab);
    void resize_shadow(int size);
    void place(const ViewModel& model);
    void keep_nearest_balls();
    void fit_maps(const ViewModel& model);
    void draw_shadow_map();
    void draw_contact_map();
    void set_light(const gl::Program& lit, const Vector3f& eye_m) const;
    void draw_ground(const Matrix4f& clip_from_world, const Vector3f& eye_m, const Eye& eye) const;
    void draw_solids(const Matrix4f& clip_from_world, const Vector3f& eye_m, const Eye& eye) const;
    void draw_hands(const Matrix4f& clip_from_world, const Vector3f& eye_m, float px) const;
    void draw_outlines(float px) const;
    void draw_boxes(const Matrix4f& clip_from_world, const Eye& eye) const;
    void draw_contacts(const Matrix4f& clip_from_world, const Vector3f& eye_m) const;
};

Renderer::State::State() {
    for (std::size_t i = 0; i < 2; ++i) {
        glBindTexture(GL_TEXTURE_2D, contact_map[i].id());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, kContactSize, kContactSize, 0, GL_RED, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
        glBindFramebuffer(GL_FRAMEBUFFER, contact_target[i].id());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, contact_map[i].id(), 0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);

    glBindVertexArray(edge_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, edge_buffer.id());
    float_attribute(0, 3, sizeof(EdgeItem), offsetof(EdgeItem, a_m), 1);
    float_attribute(1, 3, sizeof(EdgeItem), offsetof(EdgeItem, b_m), 1);
    float_attribute(2, 4, sizeof(EdgeItem), offsetof(EdgeItem, rgba), 1);
    float_attribute(3, 1, sizeof(EdgeItem), offsetof(EdgeItem, width_px), 1);
    float_attribute(4, 1, sizeof(EdgeItem), offsetof(EdgeItem, behind), 1);
    glBindVertexArray(tint_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, tint_buffer.id());
    float_attribute(0, 3, sizeof(TintItem), offsetof(TintItem, corner_m));
    float_attribute(1, 4, sizeof(TintItem), offsetof(TintItem, rgba));
    glBindVertexArray(mark_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, mark_buffer.id());
    float_attribute(0, 3, sizeof(MarkItem), offsetof(MarkItem, center_m), 1);
    float_attribute(1, 3, sizeof(MarkItem), offsetof(MarkItem, axis), 1);
    upload_solid(arrow_shape, arrow_mesh());
    glBindVertexArray(arrow_shape.array.id());
    glBindBuffer(GL_ARRAY_BUFFER, arrow_buffer.id());
    float_attribute(2, 3, sizeof(ArrowItem), offsetof(ArrowItem, from_m), 1);
    float_attribute(3, 3, sizeof(ArrowItem), offsetof(ArrowItem, axis), 1);
    float_attribute(4, 1, sizeof(ArrowItem), offsetof(ArrowItem, length_m), 1);
    glBindVertexArray(0);
}

void Renderer::State::resize_shadow(int size) {
    if (size == shadow_size) return;
    shadow_size = size;
    glBindTexture(GL_TEXTURE_2D, shadow_map.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_target.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_map.id(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
}

void Renderer::State::load_objects(const scenes::Scene& new_scene) {
    scene = &new_scene;
    objects_seen = new_scene.objects.data();
    objects.clear();
    kinds.clear();
    has_ground = false;
    float lowest_m = 0.0F;
    for (const scenes::SceneObject& object : new_scene.objects) {
        GpuObject& out = objects.emplace_back();
        DrawMesh triangles = draw_mesh(object.shape);
        out.parts = sort_into_parts(triangles);
        upload_solid(out.mesh, triangles);
        Eigen::AlignedBox3f bounds;
        for (const DrawVertex& vertex : triangles.vertices) bounds.extend(object.world_from_object * vertex.position_m);
        for (const DrawVertex& vertex : triangles.vertices) out.bounds_m.extend(vertex.position_m);
        if (!bounds.isEmpty()) lowest_m = std::min(lowest_m, bounds.min().y());
        out.color = object.color;
        out.world_from_object = object.world_from_object;
        const bool small = !bounds.isEmpty() && bounds.sizes().maxCoeff() < kLargestCaster_m;
        kinds.push_back(is_ground(object) ? ObjectKind::ground : small ? ObjectKind::small : ObjectKind::surroundings);
        const auto* cone = std::get_if<collision::RoundCone>(&object.shape);
        if (cone != nullptr && (cone->b_m - cone->a_m).norm() < 1e-6F) {
            out.ball_center_m = cone->a_m;
            out.ball_radius_m = std::max(cone->radius_a_m, cone->radius_b_m);
        }
        if (kinds.back() == ObjectKind::ground) {
            ground_y_m = has_ground ? std::max(ground_y_m, top_y_m(object)) : top_y_m(object);
            has_ground = true;
        }
    }
    if (has_ground) return;
    load_floor(lowest_m - 0.002F);
}

// Without a table: a floor below everything, so that light and shadow still show heights.
void Renderer::State::load_floor(float at_y_m) {
    ground_y_m = at_y_m;
    collision::RoundedBox plane;
    plane.core.center_m = {0.0F, ground_y_m - 0.01F, 0.0F};
    plane.core.half_m = {4.0F, 0.01F, 4.0F};
    upload_solid(floor, draw_mesh(plane));
}

void Renderer::State::place(const ViewModel& model) {
    balls.clear();
    for (std::size_t i = 0; i < objects.size(); ++i) {
        GpuObject& object = objects[i];
        if (model.world != nullptr && i < model.world->world_from_object.size())
            object.world_from_object = model.world->world_from_object[i];
        object.near_hand = settings.highlight && model.world != nullptr && model.scene != nullptr &&
                           i < model.scene->objects.size() && is_near_hand(*model.world, static_cast<int>(i));
        if (object.ball_radius_m > 0.0F) {
            const Vector3f center_m = object.world_from_object * object.ball_center_m;
            balls.emplace_back(center_m.x(), center_m.y(), center_m.z(), object.ball_radius_m);
        }
    }
    keep_nearest_balls();
    for (const Side side : {Side::left, Side::right}) {
        GpuHand& hand = hands[side];
        hand.present = hand.ready && settings.skin && model.hands != nullptr && (*model.hands)[side].active;
        if (!hand.present) continue;
        const bool apart = model.proxy != nullptr && model.proxy->apart[side];
        const tracking::HandFrame& tracked = (*model.hands)[side];
        const tracking::HandFrame& proxy = apart ? model.proxy->hands[side] : tracked;
        const bool tracked_is_solid = settings.solid_hand == SolidHand::tracked;
        const auto bent = [&](tracking::HandFrame frame) {
            frame.side = side;
            return skin_pose(tracked_frames(frame, hand.rest), hand.rest);
        };
        hand.pose = bent(tracked_is_solid ? tracked : proxy);
        hand.outlined = apart && settings.outline;
        if (hand.outlined) hand.outline = bent(tracked_is_solid ? proxy : tracked);
        hand.opacity = tracked.source == tracking::Source::held ? 0.55F : settings.colliders ? 0.40F : 1.0F;
    }
}

// Hands and objects are darkened by the balls nearest to them. On the ground, the change from one ball to another would
// be seen, so all have the same kind of patch there.
void Renderer::State::keep_nearest_balls() {
    balls_on_map = balls.size() > kMaxBalls;
    if (!balls_on_map) return;
    std::ranges::nth_element(balls, balls.begin() + kMaxBalls, {},
                             [&](const Vector4f& ball) { return (ball.head<3>() - light.focus_m).norm() - ball.w(); });
    balls.resize(kMaxBalls);
}

void Renderer::State::gather_lab(const LabView& lab) {
    if (floor.index_count == 0 || ground_y_m != lab.ground_y_m) load_floor(lab.ground_y_m);
    lab_bodies.resize(lab.bodies.size());
    for (std::size_t i = 0; i < lab.bodies.size(); ++i) {
        GpuBodies& drawn = lab_bodies[i];
        if (drawn.uploaded != lab.bodies[i].mesh) {
            drawn.uploaded = lab.bodies[i].mesh;
            drawn.radius_m = 0.0F;
            for (const DrawVertex& vertex : drawn.uploaded->vertices)
                drawn.radius_m = std::max(drawn.radius_m, vertex.position_m.norm());
            upload_solid(drawn.mesh, *drawn.uploaded);
            glBindBuffer(GL_ARRAY_BUFFER, drawn.places.id());
            float_attribute(2, 3, sizeof(LabBody), offsetof(LabBody, at_m), 1);
            float_attribute(3, 4, sizeof(LabBody), offsetof(LabBody, turn), 1);
            float_attribute(4, 3, sizeof(LabBody), offsetof(LabBody, size), 1);
            float_attribute(5, 3, sizeof(LabBody), offsetof(LabBody, color), 1);
            glBindVertexArray(0);
        }
        refill(drawn.places, lab.bodies[i].bodies);
        drawn.count = static_cast<GLsizei>(lab.bodies[i].bodies.size());
    }
}

// Places both maps around everything that casts into the picture. The maps' corners move in whole texels: otherwise the
// edges of shadows that rest would shimmer while something else moves.
void Renderer::State::fit_maps(const ViewModel& model) {
    const Vector3f& toward = light.to_light;
    const Vector3f side = toward.cross(Vector3f::UnitZ()).normalized();
    Eigen::Matrix3f world_from_light;
    world_from_light << side, toward.cross(side), toward;
    CastExtents extents;
    extents.light_from_world = world_from_light.transpose();
    extents.ground_y_m = ground_y_m;
    const auto near = [&](const Vector3f& at_m) {
        return (Vector2f(at_m.x(), at_m.z()) - light.ground_m).norm() < kCastReach * light.reach_m;
    };
    for (std::size_t i = 0; i < objects.size(); ++i) {
        GpuObject& object = objects[i];
        const Vector3f center_m = object.world_from_object * object.bounds_m.center();
        object.in_reach = kinds[i] == ObjectKind::small && near(center_m);
        if (!object.in_reach) continue;
        if (object.ball_radius_m > 0.0F)
            extents.add(center_m, object.ball_radius_m);
        else
            for (int corner = 0; corner < 8; ++corner)
                extents.add(object.world_from_object *
                                object.bounds_m.corner(static_cast<Eigen::AlignedBox3f::CornerType>(corner)),
                            0.0F);
    }
    for (const Side of : tracking::kSides) {
        GpuHand& hand = hands[of];
        hand.in_reach = hand.present && near((*model.hands)[of][tracking::Joint::wrist].position_m);
        if (!hand.in_reach) continue;
        const auto add_frame = [&](const tracking::HandFrame& frame) {
            for (const tracking::JointPose& joint : frame.joints)
                if (joint.position_valid() && joint.position_m.allFinite())
                    extents.add(joint.position_m, kHandRadius_m);
            const tracking::JointPose& wrist = frame[tracking::Joint::wrist];
            const Vector3f elbow_m = wrist.position_m + wrist.orientation * Vector3f(0, 0, kForearm_m * hand.scale);
            if (elbow_m.allFinite()) extents.add(elbow_m, kHandRadius_m);
        };
        add_frame((*model.hands)[of]);
        if (model.proxy != nullptr && model.proxy->apart[of]) add_frame(model.proxy->hands[of]);
    }
    if (model.lab != nullptr)
        for (std::size_t i = 0; i < lab_bodies.size(); ++i)
            for (const LabBody& body : model.lab->bodies[i].bodies)
                if (near(body.at_m)) extents.add(body.at_m, lab_bodies[i].radius_m * body.size.cwiseAbs().maxCoeff());

    constexpr float kMargin = 1.04F;  // the taps around the outermost shadows stay on the map
    const Eigen::AlignedBox3f& in_light = extents.in_light;
    const bool none = in_light.isEmpty();
    const float wide_m = none ? 0.0F : 0.5F * in_light.sizes().head<2>().maxCoeff();
    shadow_half_m = map_half_m(kShadowHalf_m, kMargin * wide_m);
    // Twice the texels in each direction, where a map covers twice the length: edges stay as sharp and biases as small.
    resize_shadow(shadow_half_m > 1.5F * kShadowHalf_m ? 2 * quality.shadow_size : quality.shadow_size);
    const float texel_m = 2.0F * shadow_half_m / static_cast<float>(shadow_size);
    const float step_m = 4.0F * texel_m;  // the period of the forearm's dither
    Vector3f center = none ? Vector3f(extents.light_from_world * light.focus_m) : Vector3f(in_light.center());
    center.head<2>() = step_m * (center.head<2>() / step_m).array().round().matrix();
    constexpr float kBeyond_m = 0.02F;
    const float depth_m = (none ? 0.0F : in_light.sizes().z()) + 2.0F * kBeyond_m;
    Eigen::Isometry3f frame = Eigen::Isometry3f::Identity();
    frame.linear() = world_from_light;
    frame.translation() = world_from_light * (center + Vector3f(0.0F, 0.0F, 0.5F * depth_m));
    shadow_from_world = orthographic(shadow_half_m, shadow_half_m, 0.0F, depth_m) * frame.inverse().matrix();
    const float tap = 1.0F / static_cast<float>(std::max(shadow_size, 1024));
    shadow_scale = {tap, kTapReach * tap * 2.0F * shadow_half_m + 0.7F * texel_m, kShadowBias_m / depth_m};

    const Eigen::AlignedBox2f& on_ground = extents.on_ground;
    constexpr float kBlur_m = 0.03F;
    contact_half_m = kContactHalf_m;
    contact_center_m = {light.focus_m.x(), light.focus_m.z()};
    if (on_ground.isEmpty()) return;
    contact_half_m = map_half_m(kContactHalf_m, 0.5F * on_ground.sizes().maxCoeff() + kBlur_m);
    const float contact_step_m = 2.0F * contact_half_m / kContactSize;
    contact_center_m = contact_step_m * (on_ground.center() / contact_step_m).array().round().matrix();
}

void Renderer::State::draw_shadow_map() {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_target.id());
    glViewport(0, 0, shadow_size, shadow_size);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0F, 2.0F);
    solid_depth.use();
    solid_depth.set("clip_from_world", shadow_from_world);
    for (const GpuObject& object : objects) {
        if (!object.in_reach) continue;
        solid_depth.set("world_from_object", object.world_from_object.matrix());
        object.mesh.draw();
    }
    many_depth.use();
    many_depth.set("clip_from_world", shadow_from_world);
    for (const GpuBodies& many : lab_bodies) many.draw();
    skin_depth.use();
    skin_depth.set("clip_from_world", shadow_from_world);
    for (const GpuHand& hand : hands) {
        if (!hand.in_reach) continue;
        set_pose(skin_depth, "bent", hand.pose);
        skin_depth.set("size", hand.scale);
        hand.coarse.draw();
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

void Renderer::State::draw_contact_map() {
    // View from below onto the ground: x and z become the picture, height the value.
    Matrix4f from_below = Matrix4f::Zero();
    from_below(0, 0) = 1.0F / contact_half_m;
    from_below(0, 3) = -contact_center_m.x() / contact_half_m;
    from_below(1, 2) = 1.0F / contact_half_m;
    from_below(1, 3) = -contact_center_m.y() / contact_half_m;
    from_below(3, 3) = 1.0F;

    glViewport(0, 0, kContactSize, kContactSize);
    glBindFramebuffer(GL_FRAMEBUFFER, contact_target[0].id());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    solid_height.use();
    solid_height.set("clip_from_world", from_below);
    solid_height.set("ground_y_m", ground_y_m);
    for (const GpuObject& object : objects) {
        if (!object.in_reach || (object.ball_radius_m > 0.0F && !balls_on_map)) continue;  // these occlude analytically
        solid_height.set("world_from_object", object.world_from_object.matrix());
        object.mesh.draw();
    }
    many_height.use();
    many_height.set("clip_from_world", from_below);
    many_height.set("ground_y_m", ground_y_m);
    for (const GpuBodies& many : lab_bodies) many.draw();
    skin_height.use();
    skin_height.set("clip_from_world", from_below);
    skin_height.set("ground_y_m", ground_y_m);
    for (const GpuHand& hand : hands) {
        if (!hand.in_reach) continue;
        set_pose(skin_height, "bent", hand.pose);
        hand.coarse.draw();
    }
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);

    blur.use();
    blur.set("image", kContactUnit);
    glActiveTexture(GL_TEXTURE0 + kContactUnit);
    glBindVertexArray(nothing.id());
    for (int pass = 0; pass < 4; ++pass) {
        const auto from = static_cast<std::size_t>(pass % 2);
        // The same width on the ground whatever the map covers, but no less than what hides the map's texels.
        const float step = std::max(1.6F * kContactHalf_m / contact_half_m, 0.8F) / kContactSize;
        glBindFramebuffer(GL_FRAMEBUFFER, contact_target[1 - from].id());
        glBindTexture(GL_TEXTURE_2D, contact_map[from].id());
        blur.set("step_uv", from == 0 ? Vector2f(step, 0.0F) : Vector2f(0.0F, step));
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

void Renderer::State::set_light(const gl::Program& lit, const Vector3f& eye_m) const {
    lit.use();
    lit.set("eye_m", eye_m);
    lit.set("to_light", light.to_light);
    lit.set("shadow_from_world", shadow_from_world);
    lit.set("shadow_map", kShadowUnit);
    lit.set("shadow_taps", quality.shadow_taps);
    lit.set("shadow_scale", shadow_scale);
    lit.set("sphere_count", static_cast<int>(balls.size()));
    lit.set("spheres", balls);
}

void Renderer::State::draw_ground(const Matrix4f& clip_from_world, const Vector3f& eye_m, const Eye& eye) const {
    if (eye_m.y() < ground_y_m) return;  // from below, the table is transparent and shows what the palm touches
    set_light(table, eye_m);
    if (balls_on_map) table.set("sphere_count", 0);
    table.set("clip_from_world", clip_from_world);
    table.set("focus_m", light.ground_m);
    table.set("fade_m", Vector2f(Vector2f(0.58F, 1.55F) * light.reach_m));
    table.set("reach_m", light.reach_m);
    table.set("line_px", 1.1F * eye.px);
    table.set("see_through", eye.see_through ? 1.0F : 0.0F);
    table.set("contact_map", kContactUnit);
    table.set("contact_square", Vector4f(contact_center_m.x() - contact_half_m, contact_center_m.y() - contact_half_m,
                                         2.0F * contact_half_m, 2.0F * contact_half_m));
    table.set("albedo", palette::rgb(palette::kTable));
    if (!has_ground && !eye.see_through) {  // a floor that cannot be touched
        table.set("world_from_object", Matrix4f(Matrix4f::Identity()));
        floor.draw();
    }
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (kinds[i] != ObjectKind::ground) continue;
        table.set("world_from_object", objects[i].world_from_object.matrix());
        objects[i].mesh.draw();
    }
}

void Renderer::State::draw_solids(const Matrix4f& clip_from_world, const Vector3f& eye_m, const Eye& eye) const {
    set_light(solid, eye_m);
    solid.set("clip_from_world", clip_from_world);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const GpuObject& object = objects[i];
        if (kinds[i] == ObjectKind::ground) continue;
        solid.set("world_from_object", object.world_from_object.matrix());
        solid.set("albedo", object.near_hand ? Vector3f(object.color + kNearHand * (Vector3f::Ones() - object.color))
                                             : object.color);
        draw_seen_parts(object, clip_from_world * object.world_from_object.matrix(), eye);
    }
    if (colliders.index_count > 0) {
        solid.set("world_from_object", Matrix4f(Matrix4f::Identity()));
        solid.set("albedo", palette::rgb(palette::kCollider));
        colliders.draw();
    }
    if (lab_bodies.empty()) return;
    set_light(many_solids, eye_m);
    many_solids.set("clip_from_world", clip_from_world);
    for (const GpuBodies& many : lab_bodies) many.draw();
}

void Renderer::State::draw_hands(const Matrix4f& clip_from_world, const Vector3f& eye_m, float px) const {
    set_light(skin, eye_m);
    skin.set("clip_from_world", clip_from_world);
    const bool grey = settings.tone == SkinTone::grey;
    skin.set("albedo", palette::rgb(grey ? palette::kGlove : palette::kClay));
    skin.set("flesh", grey ? 0.0F : 1.0F);
    skin.set("outline", 0.0F);
    for (const bool faded : {false, true}) {
        // The end of the arm has no depth, so that lines and tints drawn later are seen through it. Otherwise it would
        // cut a white patch out of the boxes' tints.
        glDepthMask(faded ? GL_FALSE : GL_TRUE);
        for (const GpuHand& hand : hands) {
            if (!hand.present) continue;
            set_pose(skin, "bent", hand.pose);
            skin.set("nail_from_rest", hand.nail_from_rest);
            skin.set("nail_box", hand.nail_box);
            skin.set("size", hand.scale);
            skin.set("opacity", hand.opacity);
            const SkinMesh& mesh = quality.coarse_skin ? hand.coarse : hand.fine;
            faded ? mesh.draw_faded() : mesh.draw_solid();
        }
    }
    draw_outlines(px);
}

// Draws the other hand (tracked or proxy), where it differs from the solid one, as a contour that is always visible.
void Renderer::State::draw_outlines(float px) const {
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_ALWAYS);
    skin.set("albedo", palette::rgb(palette::kOutline));
    skin.set("opacity", 0.85F);
    skin.set("outline", 1.0F);
    skin.set("line_px", std::max(1.8F * px, kMinOutline_px));
    for (const GpuHand& hand : hands) {
        if (!hand.present || !hand.outlined) continue;
        set_pose(skin, "bent", hand.outline);
        set_pose(skin, "solid", hand.pose);
        skin.set("size", hand.scale);
        (quality.coarse_skin ? hand.coarse : hand.fine).draw();
    }
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
}

void Renderer::State::draw_boxes(const Matrix4f& clip_from_world, const Eye& eye) const {
    glDepthMask(GL_FALSE);
    if (!list.tints.empty()) {
        tint.use();
        tint.set("clip_from_world", clip_from_world);
        glBindVertexArray(tint_array.id());
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(list.tints.size()));
    }
    if (!list.edges.empty()) {
        line.use();
        line.set("clip_from_world", clip_from_world);
        line.set("viewport_px", Vector2f(static_cast<float>(eye.width_px), static_cast<float>(eye.height_px)));
        line.set("px", eye.px);
        line.set("reference_m", eye.reference_m);
        glBindVertexArray(edge_array.id());
        for (const bool hidden : {true, false}) {
            glDepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
            line.set("hidden", hidden ? 1.0F : 0.0F);
            glDrawArraysInstanced(GL_TRIANGLES, 0, 6, static_cast<GLsizei>(list.edges.size()));
        }
        glDepthFunc(GL_LESS);
    }
    glDepthMask(GL_TRUE);
}

void Renderer::State::draw_contacts(const Matrix4f& clip_from_world, const Vector3f& eye_m) const {
    if (list.marks.empty()) return;
    mark.use();
    mark.set("clip_from_world", clip_from_world);
    mark.set("radius_m", 0.0040F);
    mark.set("albedo", palette::rgb(palette::kArrow));
    arrow.use();
    arrow.set("clip_from_world", clip_from_world);
    arrow.set("head_m", kArrowHead_m);
    arrow.set("albedo", palette::rgb(palette::kArrow));
    arrow.set("to_light", light.to_light);
    arrow.set("eye_m", eye_m);
    for (const bool hidden : {true, false}) {
        glDepthFunc(hidden ? GL_GREATER : GL_LESS);
        glDepthMask(hidden ? GL_FALSE : GL_TRUE);
        mark.use();
        mark.set("opacity", hidden ? 0.30F : 1.0F);
        glBindVertexArray(mark_array.id());
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(list.marks.size()));
        arrow.use();
        arrow.set("opacity", hidden ? 0.30F : 1.0F);
        glEnable(GL_CULL_FACE);
        glBindVertexArray(arrow_shape.array.id());
        glDrawElementsInstanced(GL_TRIANGLES, arrow_shape.index_count, GL_UNSIGNED_INT, nullptr,
                                static_cast<GLsizei>(list.arrows.size()));
        glDisable(GL_CULL_FACE);
    }
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
}

Renderer::Renderer() : state_(std::make_unique<State>()) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

void Renderer::set_skin(Side side, const HandSkin& fine, const HandSkin& coarse) {
    GpuHand& hand = state_->hands[side];
    upload_skin(hand.fine, fine);
    upload_skin(hand.coarse, coarse);
    hand.rest = fine.rest;
    hand.scale = fine.scale;
    for (std::size_t i = 0; i < 5; ++i) {
        hand.nail_from_rest[i] = fine.nails[i].bone_from_rest.matrix();
        hand.nail_box[i] << fine.nails[i].center_m, fine.nails[i].half_m;
    }
    hand.ready = true;
}

void Renderer::forget_scene() {
    state_->scene = nullptr;
}

void Renderer::prepare(const ViewModel& model, const ViewSettings& settings, const FrameLight& light,
                       const RenderQuality& quality) {
    State& s = *state_;
    GLint bound = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    GLint viewport[4];
    glGetIntegerv(GL_VIEWPORT, viewport);
    s.settings = settings;
    s.light = light;
    s.quality = quality;
    if (model.scene != nullptr && (model.scene != s.scene || model.scene->objects.data() != s.objects_seen))
        s.load_objects(*model.scene);
    s.place(model);
    gather(model, settings, s.kinds, s.list);
    s.colliders.index_count = 0;
    if (settings.colliders && model.world != nullptr) upload_solid(s.colliders, collider_mesh(*model.world));
    s.lab_bodies.resize(model.lab == nullptr ? 0 : s.lab_bodies.size());
    if (model.lab != nullptr) s.gather_lab(*model.lab);
    refill(s.edge_buffer, s.list.edges);
    refill(s.tint_buffer, s.list.tints);
    refill(s.mark_buffer, s.list.marks);
    refill(s.arrow_buffer, s.list.arrows);
    s.fit_maps(model);
    s.draw_shadow_map();
    s.draw_contact_map();
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}

void Renderer::draw(const Eye& eye) {
    const State& s = *state_;
    const Matrix4f clip_from_world = eye.clip_from_view * eye.view_from_world;
    const Matrix4f world_from_view = eye.view_from_world.inverse();
    const Vector3f eye_m = world_from_view.block<3, 1>(0, 3);
    glViewport(0, 0, eye.width_px, eye.height_px);
    if (eye.band_height_px > 0) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, eye.band_y_px, eye.width_px, eye.band_height_px);
    } else {
        glDisable(GL_SCISSOR_TEST);
    }
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    if (eye.see_through)
        glClearColor(0.0F, 0.0F, 0.0F, 0.0F);
    else
        glClearColor(0.95F, 0.96F, 0.97F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    block_covered(eye);
    glActiveTexture(GL_TEXTURE0 + kContactUnit);
    glBindTexture(GL_TEXTURE_2D, s.contact_map[0].id());
    glActiveTexture(GL_TEXTURE0 + kShadowUnit);
    glBindTexture(GL_TEXTURE_2D, s.shadow_map.id());

    // Draw roughly front to back: objects that hide the ground before it, the background last.
    glEnable(GL_CULL_FACE);
    s.draw_solids(clip_from_world, eye_m, eye);
    s.draw_ground(clip_from_world, eye_m, eye);
    glDisable(GL_CULL_FACE);
    if (!eye.see_through) {
        s.background.use();
        s.background.set("world_from_clip", Matrix4f(clip_from_world.inverse()));
        glBindVertexArray(s.nothing.id());
        glDepthFunc(GL_LEQUAL);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glDepthFunc(GL_LESS);
    }

    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(GL_CULL_FACE);
    s.draw_hands(clip_from_world, eye_m, eye.px);
    glDisable(GL_CULL_FACE);
    s.draw_boxes(clip_from_world, eye);
    s.draw_contacts(clip_from_world, eye_m);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
}

}  // namespace glovebox::vr
