#include "recordings/user_profile.h"

#include <cmath>

#include "recordings/json.h"
#include "recordings/parse.h"
#include "recordings/writer.h"

namespace glovebox::recordings {
namespace {

using tracking::kJointCount;
using tracking::Side;
using tracking::UserHand;

constexpr std::size_t kMaxProfileBytes = 1 << 20;
constexpr std::size_t kMaxSensors = 64;
constexpr float kLongestBone_m = 0.3F;

// Reads 26 plausible lengths. Returns false if there is no such member.
bool read_lengths(const Input& in, const Json& hand, const char* name, std::array<float, kJointCount>& values) {
    const Json* list = json_member(hand, name);
    if (list == nullptr) return false;
    if (!json_numbers(*list, kJointCount, values.data())) in.fail(std::string(name) + " is not a list of 26 numbers");
    for (const float value : values)
        if (!(value >= 0.0F && value <= kLongestBone_m))
            in.fail(std::string(name) + " has a length outside 0 to 0.3 m");
    return true;
}

void read_sensors(const Input& in, const Json& hand, UserHand& user) {
    const Json* list = json_member(hand, "sensors");
    if (list == nullptr) return;
    if (!list->is_array() || list->size() > kMaxSensors) in.fail("sensors is not a list of at most 64 sensors");
    for (const Json& item : *list) {
        double gain = 0.0, bias = 0.0;
        if (!json_number(item, "gain_rad", gain) || !json_number(item, "bias_rad", bias) || !std::isfinite(gain) ||
            !std::isfinite(bias))
            in.fail("a sensor has no gain_rad and bias_rad");
        user.sensors.push_back({static_cast<float>(gain), static_cast<float>(bias)});
    }
}

void read_tracker(const Input& in, const Json& hand, UserHand& user) {
    const Json* tracker = json_member(hand, "tracker_from_wrist");
    if (tracker == nullptr) return;
    std::array<float, 3> p{};
    std::array<float, 4> q{};
    const Json* position = json_member(*tracker, "position_m");
    const Json* quaternion = json_member(*tracker, "quaternion_xyzw");
    if (position == nullptr || quaternion == nullptr || !json_numbers(*position, 3, p.data()) ||
        !json_numbers(*quaternion, 4, q.data()))
        in.fail("tracker_from_wrist has no position_m (3 numbers) and quaternion_xyzw (4 numbers)");
    const Eigen::Quaternionf turn(q[3], q[0], q[1], q[2]);
    const Eigen::Vector3f offset_m(p[0], p[1], p[2]);
    if (!offset_m.allFinite() || !(std::abs(turn.norm() - 1.0F) < 0.01F))
        in.fail("tracker_from_wrist is no rigid motion: the quaternion must have length 1");
    user.tracker_from_wrist = Eigen::Translation3f(offset_m) * turn.normalized();
    json_number(*tracker, "lag_s", user.tracker_lag_s);
    if (!(std::abs(user.tracker_lag_s) < 10.0)) in.fail("lag_s is outside -10 to 10 s");
}

// Reads "bones": 20 lists of eight numbers, a bone's offsets of both ends and its radii.
void read_shape(const Input& in, const Json& hand, tracking::HandProfile& profile) {
    const Json* list = json_member(hand, "bones");
    if (list == nullptr) return;
    if (!list->is_array() || list->size() != tracking::kBoneCount) in.fail("bones is not a list of 20 bones");
    tracking::HandShape& shape = profile.shape.emplace();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        tracking::BoneNumbers numbers;
        if (!json_numbers((*list)[i], numbers.size(), numbers.data()))
            in.fail("a bone is not a list of 8 numbers: offsets of both ends and two radii");
        const auto bone = tracking::bone_of_numbers(numbers);
        if (!bone) in.fail("a bone has an offset or a radius of more than 0.2 m, or a negative radius");
        shape[i] = *bone;
    }
}

UserHand read_hand(const Input& in, const Json& json) {
    UserHand user;
    tracking::HandProfile hand = tracking::default_profile();
    const bool radii = read_lengths(in, json, "radius_m", hand.radius_m);
    const bool lengths = read_lengths(in, json, "length_to_parent_m", hand.length_to_parent_m);
    if (const Json* origin = json_member(json, "origin"); origin != nullptr && origin->is_string())
        hand.origin = origin->get<std::string>();
    read_shape(in, json, hand);
    if (radii || lengths || hand.shape) user.hand = hand;
    read_sensors(in, json, user);
    read_tracker(in, json, user);
    return user;
}

Json numbers(std::span<const float> values) {
    Json list = Json::array();
    for (const float value : values) list.push_back(static_cast<double>(value));
    return list;
}

Json write_hand(const UserHand& user) {
    Json json = Json::object();
    if (user.hand) {
        json["radius_m"] = numbers(user.hand->radius_m);
        json["length_to_parent_m"] = numbers(user.hand->length_to_parent_m);
        json["origin"] = user.hand->origin;
        if (user.hand->shape)
            for (const tracking::BoneShape& bone : *user.hand->shape)
                json["bones"].push_back(numbers(tracking::numbers_of(bone)));
    }
    for (const tracking::SensorCalibration& sensor : user.sensors)
        json["sensors"].push_back({{"gain_rad", sensor.gain_rad}, {"bias_rad", sensor.bias_rad}});
    if (!user.tracker_from_wrist.matrix().isIdentity() || user.tracker_lag_s != 0.0) {
        const Eigen::Vector3f p = user.tracker_from_wrist.translation();
        const Eigen::Vector4f q = Eigen::Quaternionf(user.tracker_from_wrist.linear()).coeffs();
        json["tracker_from_wrist"] = {{"position_m", numbers({p.data(), 3})},
                                      {"quaternion_xyzw", numbers({q.data(), 4})},
                                      {"lag_s", user.tracker_lag_s}};
    }
    return json;
}

}  // namespace

tracking::UserProfile load_user_profile(const std::filesystem::path& path) {
    refuse_pipe(path);
    Input in(path);
    tracking::UserProfile user;
    const std::string text = in.read_all(kMaxProfileBytes);
    if (!trimmed(text).starts_with('{')) {
        try {
            user[Side::left].sensors = user[Side::right].sensors = tracking::parse_calibration(text);
        } catch (const std::runtime_error& error) {
            in.fail("neither a user profile (`glovebox calibrate` makes one) nor a CyberGlove calibration (" +
                    std::string(error.what()) + ")");
        }
        return user;
    }
    const Json json = parse_json(in, text);
    double version = 0.0;
    if (!json_number(json, "glovebox_profile", version)) in.fail("not a user profile: it has no glovebox_profile");
    if (version != 1.0) in.fail("the profile has a version that this program does not know; it knows 1");
    if (const Json* name = json_member(json, "name"); name != nullptr && name->is_string())
        user.name = name->get<std::string>();
    const Json* hands = json_member(json, "hands");
    if (hands == nullptr || !hands->is_object()) in.fail("the profile has no hands");
    for (const Side side : {Side::left, Side::right})
        if (const Json* hand = json_member(*hands, std::string(name_of(side)).c_str()))
            user[side] = read_hand(in, *hand);
    return user;
}

void save_user_profile(const tracking::UserProfile& user, const std::filesystem::path& path) {
    Json json = {{"glovebox_profile", 1}, {"name", user.name}, {"hands", Json::object()}};
    for (const Side side : {Side::left, Side::right})
        if (Json hand = write_hand(user[side]); !hand.empty()) json["hands"][std::string(name_of(side))] = hand;
    Output out(path);
    out.write(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    out.commit();
}

void use_bones(const tracking::UserProfile& user, Recording& recording) {
    for (const Side side : tracking::kSides)
        if (const auto& hand = user[side].hand) recording.profiles[side] = *hand;
}

}  // namespace glovebox::recordings
