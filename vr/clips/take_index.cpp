#include "vr/clips/take_index.h"

#include <atomic>
#include <bit>
#include <cstring>
#include <map>
#include <sstream>
#include <vector>

#include "collision/mesh/hash.h"
#include "recordings/output.h"
#include "scenes/bone_poses.h"
#include "scenes/hand_body.h"
#include "tracking/guard.h"
#include "tracking/hand_profile.h"
#include "vr/platform/mapped_file.h"
#include "vr/session/log_meta.h"

namespace glovebox::vr {
namespace {

namespace clips = collision::clips;
using collision::hash_bytes;
using tracking::HandFrame;
using tracking::HandPair;
using tracking::Joint;
using tracking::Side;

static_assert(std::endian::native == std::endian::little, "index files are little-endian");

constexpr std::array<char, 8> kMagic = {'G', 'B', 'X', 'T', 'O', 'U', 'C', 'H'};
constexpr std::uint32_t kVersion = 7;
constexpr std::size_t kAlignment = 64;
// Frames are hashed in blocks of a tree leaf, because a search reads whole leaves.
constexpr int kBlockFrames = clips::SweptTree::kLeafFrames;
// Cones, the bulk of a tree, are hashed in blocks of nodes: a search reads few of them, and opening reads none. Nodes
// that a search visits are close together in small groups, so larger blocks would mostly be hashed in vain.
constexpr std::size_t kBlockCones = 4 * scenes::kHandBoneCount;

// One hand of one frame: 26 positions with radii, the wrist's orientation (equal to the palm's), and validity flags.
struct PackedHand {
    std::array<std::array<float, 4>, tracking::kJointCount> joints;  // x y z radius
    std::array<float, 4> wrist_orientation;                          // x y z w
    std::uint32_t position_valid;                                    // a bit per joint
    std::uint32_t active;
};
static_assert(sizeof(PackedHand) == 440);

// The orientations of a hand's joints. They are stored only if the hand's bones are fitted to a skin, because nothing
// else needs them.
struct PackedAxes {
    std::array<std::array<float, 4>, tracking::kJointCount> orientations;  // x y z w
    std::uint32_t valid;                                                   // a bit per joint
};
static_assert(sizeof(PackedAxes) == 420);
static_assert(sizeof(clips::SweptNode) == 12 && sizeof(collision::Aabb) == 24 && sizeof(collision::RoundCone) == 32);

struct PackedPlacement {
    std::uint32_t kind = 0, side = 0;
    std::array<float, 9> turn{};    // columns
    std::array<float, 3> move_m{};  // for a scene with its anchor at the origin
    std::array<float, 3> wrist_m{};
};

struct Section {
    std::uint64_t offset = 0, bytes = 0, hash = 0;
};

// Per hand there is a tree in the recording's frame and one in the held wrist's frame; each is stored in four sections.
enum SectionKind : std::size_t {
    kTimes = 0,
    kHands = 1,
    kBlockHashes = 3,
    kMeta = 5,  // the log's placement of its hands: key, zero, value, zero
    kAxes = 6,
    kShapes = 8,  // of the bones, as fitted to the user's skin; empty: from joints and radii
    kTrees = 10,
    kSectionCount = kTrees + 2 * 2 * 4
};
enum TreePart : std::size_t { kNodes, kBoxes, kCones, kConeHashes, kTreeParts };
enum Space : std::size_t { kRecorded, kWrist };

std::size_t tree_number(Side side, Space space) {
    return 2 * static_cast<std::size_t>(side) + static_cast<std::size_t>(space);
}
std::size_t tree_section(Side side, Space space, TreePart part) {
    return kTrees + kTreeParts * tree_number(side, space) + part;
}
bool is_cones(std::size_t section) {
    return section >= kTrees && (section - kTrees) % kTreeParts == kCones;
}

struct Header {
    std::array<char, 8> magic = kMagic;
    std::uint32_t version = kVersion;
    std::int32_t frames = 0;
    LogStamp stamp;
    std::array<std::uint32_t, 2> has_hand{};
    std::uint32_t in_scene = 0;  ///< recorded in a scene's own frame: never placed
    std::uint32_t unused = 0;
    PackedPlacement fingertips, wrist;
    std::array<Section, kSectionCount> sections{};
    std::uint64_t hash = 0;  // of all fields before
};

template <class T>
std::vector<std::uint64_t> hashes_of_blocks(std::span<const T> all, std::size_t block) {
    std::vector<std::uint64_t> hashes;
    for (std::size_t k = 0; k < all.size(); k += block)
        hashes.push_back(hash_bytes(std::as_bytes(all.subspan(k, std::min(block, all.size() - k)))));
    return hashes;
}

std::uint64_t hash_of_file(const std::filesystem::path& path) {
    const MappedFile file(path);
    return hash_bytes(file.bytes());
}

std::int64_t change_time_ns(const std::filesystem::path& path) {
    return std::filesystem::last_write_time(path).time_since_epoch().count();
}

std::uint64_t hash_of_header(const Header& header) {
    return hash_bytes(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, hash)));
}

PackedHand packed(const HandFrame& hand) {
    PackedHand out{};
    if (!hand.active) return out;
    out.active = 1;
    for (std::size_t i = 0; i < out.joints.size(); ++i) {
        const tracking::JointPose& joint = hand.joints[i];
        out.joints[i] = {joint.position_m.x(), joint.position_m.y(), joint.position_m.z(), joint.radius_m};
        if (joint.position_valid()) out.position_valid |= 1U << i;
    }
    const Eigen::Quaternionf& q = hand[Joint::wrist].orientation;
    out.wrist_orientation = {q.x(), q.y(), q.z(), q.w()};
    return out;
}

constexpr std::uint32_t kAllJoints = (1U << tracking::kJointCount) - 1U;

PackedAxes packed_axes(const HandFrame& hand) {
    PackedAxes out{};
    for (std::size_t i = 0; i < out.orientations.size() && hand.active; ++i) {
        const Eigen::Quaternionf& q = hand.joints[i].orientation;
        out.orientations[i] = {q.x(), q.y(), q.z(), q.w()};
        if (hand.joints[i].orientation_valid()) out.valid |= 1U << i;
    }
    return out;
}

// Unpacks the orientations of the requested joints, after their positions.
void unpack(const PackedAxes& in, std::uint32_t joints, HandFrame& hand) {
    for (std::uint32_t left = joints; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        const auto& q = in.orientations[i];
        hand.joints[i].orientation = Eigen::Quaternionf(q[3], q[0], q[1], q[2]);
        if ((in.valid >> i & 1U) != 0) hand.joints[i].flags |= tracking::joint_flags::kOrientationValid;
    }
}

// Unpacks the requested joints (bit: number) and the wrist's orientation.
void unpack(const PackedHand& in, Side side, std::uint32_t joints, HandFrame& hand) {
    hand.side = side;
    hand.active = in.active != 0;
    for (std::uint32_t left = joints; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        tracking::JointPose& joint = hand.joints[i];
        joint.position_m = {in.joints[i][0], in.joints[i][1], in.joints[i][2]};
        joint.radius_m = in.joints[i][3];
        joint.flags = (in.position_valid >> i & 1U) != 0 ? tracking::joint_flags::kPositionValid : 0;
    }
    const auto& q = in.wrist_orientation;
    if (hand.active) hand[Joint::wrist].orientation = Eigen::Quaternionf(q[3], q[0], q[1], q[2]);
}

PackedPlacement packed(const scenes::HandPlacement& placement) {
    PackedPlacement out;
    out.kind = static_cast<std::uint32_t>(placement.kind);
    out.side = static_cast<std::uint32_t>(placement.side);
    Eigen::Map<Eigen::Matrix3f>(out.turn.data()) = placement.scene_from_recording.linear();
    Eigen::Map<Eigen::Vector3f>(out.move_m.data()) = placement.scene_from_recording.translation();
    Eigen::Map<Eigen::Vector3f>(out.wrist_m.data()) = placement.scene_from_wrist.translation();
    return out;
}

// find_placement() computes the anchor plus a part that depends on the recording alone; the latter is stored.
scenes::HandPlacement unpacked(const PackedPlacement& in, const Eigen::Vector3f& anchor_m) {
    scenes::HandPlacement out;
    out.kind = static_cast<scenes::Placement>(in.kind);
    out.side = static_cast<Side>(in.side);
    if (out.kind == scenes::Placement::fingertips) {
        out.scene_from_recording.linear() = Eigen::Map<const Eigen::Matrix3f>(in.turn.data());
        out.scene_from_recording.translation() = anchor_m + Eigen::Map<const Eigen::Vector3f>(in.move_m.data());
    } else if (out.kind == scenes::Placement::wrist) {
        out.scene_from_wrist.translation() = anchor_m + Eigen::Map<const Eigen::Vector3f>(in.wrist_m.data());
    }
    return out;
}

scenes::HandPlacement placement_at_origin(scenes::Placement kind, std::span<const HandPair> samples) {
    scenes::Scene scene;
    scene.placement = kind;
    scene.anchor_m.setZero();
    return scenes::find_placement(scene, samples);
}

// Does exactly what a replay's ingest stage does to a sample before placement.
std::vector<HandPair> ingested(const recordings::Recording& recording) {
    std::vector<HandPair> frames(recording.samples.size());
    tracking::PerSide<tracking::Guard> guards;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        frames[k].time_ns = recording.samples[k].time_ns;
        for (std::size_t side = 0; side < 2; ++side) {
            guards[side].pass(recording.samples[k].hands[side], frames[k].hands[side]);
            tracking::fill_radii(recording.profiles[side], frames[k].hands[side]);
        }
    }
    return frames;
}

template <class T>
std::span<const T> typed(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace

struct TakeIndex::Storage {
    std::filesystem::path path;  ///< of the index, or of the recording if it has no file: for error messages
    MappedFile file;
    std::vector<std::uint64_t> memory;  // of an index without a file; words, for alignment
    std::span<const std::byte> bytes;
    Header header;
    std::map<std::string, std::string> meta;

    std::span<const std::byte> section(std::size_t i) const {
        return bytes.subspan(header.sections[i].offset, header.sections[i].bytes);
    }
    clips::SweptTreeView tree(Side side, Space space) const {
        return {scenes::kHandBoneCount, typed<clips::SweptNode>(section(tree_section(side, space, kNodes))),
                typed<collision::Aabb>(section(tree_section(side, space, kBoxes))),
                typed<collision::RoundCone>(section(tree_section(side, space, kCones))),
                &check_cones[tree_number(side, space)]};
    }
    const PackedHand& hand(Side side, int frame) const {
        const auto hands = typed<PackedHand>(section(kHands + static_cast<std::size_t>(side)));
        return hands[static_cast<std::size_t>(frame)];
    }
    // Unpacks the requested joints of a frame.
    void unpack_hand(Side side, int frame, std::uint32_t joints, HandFrame& hand) const {
        unpack(this->hand(side, frame), side, joints, hand);
        if (shapes[side] && hand.active)
            unpack(typed<PackedAxes>(section(kAxes + static_cast<std::size_t>(side)))[static_cast<std::size_t>(frame)],
                   joints, hand);
    }
    tracking::PerSide<std::optional<tracking::HandShape>> shapes;
    void check_block(Side side, int block) const;
    std::span<const std::int64_t> times_ns() const;
    mutable std::atomic<bool> times_checked = false;

    // Blocks of each tree's cones that have been verified. Searches of several threads may share an index.
    std::array<std::vector<std::atomic<bool>>, 4> cones_checked;
    std::array<std::function<void(std::int32_t)>, 4> check_cones;
    void watch_cones(Side side, Space space);

    void adopt(std::span<const std::byte> all);
    [[noreturn]] void refuse(const std::string& reason) const {
        throw IndexError(path, reason + "; make it again with `glovebox clips index`");
    }
};

void TakeIndex::Storage::check_block(Side side, int block) const {
    const auto hands = section(kHands + static_cast<std::size_t>(side));
    const auto hashes = typed<std::uint64_t>(section(kBlockHashes + static_cast<std::size_t>(side)));
    const std::size_t begin = static_cast<std::size_t>(block) * kBlockFrames * sizeof(PackedHand);
    const std::size_t size = std::min(hands.size() - begin, kBlockFrames * sizeof(PackedHand));
    // The orientations, if there are any, are part of the block.
    const auto axes = section(kAxes + static_cast<std::size_t>(side));
    std::uint64_t hash = hash_bytes(hands.subspan(begin, size));
    if (!axes.empty())
        hash = hash_bytes(axes.subspan(begin / sizeof(PackedHand) * sizeof(PackedAxes),
                                       size / sizeof(PackedHand) * sizeof(PackedAxes)),
                          hash);
    if (hash != hashes[static_cast<std::size_t>(block)])
        refuse("damaged at frame " + std::to_string(block * kBlockFrames));
}

std::span<const std::int64_t> TakeIndex::Storage::times_ns() const {
    if (!times_checked.load(std::memory_order_relaxed)) {
        if (hash_bytes(section(kTimes)) != header.sections[kTimes].hash) refuse("damaged times");
        times_checked.store(true, std::memory_order_relaxed);
    }
    return typed<std::int64_t>(section(kTimes));
}

void TakeIndex::Storage::watch_cones(Side side, Space space) {
    const std::size_t number = tree_number(side, space);
    const auto cones = typed<collision::RoundCone>(section(tree_section(side, space, kCones)));
    const auto hashes = typed<std::uint64_t>(section(tree_section(side, space, kConeHashes)));
    cones_checked[number] = std::vector<std::atomic<bool>>(hashes.size());
    check_cones[number] = [this, number, cones, hashes](std::int32_t node) {
        const std::size_t block = static_cast<std::size_t>(node) * scenes::kHandBoneCount / kBlockCones;
        if (cones_checked[number][block].load(std::memory_order_relaxed)) return;
        const std::size_t begin = block * kBlockCones;
        if (hash_bytes(std::as_bytes(cones.subspan(begin, std::min(kBlockCones, cones.size() - begin)))) !=
            hashes[block])
            refuse("damaged at node " + std::to_string(node));
        cones_checked[number][block].store(true, std::memory_order_relaxed);
    };
}

// Verifies everything that is later read without checks: a damaged file is never trusted.
void TakeIndex::Storage::adopt(std::span<const std::byte> all) {
    bytes = all;
    if (bytes.size() < sizeof(Header)) refuse("too short for an index");
    std::memcpy(&header, bytes.data(), sizeof(Header));
    if (header.magic != kMagic) refuse("not an index");
    if (header.version != kVersion) refuse("index of version " + std::to_string(header.version));
    if (header.hash != hash_of_header(header)) refuse("the header is damaged");
    for (std::size_t i = 0; i < kSectionCount; ++i) {
        const Section& s = header.sections[i];
        if (s.offset % kAlignment != 0 || s.offset > bytes.size() || s.bytes > bytes.size() - s.offset)
            refuse("cut off");
        // These are checked as they are read.
        const bool as_read =
            i == kTimes || i == kHands || i == kHands + 1 || i == kAxes || i == kAxes + 1 || is_cones(i);
        if (!as_read && hash_bytes(section(i)) != s.hash) refuse("damaged");
    }
    const auto count = static_cast<std::size_t>(header.frames);
    const std::size_t blocks = (count + kBlockFrames - 1) / kBlockFrames;
    if (header.frames < 1 || section(kTimes).size() != count * sizeof(std::int64_t)) refuse("damaged");
    for (const Side side : {Side::left, Side::right}) {
        const auto i = static_cast<std::size_t>(side);
        if (header.has_hand[i] == 0) continue;
        if (section(kHands + i).size() != count * sizeof(PackedHand) ||
            section(kBlockHashes + i).size() != blocks * sizeof(std::uint64_t))
            refuse("damaged");
        if (const auto numbers = typed<tracking::BoneNumbers>(section(kShapes + i)); !numbers.empty()) {
            if (numbers.size() != tracking::kBoneCount || section(kAxes + i).size() != count * sizeof(PackedAxes))
                refuse("damaged");
            tracking::HandShape& shape = shapes[i].emplace();
            for (std::size_t bone = 0; bone < shape.size(); ++bone) {
                const auto read = tracking::bone_of_numbers(numbers[bone]);
                if (!read) refuse("damaged");
                shape[bone] = *read;
            }
        } else if (!section(kAxes + i).empty()) {
            refuse("damaged");
        }
        for (const Space space : {kRecorded, kWrist}) {
            const clips::SweptTreeView view = tree(side, space);
            if (space == kWrist && view.nodes.empty()) continue;
            const std::size_t cone_blocks = (view.cones.size() + kBlockCones - 1) / kBlockCones;
            if (!well_formed(view, header.frames) ||
                section(tree_section(side, space, kConeHashes)).size() != cone_blocks * sizeof(std::uint64_t))
                refuse("damaged");
            watch_cones(side, space);
        }
    }
    for (const PackedPlacement& placement : {header.fingertips, header.wrist})
        if (placement.kind > static_cast<std::uint32_t>(scenes::Placement::wrist) || placement.side > 1)
            refuse("damaged");
    std::string_view text(reinterpret_cast<const char*>(section(kMeta).data()), section(kMeta).size());
    const auto next = [&text] {
        const std::string_view word = text.substr(0, text.find('\0'));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        return std::string(word);
    };
    while (!text.empty()) {
        std::string key = next();
        meta[std::move(key)] = next();
    }
}

std::uint64_t hash_of(const recordings::ImportOptions& options) {
    std::ostringstream text;
    text << std::hexfloat << options.unit_m.value_or(0.0F);
    for (const float tip_m : options.tip_length_m) text << ' ' << tip_m;
    for (const float axis : options.axes.ours_from_file.reshaped()) text << ' ' << axis;
    if (options.side) text << ' ' << tracking::name_of(*options.side);
    if (options.only) text << " only " << tracking::name_of(*options.only);
    text << ' ' << options.wrist_path.string();
    const std::string all = text.str();
    return hash_bytes(std::as_bytes(std::span(all)));
}

std::filesystem::path index_path(const std::filesystem::path& log) {
    return log.string() + ".touch";
}

namespace {

// An index while it is made: sections one after the other in one block of memory, as in the file.
struct Draft {
    Header header;
    std::vector<std::uint64_t> memory;

    Draft() : memory((sizeof(Header) + kAlignment - 1) / kAlignment * kAlignment / 8) {
        for (Section& section : header.sections) section = {memory.size() * 8, 0, hash_bytes({})};
    }

    template <class T>
    void put(std::size_t i, std::span<const T> values) {
        const std::span<const std::byte> bytes = std::as_bytes(values);
        header.sections[i] = {memory.size() * 8, bytes.size(), hash_bytes(bytes)};
        memory.resize(memory.size() + (bytes.size() + kAlignment - 1) / kAlignment * kAlignment / 8);
        if (!bytes.empty())
            std::memcpy(reinterpret_cast<std::byte*>(memory.data()) + header.sections[i].offset, bytes.data(),
                        bytes.size());
    }

    // Puts the joints of one hand, and their orientations if its bones have a shape. Returns false if there is no hand.
    bool put_hand(std::span<const HandPair> frames, Side side, const std::optional<tracking::HandShape>& shape) {
        const auto i = static_cast<std::size_t>(side);
        std::vector<PackedHand> hands;
        hands.reserve(frames.size());
        for (const HandPair& frame : frames) {
            hands.push_back(packed(frame[side]));
            header.has_hand[i] |= hands.back().active;
        }
        if (header.has_hand[i] == 0) return false;
        put<PackedHand>(kHands + i, hands);
        std::vector<std::uint64_t> hashes = hashes_of_blocks(std::span<const PackedHand>(hands), kBlockFrames);
        if (shape) {
            std::vector<PackedAxes> axes;
            axes.reserve(frames.size());
            for (const HandPair& frame : frames) axes.push_back(packed_axes(frame[side]));
            put<PackedAxes>(kAxes + i, axes);
            for (std::size_t block = 0; block < hashes.size(); ++block) {
                const std::size_t begin = block * kBlockFrames;
                hashes[block] = hash_bytes(std::as_bytes(std::span(axes).subspan(
                                               begin, std::min<std::size_t>(kBlockFrames, axes.size() - begin))),
                                           hashes[block]);
            }
            std::vector<tracking::BoneNumbers> numbers;
            for (const tracking::BoneShape& bone : *shape) numbers.push_back(tracking::numbers_of(bone));
            put<tracking::BoneNumbers>(kShapes + i, numbers);
        }
        put<std::uint64_t>(kBlockHashes + i, hashes);
        return true;
    }

    // Puts the tree of one hand's bones over time. Throws std::invalid_argument as SweptTree::build().
    void put_tree(std::span<const HandPair> frames, Side side, const std::optional<tracking::HandShape>& shape,
                  Space space, const scenes::HandPlacement& placement) {
        HandPair placed;
        const auto pose_of = [&](std::int32_t frame, std::uint64_t, collision::BodyPose& pose) {
            placed = frames[static_cast<std::size_t>(frame)];
            scenes::place(placement, placed);
            scenes::pose_hand(placed[side], pose, shape);
        };
        const auto tree =
            clips::SweptTree::build(scenes::kHandBoneCount, static_cast<std::int32_t>(frames.size()), pose_of);
        const clips::SweptTreeView view = tree.view();
        put(tree_section(side, space, kNodes), view.nodes);
        put(tree_section(side, space, kBoxes), view.boxes);
        put(tree_section(side, space, kCones), view.cones);
        put<std::uint64_t>(tree_section(side, space, kConeHashes), hashes_of_blocks(view.cones, kBlockCones));
    }
};

}  // namespace

TakeIndex TakeIndex::build(const recordings::Recording& recording, const std::filesystem::path& log,
                           const recordings::ImportOptions& options) {
    if (recording.samples.empty()) throw std::runtime_error(recording.path + ": holds no samples");
    const std::vector<HandPair> frames = ingested(recording);

    Draft draft;
    Header& header = draft.header;
    header.frames = static_cast<std::int32_t>(frames.size());
    header.stamp.options_hash = hash_of(options);
    if (!log.empty()) {
        header.stamp.size = std::filesystem::file_size(log);
        header.stamp.changed_ns = change_time_ns(log);
        header.stamp.content_hash = hash_of_file(log);
    }
    header.in_scene = recording.in_scene ? 1 : 0;
    const scenes::HandPlacement fingertips = placement_at_origin(scenes::Placement::fingertips, recording.samples);
    header.fingertips = packed(fingertips);
    header.wrist = packed(placement_at_origin(scenes::Placement::wrist, recording.samples));

    std::vector<std::int64_t> times_ns;
    for (const HandPair& frame : frames) times_ns.push_back(frame.time_ns);
    draft.put<std::int64_t>(kTimes, times_ns);
    std::string meta;
    for (const auto& [key, value] : recording.meta)
        if (key == "scene_hash" || key.starts_with("placement."))
            meta.append(key).append(1, '\0').append(value).append(1, '\0');
    draft.put<char>(kMeta, meta);
    for (const Side side : {Side::left, Side::right}) {
        if (!draft.put_hand(frames, side, recording.profiles[side].shape)) continue;
        try {
            draft.put_tree(frames, side, recording.profiles[side].shape, kRecorded, {});
            // Recordings that a scene can only use with the wrist held also get a tree in the wrist's frame.
            if (fingertips.kind != scenes::Placement::wrist) continue;
            scenes::HandPlacement held;
            held.kind = scenes::Placement::wrist;
            held.side = fingertips.side;
            draft.put_tree(frames, side, recording.profiles[side].shape, kWrist, held);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(recording.path + ": " + error.what());
        }
    }
    header.hash = hash_of_header(header);
    std::memcpy(draft.memory.data(), &header, sizeof(Header));

    auto storage = std::make_shared<Storage>();
    storage->memory = std::move(draft.memory);
    storage->path = recording.path;
    storage->adopt(std::as_bytes(std::span(storage->memory)));
    TakeIndex index;
    index.storage_ = std::move(storage);
    return index;
}

TakeIndex TakeIndex::open_file(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) throw IndexError(path, "no index; make it with `glovebox clips index`");
    if (!std::filesystem::is_regular_file(path)) throw IndexError(path, "is no regular file; remove it");
    auto storage = std::make_shared<Storage>();
    storage->file = MappedFile(path);
    storage->path = path;
    storage->adopt(storage->file.bytes());
    TakeIndex index;
    index.storage_ = std::move(storage);
    return index;
}

TakeIndex TakeIndex::open(const std::filesystem::path& log, const recordings::ImportOptions& options) {
    TakeIndex index = open_file(index_path(log));
    const LogStamp& stamp = index.stamp();
    if (stamp.options_hash != hash_of(options)) index.storage_->refuse("made under other import options");
    if (stamp.size != std::filesystem::file_size(log)) index.storage_->refuse("the log has changed since");
    if (stamp.changed_ns != change_time_ns(log) && stamp.content_hash != hash_of_file(log))
        index.storage_->refuse("the log has changed since");
    return index;
}

TakeIndex TakeIndex::open_or_make(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                  std::string& rebuilt_because) {
    rebuilt_because.clear();
    if (!std::filesystem::exists(log)) throw std::runtime_error(log.string() + ": no such file");
    try {
        return open(log, options);
    } catch (const IndexError& error) {
        return make_again(log, options, error, rebuilt_because);
    }
}

TakeIndex TakeIndex::make_again(const std::filesystem::path& log, const recordings::ImportOptions& options,
                                const IndexError& error, std::string& rebuilt_because) {
    const std::string_view reason = error.what();  // "why; what to do": the second part is done here
    rebuilt_because = reason.substr(0, reason.rfind(';'));
    TakeIndex index = build(recordings::load(log, options), log, options);
    try {
        index.save(index_path(log));
    } catch (const std::runtime_error&) {
        rebuilt_because += ", and none can be written";  // no write permission or a full disk: search from memory
        return index;
    }
    return open(log, options);
}

void TakeIndex::save(const std::filesystem::path& path) const {
    recordings::Output out(recordings::file_at(path));
    recordings::expect_replaceable(path, false);
    const auto bytes = storage_->bytes;
    out.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    out.commit();
}

int TakeIndex::frame_count() const {
    return storage_->header.frames;
}

std::span<const std::int64_t> TakeIndex::times_ns() const {
    return storage_->times_ns();
}

double TakeIndex::time_s(int frame) const {
    const auto times = times_ns();
    return 1e-9 * static_cast<double>(times[static_cast<std::size_t>(frame)] - times.front());
}

bool TakeIndex::has(Side side) const {
    return storage_->header.has_hand[static_cast<std::size_t>(side)] != 0;
}

std::size_t TakeIndex::size_bytes() const {
    return storage_->bytes.size();
}

const LogStamp& TakeIndex::stamp() const {
    return storage_->header.stamp;
}

scenes::HandPlacement TakeIndex::placement_in(const scenes::Scene& scene) const {
    if (!storage_->meta.empty())
        if (const auto recorded = recorded_placement(storage_->meta, scene)) return *recorded;
    if (storage_->header.in_scene != 0) return {};
    switch (scene.placement) {
        case scenes::Placement::fingertips:
            return unpacked(storage_->header.fingertips, scene.anchor_m);
        case scenes::Placement::wrist:
            return unpacked(storage_->header.wrist, scene.anchor_m);
        case scenes::Placement::recorded:
            break;
    }
    return {};
}

std::optional<clips::SweptBody> TakeIndex::hand_in(const scenes::HandPlacement& placement, Side side) const {
    if (!has(side)) return {};
    clips::SweptBody body;
    body.tree = storage_->tree(side, kRecorded);
    body.tree_from_pose = placement.scene_from_recording.inverse(Eigen::Isometry);
    // Cache the last verified block, so that a leaf is hashed once and not per frame, and the joints of the last
    // requested bones, which are the same for a whole leaf.
    struct Poser {
        std::shared_ptr<const Storage> storage;
        scenes::HandPlacement placement;
        Side side;
        std::shared_ptr<const clips::SweptTree> own_tree = nullptr;
        HandPair hands{};
        std::array<int, 2> checked = {-1, -1};
        std::uint64_t bones = 0;
        std::uint32_t joints = 0;

        void read(Side each, std::int32_t frame, std::uint32_t of_joints) {
            hands[each].active = false;
            if (storage->header.has_hand[static_cast<std::size_t>(each)] == 0) return;
            int& block = checked[static_cast<std::size_t>(each)];
            if (block != frame / kBlockFrames) {
                storage->check_block(each, frame / kBlockFrames);
                block = frame / kBlockFrames;
            }
            storage->unpack_hand(each, frame, of_joints, hands[each]);
        }
        void operator()(std::int32_t frame, std::uint64_t requested, collision::BodyPose& pose) {
            constexpr std::uint32_t kWristJoint = 1U << static_cast<unsigned>(Joint::wrist);
            if (requested != bones || joints == 0) {
                bones = requested;
                joints = scenes::joints_of(requested);
            }
            const bool held = placement.kind == scenes::Placement::wrist;
            if (held && placement.side != side) read(placement.side, frame, kWristJoint);
            read(side, frame, held ? joints | kWristJoint : joints);
            scenes::place_joints(placement, hands, side, joints);
            scenes::pose_bones(hands[side], requested, pose, storage->shapes[side]);
        }
    };
    Poser poser{.storage = storage_, .placement = placement, .side = side};
    if (placement.kind == scenes::Placement::wrist) {
        body.tree = storage_->tree(side, kWrist);
        body.tree_from_pose = placement.scene_from_wrist.inverse(Eigen::Isometry);
        // Only recordings that travel have a tree in the wrist's frame, for the hand by which they would be held. For a
        // scene that holds the other wrist, the tree is built for this search alone.
        if (body.tree.nodes.empty() || placement.side != static_cast<Side>(storage_->header.fingertips.side)) {
            Poser in_wrist = poser;
            in_wrist.placement.scene_from_wrist.setIdentity();
            poser.own_tree = std::make_shared<clips::SweptTree>(
                clips::SweptTree::build(scenes::kHandBoneCount, frame_count(), in_wrist));
            body.tree = poser.own_tree->view();
        }
    }
    body.pose_of = std::move(poser);
    return body;
}

void TakeIndex::frame(int frame, HandPair& hands) const {
    hands.time_ns = times_ns()[static_cast<std::size_t>(frame)];
    for (const Side side : {Side::left, Side::right}) {
        hands[side].active = false;
        if (!has(side)) continue;
        storage_->check_block(side, frame / kBlockFrames);
        storage_->unpack_hand(side, frame, kAllJoints, hands[side]);
    }
}

}  // namespace glovebox::vr
