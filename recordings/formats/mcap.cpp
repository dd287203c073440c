// Two kinds of messages are read. JSON messages are frames of hand_json.h; a channel's name may contain the side.
// Isaac Teleop writes one FlatBuffers record per hand and frame, core.HandPoseRecord, to the channels
// hands/left_hand and hands/right_hand: a table with the 26 joints of OpenXR as structs, or none while the hand is
// lost. Hands of different channels within half a step are one sample.
#include "recordings/formats/mcap.h"

#include <algorithm>
#include <map>

#include "recordings/collect.h"
#include "recordings/formats/byte_reader.h"
#include "recordings/formats/hand_json.h"
#include "recordings/formats/mcap_file.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr std::size_t kMaxMcapBytes = std::size_t{1} << 30;
constexpr std::string_view kMcapMagic("\x89MCAP0\r\n", 8);
constexpr std::string_view kIsaacSchema = "core.HandPoseRecord", kIsaacEncoding = "flatbuffer";

// Returns the position of a field of a FlatBuffers table; 0 if the table does not have it or is damaged.
std::size_t field_at(std::string_view bytes, std::size_t table, std::size_t field) {
    ByteReader at_table(bytes, table);
    const auto to_vtable = at_table.number<std::int32_t>();
    const std::int64_t vtable = static_cast<std::int64_t>(table) - to_vtable;
    if (!at_table.ok() || vtable < 0) return 0;
    ByteReader from(bytes, static_cast<std::size_t>(vtable));
    const std::size_t size = from.integer(2);
    if (!from.ok() || size < 4 + 2 * (field + 1)) return 0;
    ByteReader entry(bytes, static_cast<std::size_t>(vtable) + 4 + 2 * field);
    const std::size_t offset = entry.integer(2);
    return entry.ok() && offset > 0 ? table + offset : 0;
}

// Reads a core.HandPoseRecord. A record without joints is a lost hand.
FoundHand hand_of_isaac(const Input& in, std::string_view record) {
    FoundHand hand;
    ByteReader root(record);
    const std::size_t table = root.integer(4);
    if (!root.ok() || table + 4 > record.size()) in.fail("a hand's record is damaged");
    const std::size_t data = field_at(record, table, 0);
    if (data == 0) return hand;
    ByteReader to_pose(record, data);
    const std::size_t pose = data + to_pose.integer(4);
    const std::size_t joints = to_pose.ok() ? field_at(record, pose, 0) : 0;
    if (joints == 0) return hand;
    ByteReader from(record, joints);
    for (tracking::JointPose& joint : hand.joints.joints) {
        for (Eigen::Index i = 0; i < 3; ++i) joint.position_m[i] = from.number<float>();
        for (Eigen::Index i = 0; i < 4; ++i) joint.orientation.coeffs()[i] = from.number<float>();  // x y z w
        const bool valid = from.integer(1) != 0;
        from.skip(3);
        joint.radius_m = from.number<float>();
        joint.flags = valid ? tracking::joint_flags::kAll : std::uint8_t{0};
        hand.joints.active = hand.joints.active || valid;
    }
    if (!from.ok()) in.fail("a hand's record is damaged");
    return hand;
}

struct HandMessage {
    std::int64_t time_ns = 0;
    const McapChannel* channel = nullptr;
    FoundHand hand;
};

// Returns half the median step of the messages of one channel.
std::int64_t half_step_ns(const std::vector<HandMessage>& messages) {
    std::map<const McapChannel*, std::int64_t> last;
    std::vector<std::int64_t> steps;
    for (const HandMessage& message : messages) {
        const auto [before, first] = last.try_emplace(message.channel, message.time_ns);
        if (!first && message.time_ns > before->second) steps.push_back(message.time_ns - before->second);
        before->second = message.time_ns;
    }
    if (steps.empty()) return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return *middle / 2;
}

// Joins the hands of different channels that belong to one instant. `messages` are in time order.
void take_samples(std::vector<HandMessage>& messages, FoundHands& found) {
    const std::int64_t near_ns = half_step_ns(messages);
    FoundFrame frame;
    std::vector<const McapChannel*> channels;
    const auto flush = [&] {
        if (frame.time) found.take(std::move(frame));
        frame = {};
        channels.clear();
    };
    for (HandMessage& message : messages) {
        const bool again = std::find(channels.begin(), channels.end(), message.channel) != channels.end();
        const bool same_document = again && *frame.time->exact_ns == message.time_ns && frame.hands.size() < 2;
        if (frame.time && ((again && !same_document) || message.time_ns - *frame.time->exact_ns > near_ns)) flush();
        if (!frame.time) frame.time = FoundTime{static_cast<double>(message.time_ns), 1.0, message.time_ns};
        channels.push_back(message.channel);
        frame.hands.push_back(std::move(message.hand));
    }
    flush();
}

}  // namespace

bool is_mcap(std::string_view head, std::uintmax_t) {
    return head.starts_with(kMcapMagic);
}

void read_mcap(Input& in, const ImportOptions& options, Assembly& out) {
    const std::string bytes = in.read_all(kMaxMcapBytes);
    std::vector<HandMessage> messages;
    std::map<std::string, McapChannel> channels;  // by topic
    const bool whole =
        read_mcap_messages(in, bytes, [&](const McapChannel& channel, std::int64_t time_ns, std::string_view data) {
            const McapChannel& kept = channels.try_emplace(channel.topic, channel).first->second;
            const auto side = tracking::side_of_name(channel.topic + ".");
            const auto keep = [&](FoundHand hand) {
                if (!hand.side) hand.side = side;
                collect(HandMessage{time_ns, &kept, std::move(hand)}, in, options, messages);
            };
            if (channel.encoding == "json")
                for (FoundHand& hand : frame_of_json(in, data).hands) keep(std::move(hand));
            else if (channel.encoding == kIsaacEncoding && channel.schema == kIsaacSchema)
                keep(hand_of_isaac(in, data));
        });
    if (messages.empty()) {
        std::string topics;
        for (const auto& [topic, channel] : channels)
            if (topics.size() < 200)
                topics.append(topics.empty() ? "" : ", ")
                    .append(excerpt(topic, 40))
                    .append(" ")
                    .append(excerpt(channel.encoding));
        const std::string reason = "no channel of this MCAP file has hands (" + topics +
                                   "); JSON messages and Isaac Teleop's core.HandPoseRecord are read";
        if (!whole) in.fail_cut(reason);
        in.fail(reason);
    }
    std::stable_sort(messages.begin(), messages.end(),
                     [](const HandMessage& a, const HandMessage& b) { return a.time_ns < b.time_ns; });
    FoundHands found(in, options, out);
    take_samples(messages, found);
    found.finish("no message of the MCAP file has a hand");
    if (!whole) in.fail_cut("the MCAP file is cut off");
}

}  // namespace glovebox::recordings
