#include "recordings/formats/point_order.h"

#include <algorithm>

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::Joint;

// HO-3D and other data sets have the 16 joints of the MANO model, then the tips. MSRA has the thumb last. FPHA has the
// knuckles first, and InterHand2.6M goes from the tips to the wrist.
constexpr std::array<PointOrder, 7> kOrders = {{
    {"HO-3D (MANO)", {0, 5, 6, 7, 9, 10, 11, 17, 18, 19, 13, 14, 15, 1, 2, 3, 4, 8, 12, 16, 20}},
    {"MSRA (thumb last)", {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 1, 2, 3, 4}},
    {"FPHA (knuckles first)", {0, 1, 5, 9, 13, 17, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, 16, 18, 19, 20}},
    {"InterHand2.6M (tips first)", {4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9, 16, 15, 14, 13, 20, 19, 18, 17, 0}},
    {"wrist, little finger to thumb", {0, 17, 18, 19, 20, 13, 14, 15, 16, 9, 10, 11, 12, 5, 6, 7, 8, 1, 2, 3, 4}},
    {"thumb to little finger, wrist", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 0}},
    {"little finger to thumb, wrist", {17, 18, 19, 20, 13, 14, 15, 16, 9, 10, 11, 12, 5, 6, 7, 8, 1, 2, 3, 4, 0}},
}};

// Two orders may have the same bones. So whatever contradicts the shape of a hand makes it as bad as longer bones.
constexpr float kContradiction = 1.5F;

// Returns the total length of the bones. It is larger if the thumb does not begin nearest to the wrist and beside the
// index finger, or if the fingers' last bones are longer than the first.
float bones_of(const LandmarkHand& hand) {
    const auto apart = [&hand](std::size_t a, std::size_t b) { return (hand.points[a] - hand.points[b]).norm(); };
    float length = 0.0F, first = 0.0F, last = 0.0F;
    std::array<float, 5> bases{};
    for (std::size_t finger = 0; finger < 5; ++finger) {
        const std::size_t base = 1 + 4 * finger;
        bases[finger] = apart(base, 0);
        length += bases[finger];
        for (std::size_t i = base; i < base + 3; ++i) length += apart(i + 1, i);
        if (finger == 0) continue;
        first += apart(base + 1, base);
        last += apart(base + 3, base + 2);
    }
    if (bases[0] > *std::min_element(bases.begin(), bases.end())) length *= kContradiction;
    if (apart(2, 17) < apart(2, 5)) length *= kContradiction;
    if (first < last) length *= kContradiction;
    return length;
}

// Does the same for all joints of a hand. Its wrist is farther from the knuckles than its palm, and nearer than its
// forearm.
float bones_of(const HandFrame& hand, bool has_forearm) {
    const auto apart = [&hand](Joint a, Joint b) { return (hand[a].position_m - hand[b].position_m).norm(); };
    float length = 0.0F;
    for (int j = static_cast<int>(Joint::thumb_metacarpal); j < tracking::kJointCount; ++j)
        length += apart(static_cast<Joint>(j), tracking::parent_of(static_cast<Joint>(j)));
    bool long_tip = false;
    for (int base = static_cast<int>(Joint::index_proximal); base < tracking::kJointCount; base += 5) {
        const auto joint = [base](int bone) { return static_cast<Joint>(base + bone); };
        long_tip = long_tip || apart(joint(3), joint(2)) > apart(joint(1), joint(0));
    }
    if (long_tip) length *= kContradiction;
    if (apart(Joint::thumb_proximal, Joint::little_proximal) < apart(Joint::thumb_proximal, Joint::index_proximal))
        length *= kContradiction;
    if (hand[Joint::palm].position_valid() &&
        (apart(Joint::wrist, Joint::middle_proximal) < apart(Joint::palm, Joint::middle_proximal)) != has_forearm)
        length *= kContradiction;
    return length;
}

// Another order must be better by this factor, so that a fist does not decide.
constexpr double kClearly = 0.9;

struct FingerOrder {
    const char* name;
    std::array<int, 5> fingers;
    bool from_tip = false;
};
constexpr std::array<FingerOrder, 4> kFingerOrders = {{{"thumb to little finger", {0, 1, 2, 3, 4}},
                                                       {"little finger to thumb", {4, 3, 2, 1, 0}},
                                                       {"index to little finger, thumb", {1, 2, 3, 4, 0}},
                                                       {"thumb to little finger from tips", {0, 1, 2, 3, 4}, true}}};

// Returns the order of joints that are given as a sequence.
JointOrder joint_order(std::string name, const std::vector<Joint>& sequence) {
    JointOrder order{std::move(name), {}};
    const std::size_t first = sequence.size() == tracking::kJointCount ? 0 : 1;
    for (std::size_t i = 0; i < sequence.size(); ++i) order.joints[i + first] = static_cast<std::uint8_t>(sequence[i]);
    return order;
}

// Returns the joints of the fingers, from the metacarpal to the tip or from there.
std::vector<Joint> joints_of_fingers(const FingerOrder& order) {
    std::vector<Joint> sequence;
    for (const int finger : order.fingers) {
        const auto begin = static_cast<std::ptrdiff_t>(sequence.size());
        for (int bone = finger == 0 ? 1 : 0; bone < 5; ++bone)
            sequence.push_back(static_cast<Joint>(1 + 5 * finger + bone));
        if (order.from_tip) std::reverse(sequence.begin() + begin, sequence.end());
    }
    return sequence;
}

// Returns the orders of whole fingers, with the wrist (and the palm) before or behind them. OpenXR's is the first.
std::vector<JointOrder> joint_orders(bool palm) {
    std::vector<JointOrder> orders;
    for (const bool wrist_last : {false, true})
        for (const bool palm_second : {false, true})
            for (const FingerOrder& order : kFingerOrders) {
                if (palm_second && !palm) continue;
                std::vector<Joint> wrist = {Joint::wrist};
                if (palm) wrist.insert(palm_second ? wrist.end() : wrist.begin(), Joint::palm);
                std::vector<Joint> sequence = joints_of_fingers(order);
                sequence.insert(wrist_last ? sequence.end() : sequence.begin(), wrist.begin(), wrist.end());
                const std::string carpus = !palm ? "wrist" : palm_second ? "wrist, palm" : "palm, wrist";
                orders.push_back(
                    joint_order(wrist_last ? order.name + (", " + carpus) : carpus + ", " + order.name, sequence));
            }
    // ARKit's joints may come without the second one of the forearm.
    if (palm) {
        std::vector<Joint> sequence = joints_of_fingers(kFingerOrders[0]);
        sequence.insert(sequence.begin(), Joint::wrist);
        sequence.push_back(Joint::palm);
        orders.push_back(joint_order("wrist, thumb to little finger, forearm", sequence));
        orders.back().has_forearm = true;
    }
    return orders;
}

void permute(const JointOrder& order, HandFrame& hand) {
    const auto before = hand.joints;
    for (std::size_t i = 0; i < before.size(); ++i) hand.joints[order.joints[i]] = before[i];
}

// Returns the total length of the bones in the order in which it is shortest.
double shortest_bones(const LandmarkHand& hand) {
    float shortest = bones_of(hand);
    for (const PointOrder& order : kOrders) {
        LandmarkHand ordered = hand;
        put_in_order(&order, ordered);
        shortest = std::min(shortest, bones_of(ordered));
    }
    return static_cast<double>(shortest);
}

// Lengths of a hand: from the wrist to the knuckles of four fingers, of the first bones of these, and from each knuckle
// to the next.
struct Proportions {
    float palm = 0.0F, first = 0.0F, across = 0.0F;
};

// In real hands, also in pictures of them, `first` is at most as long as the palm, and `across` 0.4 of it.
bool is_of_no_hand(const Proportions& hand) {
    return hand.first > hand.palm || hand.across > 0.5F * hand.palm;
}

[[noreturn]] void fail_of_no_hand(const Input& in, std::size_t points) {
    in.fail_at(0, "the " + std::to_string(points) +
                      " points are not those of a hand, in any order that is known: its palm or its fingers would be "
                      "too long; perhaps they are of a body, or no positions");
}

}  // namespace

const PointOrder* order_of_points(const std::vector<LandmarkHand>& hands) {
    std::array<double, kOrders.size()> lengths{};
    double mediapipe = 0.0;
    for (const LandmarkHand& hand : hands) {
        if (!hand.seen.all()) continue;
        mediapipe += static_cast<double>(bones_of(hand));
        for (std::size_t i = 0; i < kOrders.size(); ++i) {
            LandmarkHand ordered = hand;
            put_in_order(&kOrders[i], ordered);
            lengths[i] += static_cast<double>(bones_of(ordered));
        }
    }
    const auto best = std::min_element(lengths.begin(), lengths.end());
    return *best < kClearly * mediapipe ? &kOrders[static_cast<std::size_t>(best - lengths.begin())] : nullptr;
}

void put_in_order(const PointOrder* order, LandmarkHand& hand) {
    if (order == nullptr) return;
    const LandmarkHand before = hand;
    for (std::size_t i = 0; i < kLandmarks; ++i) {
        hand.points[order->landmarks[i]] = before.points[i];
        hand.seen.set(order->landmarks[i], before.seen.test(i));
    }
}

void note_points(const PointOrder* order, bool is_image, Assembly& out) {
    if (order != nullptr)
        out.note("Order of the 21 points of a hand, by the lengths of the bones: " + std::string(order->name) + ".");
    if (!is_image)
        out.note(
            "The axes of the 21 points were taken as MediaPipe's, with Y down and Z away from the camera: Y and Z "
            "were reversed.");
}

std::optional<JointOrder> order_of_joints(const std::vector<HandFrame>& hands) {
    std::vector<HandFrame> whole;
    for (const HandFrame& hand : hands) {
        const tracking::JointSet there = tracking::valid_positions(hand);
        const bool palm = there.test(static_cast<std::size_t>(Joint::palm));
        const bool first_palm = whole.empty() ? palm : whole[0][Joint::palm].position_valid();
        if ((there | tracking::joint_set({Joint::palm})).all() && palm == first_palm) whole.push_back(hand);
    }
    if (whole.empty()) return std::nullopt;
    std::vector<JointOrder> orders = joint_orders(whole[0][Joint::palm].position_valid());
    std::vector<double> lengths(orders.size());
    for (const HandFrame& hand : whole)
        for (std::size_t i = 0; i < orders.size(); ++i) {
            HandFrame ordered = hand;
            permute(orders[i], ordered);
            lengths[i] += static_cast<double>(bones_of(ordered, orders[i].has_forearm));
        }
    const auto best = std::min_element(lengths.begin(), lengths.end());
    if (!(*best < kClearly * lengths[0])) return std::nullopt;
    return std::move(orders[static_cast<std::size_t>(best - lengths.begin())]);
}

void put_in_order(const std::optional<JointOrder>& order, HandFrame& hand) {
    if (!order) return;
    permute(*order, hand);
    if (order->has_forearm) hand[Joint::palm] = {};
}

void refuse_points_of_no_hand(const Input& in, const PointOrder* order, const std::vector<LandmarkHand>& hands) {
    std::size_t whole = 0, none = 0;
    for (LandmarkHand hand : hands) {
        if (!hand.seen.all()) continue;
        put_in_order(order, hand);
        const auto apart = [&hand](std::size_t a, std::size_t b) { return (hand.points[a] - hand.points[b]).norm(); };
        Proportions hand_of;
        for (std::size_t base = 5; base < kLandmarks; base += 4) {
            hand_of.palm += apart(0, base);
            hand_of.first += apart(base, base + 1);
            if (base > 5) hand_of.across += apart(base - 4, base);
        }
        ++whole;
        none += is_of_no_hand(hand_of) ? 1 : 0;
    }
    if (2 * none > whole) fail_of_no_hand(in, kLandmarks);
}

void refuse_joints_of_no_hand(const Input& in, const std::optional<JointOrder>& order,
                              const std::vector<HandFrame>& hands) {
    std::size_t whole = 0, none = 0, points = 0;
    tracking::JointSet needed = tracking::joint_set({Joint::wrist});
    for (auto base = static_cast<std::size_t>(Joint::index_proximal); base < tracking::kJointCount; base += 5)
        needed.set(base).set(base + 1);
    for (HandFrame hand : hands) {
        const tracking::JointSet there = tracking::valid_positions(hand);
        if ((there & needed) != needed) continue;
        points = there.count();
        put_in_order(order, hand);
        const auto apart = [&hand](int a, int b) {
            return (hand.joints[static_cast<std::size_t>(a)].position_m -
                    hand.joints[static_cast<std::size_t>(b)].position_m)
                .norm();
        };
        Proportions hand_of;
        for (int base = static_cast<int>(Joint::index_proximal); base < tracking::kJointCount; base += 5) {
            hand_of.palm += apart(static_cast<int>(Joint::wrist), base);
            hand_of.first += apart(base, base + 1);
            if (base > static_cast<int>(Joint::index_proximal)) hand_of.across += apart(base - 5, base);
        }
        ++whole;
        none += is_of_no_hand(hand_of) ? 1 : 0;
    }
    if (2 * none > whole) fail_of_no_hand(in, points);
}

bool has_coordinates_apart(const std::vector<LandmarkHand>& hands) {
    constexpr double kFar = 0.7;  // in a hand, the bones of the wrong points are 2 times as long or more
    double as_points = 0.0, apart = 0.0;
    for (const LandmarkHand& hand : hands) {
        if (!hand.seen.all()) continue;
        as_points += shortest_bones(hand);
        apart += shortest_bones(points_of_coordinates(hand));
    }
    return apart < kFar * as_points;
}

LandmarkHand points_of_coordinates(const LandmarkHand& read_as_points) {
    LandmarkHand hand = read_as_points;
    hand.seen.reset();
    for (std::size_t i = 0; i < kLandmarks; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t at = axis * kLandmarks + i;
            hand.points[i][static_cast<Eigen::Index>(axis)] =
                read_as_points.points[at / 3][static_cast<Eigen::Index>(at % 3)];
        }
        hand.seen.set(i, hand.points[i].allFinite());
    }
    return hand;
}

void note_coordinates_apart(Assembly& out) {
    out.note("By the lengths of the bones, the 63 numbers of a hand are all x, then all y, then all z.");
}

void note_joints(const std::optional<JointOrder>& order, Assembly& out) {
    if (order) out.note("Order of the joints of a hand, by the lengths of the bones: " + order->name + ".");
}

}  // namespace glovebox::recordings
