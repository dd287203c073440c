// The part of godot-cpp that vr/api/examples/godot_hand.cpp uses, declared as Godot 4.3 documents it. Debian has no
// godot-cpp; with this the example is at least compiled.
#pragma once

#include <cstdint>
#include <initializer_list>

#define GDCLASS(type, base)
#define ERR_PRINT(message) ((void)(message))
#define D_METHOD(...) ::godot::MethodDefinition({__VA_ARGS__})
#define ADD_SIGNAL(signal) ((void)(signal))

namespace godot {

using real_t = float;

struct CharString {
    const char* get_data() const;
};
struct String {
    String(const char*);
    CharString utf8() const;
};
struct StringName {
    StringName(const char*);
};
struct Variant {
    enum Type { INT, STRING };
    Variant(int);
    Variant(const String&);
};
struct PropertyInfo {
    PropertyInfo(Variant::Type, const char*);
};
struct MethodInfo {
    template <class... Properties>
    MethodInfo(const char*, const Properties&...) {}
};
struct MethodDefinition {
    MethodDefinition(std::initializer_list<const char*>);
};
struct Vector3 {
    const real_t& operator[](int axis) const;
};
struct Quaternion {
    const real_t& operator[](int axis) const;
};
struct Basis {
    Quaternion get_rotation_quaternion() const;
};
struct Transform3D {
    Basis basis;
    Vector3 origin;
};
template <class T>
struct Ref {
    template <class Other>
    Ref(const Ref<Other>&);
    bool is_null() const;
    T* operator->() const;
};
struct Object {
    virtual ~Object() = default;
    template <class... Arguments>
    int emit_signal(const StringName&, const Arguments&...) {
        return 0;
    }
};
struct Node3D : Object {
    virtual void _physics_process(double) {}
};
struct XRTracker {};
struct XRHandTracker : XRTracker {
    enum HandJoint {};
    enum HandJointFlags {
        HAND_JOINT_FLAG_ORIENTATION_VALID = 1,
        HAND_JOINT_FLAG_ORIENTATION_TRACKED = 2,
        HAND_JOINT_FLAG_POSITION_VALID = 4,
        HAND_JOINT_FLAG_POSITION_TRACKED = 8
    };
    bool get_has_tracking_data() const;
    Transform3D get_hand_joint_transform(HandJoint) const;
    std::int64_t get_hand_joint_flags(HandJoint) const;
    float get_hand_joint_radius(HandJoint) const;
};
struct XRServer {
    static XRServer* get_singleton();
    Ref<XRTracker> get_tracker(const StringName&) const;
};
struct ClassDB {
    template <class Method>
    static void bind_method(const MethodDefinition&, Method) {}
};

}  // namespace godot
