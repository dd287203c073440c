// Writes binary FBX files of animated skeletons, from the format's description and not from the reader.
#pragma once

#include <zlib.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "recordings/recording.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {

struct FbxRecipe {
    std::uint32_t version = 7400;
    bool deflate = true;
    double unit_cm = 1.0;
    bool z_up = false;               ///< as 3ds Max writes
    bool settings = true;            ///< pre-rotations, post-rotations and other orders than XYZ
    bool pivots = false;             ///< rotation offset and pivot
    std::int64_t first_tick = 7777;  ///< time of the first key
};

class FbxBytes {
  public:
    explicit FbxBytes(const FbxRecipe& recipe) : recipe_(recipe) {}

    template <class Number>
    static std::string plain(Number value) {
        return {reinterpret_cast<const char*>(&value), sizeof value};
    }
    static std::string integer(std::int32_t value) { return "I" + plain(value); }
    static std::string id(std::int64_t value) { return "L" + plain(value); }
    static std::string real(double value) { return "D" + plain(value); }
    static std::string text(const std::string& value) {
        return "S" + plain(static_cast<std::uint32_t>(value.size())) + value;
    }
    template <class Number>
    std::string array(char type, const std::vector<Number>& values) const {
        const std::string numbers(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
        std::string stored = numbers;
        if (recipe_.deflate) {
            uLongf size = compressBound(numbers.size());
            stored.resize(size);
            compress(reinterpret_cast<Bytef*>(stored.data()), &size, reinterpret_cast<const Bytef*>(numbers.data()),
                     numbers.size());
            stored.resize(size);
        }
        return type + plain(static_cast<std::uint32_t>(values.size())) + plain(std::uint32_t{recipe_.deflate}) +
               plain(static_cast<std::uint32_t>(stored.size())) + stored;
    }

    // The bytes hold absolute positions, so that records are written outermost first.
    void record(const std::string& name, const std::vector<std::string>& properties,
                const std::function<void()>& inside = {}) {
        const std::size_t start = bytes.size(), word = recipe_.version >= 7500 ? 8 : 4;
        std::string all;
        for (const std::string& property : properties) all += property;
        put(0);
        put(properties.size());
        put(all.size());
        bytes += static_cast<char>(name.size());
        bytes += name + all;
        if (inside) {
            inside();
            bytes.append(3 * word + 1, '\0');
        }
        const std::string end = word == 8 ? plain(static_cast<std::uint64_t>(bytes.size()))
                                          : plain(static_cast<std::uint32_t>(bytes.size()));
        bytes.replace(start, word, end);
    }
    void property(const std::string& name, const std::string& type, const std::vector<std::string>& values) {
        std::vector<std::string> all = {text(name), text(type), text(""), text("A")};
        all.insert(all.end(), values.begin(), values.end());
        record("P", all);
    }
    void property(const std::string& name, const Eigen::Vector3d& v) {
        property(name, "Vector3D", {real(v.x()), real(v.y()), real(v.z())});
    }

    std::string bytes;

  private:
    void put(std::size_t value) {
        bytes += recipe_.version >= 7500 ? plain(static_cast<std::uint64_t>(value))
                                         : plain(static_cast<std::uint32_t>(value));
    }
    FbxRecipe recipe_;
};

/// A node with its poses relative to its parent, one for each frame. The translation of a frame is in the file's unit.
struct FbxBone {
    std::string name;
    int parent = -1;
    std::vector<Eigen::Isometry3d> local;
};

inline Eigen::Matrix3d turned(const Eigen::Vector3d& degrees) {
    const Eigen::Vector3d rad = degrees * std::numbers::pi / 180.0;
    return (Eigen::AngleAxisd(rad.z(), Eigen::Vector3d::UnitZ()) *
            Eigen::AngleAxisd(rad.y(), Eigen::Vector3d::UnitY()) * Eigen::AngleAxisd(rad.x(), Eigen::Vector3d::UnitX()))
        .toRotationMatrix();
}

/// `ticks` are the times of the frames in 1/46186158000 s.
inline std::string fbx(const std::vector<FbxBone>& bones, const std::vector<std::int64_t>& ticks,
                       const FbxRecipe& recipe = {}) {
    FbxBytes file(recipe);
    using B = FbxBytes;
    file.bytes = std::string("Kaydara FBX Binary  \0\x1A\0", 23) + B::plain(recipe.version);
    file.record("FBXHeaderExtension", {}, [&] {
        file.record("FBXHeaderVersion", {B::integer(1003)});
        file.record("FBXVersion", {B::integer(static_cast<std::int32_t>(recipe.version))});
    });
    file.record("GlobalSettings", {}, [&] {
        file.record("Properties70", {}, [&] {
            const auto axis = [&](const std::string& name, int value, int sign) {
                file.property(name, "int", {B::integer(value)});
                file.property(name + "Sign", "int", {B::integer(sign)});
            };
            axis("UpAxis", recipe.z_up ? 2 : 1, 1);
            axis("FrontAxis", recipe.z_up ? 1 : 2, recipe.z_up ? -1 : 1);
            axis("CoordAxis", 0, 1);
            file.property("UnitScaleFactor", "double", {B::real(recipe.unit_cm)});
        });
    });
    // Orders by which the first letter turns first: the axes of Eigen's product from left to right are its reverse.
    constexpr std::array<std::array<int, 3>, 6> kOrders = {
        {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
    constexpr std::int64_t kStack = 1, kLayer = 2, kFirstModel = 1000, kFirstCurve = 1'000'000;
    std::vector<std::vector<std::string>> connections = {{B::text("OO"), B::id(kLayer), B::id(kStack)}};
    file.record("Objects", {}, [&] {
        const auto named = [](const std::string& name, const std::string& kind) {
            return B::text(name + std::string("\0\1", 2) + kind);
        };
        file.record("AnimationStack", {B::id(kStack), named("Take 001", "AnimStack"), B::text("")}, [] {});
        file.record("AnimationLayer", {B::id(kLayer), named("BaseLayer", "AnimLayer"), B::text("")}, [] {});
        std::int64_t next = kFirstCurve;
        for (std::size_t b = 0; b < bones.size(); ++b) {
            const FbxBone& bone = bones[b];
            const auto n = static_cast<double>(b);
            const std::int64_t model = kFirstModel + static_cast<std::int64_t>(b);
            const int order = recipe.settings ? static_cast<int>(b % 6) : 0;
            const Eigen::Vector3d pre = recipe.settings ? Eigen::Vector3d(10 * n, -7 * n, 90) : Eigen::Vector3d::Zero();
            const Eigen::Vector3d post = recipe.settings ? Eigen::Vector3d(3 * n, 5, -n) : Eigen::Vector3d::Zero();
            const Eigen::Vector3d offset = recipe.pivots ? Eigen::Vector3d(0.2, -0.1, 0.01 * n) : post * 0.0;
            const Eigen::Vector3d pivot = recipe.pivots ? Eigen::Vector3d(-0.3, 0.02 * n, 0.5) : post * 0.0;
            std::array<std::array<std::vector<float>, 3>, 2> keys;
            for (const Eigen::Isometry3d& pose : bone.local) {
                const Eigen::Matrix3d inner = turned(pre).transpose() * pose.linear() * turned(post);
                const auto& axes = kOrders[static_cast<std::size_t>(order)];
                const Eigen::Vector3d angles = inner.eulerAngles(axes[2], axes[1], axes[0]) * 180.0 / std::numbers::pi;
                // A pivot moves the node's origin: offset + pivot - rotation * pivot.
                const Eigen::Vector3d at = pose.translation() - offset - pivot + pose.linear() * pivot;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    keys[0][axis].push_back(static_cast<float>(at[static_cast<Eigen::Index>(axis)]));
                    keys[1][static_cast<std::size_t>(axes[2 - axis])].push_back(
                        static_cast<float>(angles[static_cast<Eigen::Index>(axis)]));
                }
            }
            file.record("Model", {B::id(model), named(bone.name, "Model"), B::text("LimbNode")}, [&] {
                file.record("Properties70", {}, [&] {
                    file.property("RotationOrder", "enum", {B::integer(order)});
                    file.property("RotationActive", "bool", {B::integer(recipe.settings ? 1 : 0)});
                    if (recipe.settings) file.property("PreRotation", pre);
                    if (recipe.settings) file.property("PostRotation", post);
                    if (recipe.pivots) file.property("RotationOffset", offset);
                    if (recipe.pivots) file.property("RotationPivot", pivot);
                    file.property("Lcl Translation", Eigen::Vector3d(keys[0][0][0], keys[0][1][0], keys[0][2][0]));
                    file.property("Lcl Rotation", Eigen::Vector3d(keys[1][0][0], keys[1][1][0], keys[1][2][0]));
                });
            });
            connections.push_back(
                {B::text("OO"), B::id(model), B::id(bone.parent < 0 ? 0 : kFirstModel + bone.parent)});
            for (std::size_t p = 0; p < 2; ++p) {
                const std::int64_t node = next++;
                file.record("AnimationCurveNode",
                            {B::id(node), named(p == 0 ? "T" : "R", "AnimCurveNode"), B::text("")}, [&] {
                                file.record("Properties70", {}, [&] {
                                    for (std::size_t axis = 0; axis < 3; ++axis)
                                        file.property(std::string("d|") + "XYZ"[axis], "Number",
                                                      {B::real(static_cast<double>(keys[p][axis][0]))});
                                });
                            });
                connections.push_back({B::text("OO"), B::id(node), B::id(kLayer)});
                connections.push_back(
                    {B::text("OP"), B::id(node), B::id(model), B::text(p == 0 ? "Lcl Translation" : "Lcl Rotation")});
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const std::int64_t curve = next++;
                    file.record("AnimationCurve", {B::id(curve), named("", "AnimCurve"), B::text("")}, [&] {
                        file.record("Default", {B::real(0.0)});
                        file.record("KeyVer", {B::integer(4008)});
                        file.record("KeyTime", {file.array('l', ticks)});
                        file.record("KeyValueFloat", {file.array('f', keys[p][axis])});
                        file.record("KeyAttrFlags", {file.array('i', std::vector<std::int32_t>{0x4})});
                        file.record("KeyAttrDataFloat", {file.array('f', std::vector<float>(4))});
                        file.record("KeyAttrRefCount",
                                    {file.array('i', std::vector<std::int32_t>{static_cast<int>(ticks.size())})});
                    });
                    connections.push_back(
                        {B::text("OP"), B::id(curve), B::id(node), B::text(std::string("d|") + "XYZ"[axis])});
                }
            }
        }
    });
    file.record("Connections", {}, [&] {
        for (const std::vector<std::string>& connection : connections) file.record("C", connection);
    });
    file.bytes.append(recipe.version >= 7500 ? 25 : 13, '\0');
    return file.bytes;
}

/// Returns the skeletons of a recording's hands below one root, "Armature", which turns and lies elsewhere. Joints that
/// are lost stay where they were.
inline std::vector<FbxBone> fbx_bones(const Recording& recording, const FbxRecipe& recipe) {
    const double unit_m = 0.01 * recipe.unit_cm;
    Eigen::Isometry3d file_from_ours = Eigen::Isometry3d::Identity();
    if (recipe.z_up) file_from_ours.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    Eigen::Isometry3d root = Eigen::Isometry3d::Identity();
    root.linear() = turned({-90, 20, 5});
    root.translation() = Eigen::Vector3d(30, 10, -4);
    std::vector<FbxBone> bones = {{"Armature", -1, std::vector(recording.samples.size(), root)}};
    for (const tracking::Side side : tracking::kSides) {
        if (!recording.has(side)) continue;
        const auto first = static_cast<int>(bones.size());
        std::vector<std::vector<Eigen::Isometry3d>> world(tracking::kJointCount);
        for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
            for (const tracking::HandPair& sample : recording.samples) {
                const tracking::JointPose& joint = sample[side].joints[j];
                Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
                pose.linear() = joint.orientation.normalized().toRotationMatrix().cast<double>();
                pose.translation() = joint.position_m.cast<double>() / unit_m;
                world[j].push_back(file_from_ours * pose);
            }
            const auto joint = static_cast<tracking::Joint>(j);
            const bool base = j == 0 || j == 2 || j == 6 || j == 11 || j == 16 || j == 21;
            const int parent = joint == tracking::Joint::wrist ? 0 : first + (base ? 1 : static_cast<int>(j) - 1);
            bones.push_back({std::string(name_of(side)) + "_" + std::string(name_of(joint)), parent, {}});
        }
        for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
            FbxBone& bone = bones[static_cast<std::size_t>(first) + j];
            for (std::size_t i = 0; i < recording.samples.size(); ++i) {
                const Eigen::Isometry3d parent =
                    bone.parent == 0 ? root : world[static_cast<std::size_t>(bone.parent - first)][i];
                bone.local.push_back(parent.inverse() * world[j][i]);
            }
        }
    }
    return bones;
}

inline std::vector<std::int64_t> fbx_ticks(const Recording& recording, const FbxRecipe& recipe) {
    std::vector<std::int64_t> ticks;
    for (const tracking::HandPair& sample : recording.samples)
        ticks.push_back(recipe.first_tick + std::llround(static_cast<double>(sample.time_ns) * 46.186158));
    return ticks;
}

inline std::string fbx(const Recording& recording, const FbxRecipe& recipe = {}) {
    return fbx(fbx_bones(recording, recipe), fbx_ticks(recording, recipe), recipe);
}

inline Recording closing_hands(int frames) {
    Recording recording;
    for (int i = 0; i < frames; ++i) {
        tracking::HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = 20'000'000LL * i;
        for (const tracking::Side side : tracking::kSides) sample[side] = closing_hand(i, side);
    }
    return recording;
}

}  // namespace glovebox::recordings
