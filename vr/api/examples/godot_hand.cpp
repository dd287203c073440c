// A sketch of a Godot 4 extension: a node that takes both hands from an XRServer's trackers and emits what they touch.
//
// Build it with godot-cpp and link libglovebox; register GloveboxNode in your extension's entry. In GDScript:
//     $GloveboxNode.touched.connect(func(part, object): print(part, " touches ", object))
// Godot's axes are ours: right-handed, +Y up, -Z forward, metres. Godot's XRHandTracker has OpenXR's 26 joints in
// OpenXR's order.
#include <glovebox.h>

#include <godot_cpp/classes/node3d.hpp>
#include <godot_cpp/classes/xr_hand_tracker.hpp>
#include <godot_cpp/classes/xr_server.hpp>
#include <godot_cpp/core/class_db.hpp>

namespace godot {

class GloveboxNode : public Node3D {
    GDCLASS(GloveboxNode, Node3D)

  public:
    ~GloveboxNode() override { gb_close(session_); }

    void open(const String& scene) {
        gb_close(session_);
        session_ = nullptr;
        if (gb_open(scene.utf8().get_data(), nullptr, &session_) != GB_OK) ERR_PRINT(gb_last_error());
        time_s_ = 0.0;
    }

    void _physics_process(double delta_s) override {
        if (session_ == nullptr) return;
        time_s_ += delta_s;
        gb_hand left, right;
        const bool has_left = read("/user/hand_tracker/left", left);
        const bool has_right = read("/user/hand_tracker/right", right);
        gb_step(session_, has_left ? &left : nullptr, has_right ? &right : nullptr, time_s_, nullptr);
        gb_event events[64];
        int count = 0;
        gb_events(session_, events, 64, &count);
        for (int i = 0; i < count && i < 64; ++i)
            if (events[i].kind == GB_TOUCH_BEGIN)
                emit_signal("touched", events[i].part, String(gb_object_name(session_, events[i].object)));
    }

  protected:
    static void _bind_methods() {
        ClassDB::bind_method(D_METHOD("open", "scene"), &GloveboxNode::open);
        ADD_SIGNAL(MethodInfo("touched", PropertyInfo(Variant::INT, "part"), PropertyInfo(Variant::STRING, "object")));
    }

  private:
    static bool read(const char* name, gb_hand& hand) {
        const Ref<XRHandTracker> tracker = XRServer::get_singleton()->get_tracker(name);
        if (tracker.is_null() || !tracker->get_has_tracking_data()) return false;
        hand.active = 1;
        for (int i = 0; i < GB_JOINT_COUNT; ++i) {
            const auto joint = static_cast<XRHandTracker::HandJoint>(i);
            const Transform3D pose = tracker->get_hand_joint_transform(joint);
            const Quaternion turn = pose.basis.get_rotation_quaternion();
            const int64_t flags = tracker->get_hand_joint_flags(joint);
            gb_joint& to = hand.joints[i];
            for (int axis = 0; axis < 3; ++axis) to.position_m[axis] = static_cast<float>(pose.origin[axis]);
            for (int k = 0; k < 4; ++k) to.orientation[k] = static_cast<float>(turn[k]);
            to.radius_m = static_cast<float>(tracker->get_hand_joint_radius(joint));
            to.flags = 0;
            if ((flags & XRHandTracker::HAND_JOINT_FLAG_ORIENTATION_VALID) != 0) to.flags |= GB_ORIENTATION_VALID;
            if ((flags & XRHandTracker::HAND_JOINT_FLAG_ORIENTATION_TRACKED) != 0) to.flags |= GB_ORIENTATION_TRACKED;
            if ((flags & XRHandTracker::HAND_JOINT_FLAG_POSITION_VALID) != 0) to.flags |= GB_POSITION_VALID;
            if ((flags & XRHandTracker::HAND_JOINT_FLAG_POSITION_TRACKED) != 0) to.flags |= GB_POSITION_TRACKED;
        }
        return true;
    }

    gb_session* session_ = nullptr;
    double time_s_ = 0.0;
};

}  // namespace godot
