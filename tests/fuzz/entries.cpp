#include "tests/fuzz/entries.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "collision/mesh/hash.h"
#include "collision/mesh/tree_file.h"
#include "collision/survey/clips/touch_search.h"
#include "recordings/format.h"
#include "recordings/formats/cyberglove_text.h"
#include "recordings/inject.h"
#include "recordings/log/application_facts.h"
#include "recordings/log/log_reader.h"
#include "recordings/user_profile.h"
#include "recordings/writer.h"
#include "scenes/gltf_check.h"
#include "scenes/scene_file.h"
#include "tests/fuzz/fan.h"
#include "tracking/glove/calibration.h"
#include "tracking/glove/opengloves.h"
#include "vr/clips/take_index.h"
#include "vr/render/hand_skin.h"
#include "vr/session/label_parts.h"

namespace glovebox::fuzz {
namespace {

void demand(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// SQLite needs a file with its own name; all other readers read from memory.
const std::string& path_of_input(bool named) {
    static const std::string in_memory = "/proc/self/fd/" + std::to_string(memfd_create("fuzz", 0));
    static const std::string on_disk = "/dev/shm/glovebox_fuzz_" + std::to_string(getpid());
    return named ? on_disk : in_memory;
}

const std::string& put(Bytes bytes, bool named) {
    const std::string& path = path_of_input(named);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    demand(file != nullptr, "the input can be written");
    if (!bytes.empty()) std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
    return path;
}

void expect_one_line(const std::exception& error) {
    demand(std::string_view(error.what()).find('\n') == std::string_view::npos, "an error is one line");
}

void feed_reader(std::string_view name, Bytes bytes) {
    const std::string& path = put(bytes, name == "glove");
    const recordings::Format* format = nullptr;
    for (const recordings::Format& row : recordings::format_table())
        if (row.name == name) format = &row;
    demand(format != nullptr, "the format has a row");
    try {
        const recordings::ImportOptions options;
        std::int64_t last_ns = 0;
        const recordings::SampleSink sink = [&last_ns](const tracking::HandPair& sample) {
            demand(sample.time_ns >= last_ns, "time does not go back");
            last_ns = sample.time_ns;
            for (const tracking::HandFrame& hand : sample.hands)
                for (const tracking::JointPose& joint : hand.joints)
                    demand(joint.flags <= tracking::joint_flags::kAll, "only flags that exist");
        };
        recordings::Input in(path);
        if (!format->recognise(in.head(), in.size())) return;
        recordings::Assembly assembly(in, options, sink);
        recordings::read_format(*format, in, options, assembly);
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    }
}

// The reader is found from the content.
void feed_packed(std::string_view, Bytes bytes) {
    try {
        recordings::stream(put(bytes, false), {}, [](const tracking::HandPair&) {});
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    }
}

// A profile and poses in one input: the profile's length in 4 bytes, the profile, then the poses.
void feed_umetrack(std::string_view, Bytes bytes) {
    if (bytes.size() < 4) return;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    const Bytes rest = bytes.subspan(4);
    const Bytes profile = rest.first(std::min<std::size_t>(length, rest.size()));
    static const std::string folder = "/dev/shm/glovebox_fuzz_umetrack_" + std::to_string(getpid());
    std::error_code ignored;
    std::filesystem::create_directory(folder, ignored);
    const auto write = [](const std::string& path, Bytes content) {
        std::FILE* file = std::fopen(path.c_str(), "wb");
        demand(file != nullptr, "the input can be written");
        std::fwrite(content.data(), 1, content.size(), file);
        std::fclose(file);
    };
    write(folder + "/umetrack_hand_user_profile.json", profile);
    write(folder + "/poses.jsonl", rest.subspan(profile.size()));
    try {
        recordings::stream(folder + "/poses.jsonl", {}, [](const tracking::HandPair&) {});
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    }
    std::filesystem::remove_all(folder, ignored);
}

void feed_track(std::string_view, Bytes bytes) {
    try {
        const tracking::RigidTrack track = recordings::load_track(put(bytes, false));
        demand(track.time_ns.size() == track.world_from_object.size(), "one pose a time");
        track.at(0);
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    }
}

// Reads the application data from a log.
void feed_application(std::string_view, Bytes bytes) {
    try {
        const recordings::ApplicationLog log = recordings::read_application_log(put(bytes, true));
        const recordings::PoseComparison same = recordings::compare_poses(log, log);
        demand(same.frames_different == 0, "a log is like itself");
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    }
}

void feed_recovery(std::string_view, Bytes bytes) {
    const std::string& from = put(bytes, true);
    const std::string to = from + ".saved";
    try {
        recordings::recover_log(from, to);
        recordings::stream(to, {}, [](const tracking::HandPair&) {});  // the recovered log must be readable
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    } catch (const recordings::ExportError& error) {
        expect_one_line(error);
    }
    std::error_code ignored;
    std::filesystem::remove(to, ignored);
}

// A log with a -wal and a -journal file beside it, in one input: two lengths of 4 bytes, then the three files. Reading
// must not change any of the files or anything that they refer to.
void feed_beside(std::string_view, Bytes bytes) {
    if (bytes.size() < 8) return;
    const auto length = [&bytes](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof(value));
        return std::size_t{value};
    };
    Bytes rest = bytes.subspan(8);
    const Bytes log = rest.first(std::min(length(0), rest.size()));
    rest = rest.subspan(log.size());
    const Bytes wal = rest.first(std::min(length(4), rest.size()));
    const std::string path = path_of_input(true);
    const auto write = [&path](const char* beside, Bytes content) {
        std::FILE* file = std::fopen((path + beside).c_str(), "wb");
        demand(file != nullptr, "the input can be written");
        std::fwrite(content.data(), 1, content.size(), file);
        std::fclose(file);
    };
    const auto is_as_it_was = [&path](const char* beside, Bytes content) {
        std::FILE* file = std::fopen((path + beside).c_str(), "rb");
        if (file == nullptr) return false;
        std::vector<std::uint8_t> now(content.size() + 1);
        now.resize(std::fread(now.data(), 1, now.size(), file));
        std::fclose(file);
        return std::ranges::equal(now, content);
    };
    const std::array<std::pair<const char*, Bytes>, 3> files = {
        {{"", log}, {"-wal", wal}, {"-journal", rest.subspan(wal.size())}}};
    for (const auto& [beside, content] : files) write(beside, content);
    feed_reader("glove", log);
    feed_recovery("recovery", log);
    for (const auto& [beside, content] : files) demand(is_as_it_was(beside, content), "reading changes no file");
    std::error_code ignored;
    for (const auto& [beside, content] : files) std::filesystem::remove(path + beside, ignored);
}

void feed_glove_codec(std::string_view, Bytes bytes) {
    const tracking::OpenGlovesSettings settings;
    tracking::OpenGlovesInput input;
    tracking::LineAssembler lines;
    lines.add(text_of(bytes), [&](std::string_view line) {
        if (tracking::decode_opengloves(line, settings, input)) {
            for (const auto& finger : input.flexion)
                for (const float joint : finger) demand(joint >= 0.0F && joint <= 1.0F, "flexion from 0 to 1");
            tracking::OpenGlovesInput again;
            demand(tracking::decode_opengloves(tracking::encode_opengloves(input, settings), settings, again),
                   "our own packet can be read");
            for (std::size_t f = 0; f < input.flexion.size(); ++f)
                demand(std::abs(again.flexion[f][1] - input.flexion[f][1]) < 2e-4F, "and says the same");
        }
        if (const auto forces = tracking::decode_opengloves_forces(line))
            for (const float force : *forces) demand(force >= 0.0F && force <= 1.0F, "forces from 0 to 1");
    });
}

void feed_calibration(std::string_view, Bytes bytes) {
    try {
        for (const tracking::SensorCalibration& sensor : tracking::parse_calibration(text_of(bytes)))
            demand(std::isfinite(sensor.gain_rad) && std::isfinite(sensor.bias_rad), "finite calibration");
    } catch (const std::runtime_error& error) {
        expect_one_line(error);
    }
}

// Reads a profile; if that succeeds, applies it to a valid recording of a glove.
void feed_profile(std::string_view, Bytes bytes) {
    try {
        const tracking::UserProfile user = recordings::load_user_profile(put(bytes, false));
        for (const tracking::UserHand& hand : user.hands) {
            demand(hand.tracker_from_wrist.matrix().allFinite(), "a finite offset");
            for (const tracking::SensorCalibration& sensor : hand.sensors)
                demand(std::isfinite(sensor.gain_rad) && std::isfinite(sensor.bias_rad), "finite calibration");
        }
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    }
}

// Finds the gestures of a guided calibration in raw sensor values.
void feed_sensors(std::string_view, Bytes bytes) {
    try {
        recordings::Input in(put(bytes, false));
        if (!recordings::is_cyberglove_text(in.head(), in.size())) return;
        const auto samples = recordings::read_cyberglove_sensors(in);
        const auto spans = tracking::find_held_poses(samples);
        if (spans.empty()) return;
        const std::vector<std::vector<float>> targets(spans.size(),
                                                      std::vector<float>(samples.front().raw.size(), 1.0F));
        demand(tracking::fit_calibration(samples, spans, targets).sensors.size() == samples.front().raw.size(),
               "a line a sensor");
    } catch (const recordings::ImportError& error) {
        expect_one_line(error);
    }
}

void feed_fault(std::string_view, Bytes bytes) {
    try {
        const recordings::Fault fault = recordings::parse_fault(text_of(bytes));
        demand(std::isfinite(fault.value) && std::isfinite(fault.start_s) && std::isfinite(fault.length_s),
               "finite faults");
    } catch (const std::runtime_error& error) {
        expect_one_line(error);
    }
}

// An index file with access to its hashes (vr/clips/take_index.cpp): a table of sections, each {offset, bytes,
// hash}, then a hash of everything before. The blocks of some sections have their own hashes in another section.
struct TouchFile {
    static constexpr std::size_t kTable = 200, kSections = 26, kHeaderHash = kTable + 24 * kSections;
    std::vector<std::uint8_t> bytes;

    std::uint64_t word(std::size_t at) const {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof(value));
        return value;
    }
    void put_hash(std::size_t at, std::span<const std::uint8_t> of) {
        const std::uint64_t hash = collision::hash_bytes(std::as_bytes(of));
        std::memcpy(bytes.data() + at, &hash, sizeof(hash));
    }
    // Returns an empty span if the section would be outside the file.
    std::span<const std::uint8_t> section(std::size_t i) const {
        const std::uint64_t offset = word(kTable + 24 * i), size = word(kTable + 24 * i + 8);
        if (offset > bytes.size() || size > bytes.size() - offset) return {};
        return Bytes(bytes).subspan(offset, size);
    }
    void hash_blocks(std::size_t content, std::size_t hashes, std::size_t block) {
        const auto all = section(content), into = section(hashes);
        for (std::size_t k = 0; k * block < all.size() && 8 * k + 8 <= into.size(); ++k)
            put_hash(static_cast<std::size_t>(into.data() - bytes.data()) + 8 * k,
                     all.subspan(k * block, std::min(block, all.size() - k * block)));
    }
    // The hash of a block of hands continues over their joints' orientations, which only fitted bones have.
    void hash_frames(std::size_t side) {
        constexpr std::size_t kFrames = collision::clips::SweptTree::kLeafFrames, kHand = 440, kAxes = 420;
        const auto hands = section(side), axes = section(side + 5), into = section(side + 2);
        for (std::size_t k = 0; k * kFrames * kHand < hands.size() && 8 * k + 8 <= into.size(); ++k) {
            const auto block =
                hands.subspan(k * kFrames * kHand, std::min(kFrames * kHand, hands.size() - k * kFrames * kHand));
            std::uint64_t hash = collision::hash_bytes(std::as_bytes(block));
            const std::size_t first = k * kFrames * kAxes, size = block.size() / kHand * kAxes;
            if (!axes.empty() && first + size <= axes.size())
                hash = collision::hash_bytes(std::as_bytes(axes.subspan(first, size)), hash);
            std::memcpy(bytes.data() + (into.data() - bytes.data()) + 8 * k, &hash, sizeof(hash));
        }
    }
    // Recomputes all hashes, so that damage is not detected by them.
    void make_hashes_right() {
        if (bytes.size() < kHeaderHash + 8) return;
        constexpr std::size_t kCones = 4 * 20 * 32;
        for (std::size_t side = 1; side <= 2; ++side) hash_frames(side);
        for (std::size_t tree = 10; tree < kSections; tree += 4) hash_blocks(tree + 2, tree + 3, kCones);
        for (std::size_t i = 0; i < kSections; ++i) put_hash(kTable + 24 * i + 16, section(i));
        put_hash(kHeaderHash, Bytes(bytes).first(kHeaderHash));
    }
};

// Makes all queries of an index that a search makes.
void search(const std::string& path) {
    const vr::TakeIndex take = vr::TakeIndex::open_file(path);
    const int frames = take.frame_count();
    demand(frames > 0 && take.times_ns().size() == static_cast<std::size_t>(frames), "a time a frame");
    const std::array<collision::Shape, 1> ball = {collision::RoundCone{{0, 0, 0}, {0, 0, 0}, 0.035F, 0.035F}};
    for (const auto kind : {scenes::Placement::recorded, scenes::Placement::fingertips, scenes::Placement::wrist}) {
        scenes::Scene scene;
        scene.placement = kind;
        const scenes::HandPlacement placement = take.placement_in(scene);
        collision::clips::TouchCounts counts;
        std::array<std::optional<collision::clips::SweptBody>, 2> hands;
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
            auto& hand = hands[static_cast<std::size_t>(side)] = take.hand_in(placement, side);
            demand(hand.has_value() == take.has(side), "a hand that is there");
            if (!hand) continue;
            for (const auto& near : collision::clips::find_near(*hand, ball, 0.01F, ~std::uint64_t{0}, counts))
                demand(0 <= near.first && near.first <= near.nearest_frame && near.nearest_frame <= near.last &&
                           near.last < frames,
                       "intervals of frames that there are");
        }
        if (hands[0] && hands[1])
            collision::clips::find_near(*hands[0], *hands[1], 0.01F, ~std::uint64_t{0}, ~std::uint64_t{0}, counts);
    }
}

void feed_touch(std::string_view, Bytes bytes) {
    TouchFile file{{bytes.begin(), bytes.end()}};
    bool whole = false;
    for (int i = 0; i < 2; ++i) {
        try {
            search(put(file.bytes, false));
            whole = true;
        } catch (const vr::IndexError& error) {
            expect_one_line(error);
        } catch (const std::invalid_argument& error) {
            expect_one_line(error);  // two hands whose trees do not match
        }
        if (i > 0) continue;
        file.make_hashes_right();
        if (whole) demand(std::ranges::equal(file.bytes, bytes), "what can be searched has the right hashes");
    }
}

// The scene's meshes are not loaded: they have an entry of their own.
void feed_scene(std::string_view, Bytes bytes) {
    const scenes::MeshLoader no_mesh = [](const std::filesystem::path&, float) -> collision::Mesh {
        throw std::runtime_error("no mesh here");
    };
    try {
        const scenes::Scene scene = scenes::read_scene_file(put(bytes, false), no_mesh);
        demand(!scene.objects.empty(), "a scene has an object");
        for (const scenes::SceneObject& object : scene.objects)
            demand(object.world_from_object.matrix().allFinite() && std::isfinite(object.mass_kg), "finite objects");
    } catch (const std::runtime_error& error) {
        expect_one_line(error);
    }
}

void feed_mesh(std::string_view, Bytes bytes) {
    try {
        const collision::Mesh mesh = scenes::load_mesh(put(bytes, false), 1.0F);
        collision::check(mesh);
    } catch (const std::runtime_error& error) {
        expect_one_line(error);
    }
}

// Reads a stored tree as it is, and again with corrected hashes, so that damage is not detected by them.
void feed_tree(std::string_view, Bytes bytes) {
    constexpr std::size_t kNodes = 120, kOrder = 128, kPayloadHash = 136, kHeaderHash = 144, kHeader = 152;
    const collision::Mesh mesh = fan();
    std::vector<std::uint8_t> file(bytes.begin(), bytes.end());
    for (int i = 0; i < 2; ++i) {
        try {
            const collision::StoredTree stored = collision::load_tree(put(file, false));
            demand(!stored.tree.nodes.empty(), "a tree has a node");
            if (stored.key.triangles == static_cast<std::int64_t>(mesh.triangles.size()))
                collision::worst_excess_m(stored.tree, mesh);
        } catch (const collision::TreeFileError& error) {
            expect_one_line(error);
        }
        const auto word = [&file](std::size_t at) {
            std::uint64_t value = 0;
            std::memcpy(&value, file.data() + at, sizeof(value));
            return value;
        };
        const auto put_hash = [&file](std::size_t at, std::uint64_t hash) {
            std::memcpy(file.data() + at, &hash, sizeof(hash));
        };
        if (file.size() < kHeader) return;
        const std::span<const std::byte> payload = std::as_bytes(std::span(file)).subspan(kHeader);
        const std::uint64_t nodes = word(kNodes), order = word(kOrder);
        if (nodes < 1000 && order < 1000 && payload.size() == 68 * nodes + 4 * order)
            put_hash(kPayloadHash, collision::hash_bytes(payload.subspan(68 * nodes),
                                                         collision::hash_bytes(payload.first(68 * nodes))));
        put_hash(kHeaderHash, collision::hash_bytes(std::as_bytes(std::span(file)).first(kHeaderHash)));
    }
}

// Runs the checks of a glTF file that precede Assimp, without Assimp.
void feed_gltf(std::string_view, Bytes bytes) {
    try {
        const std::string shape = scenes::gltf_shape(put(bytes, false));
        demand(shape.starts_with("glTF"), "the shape is a .glb file");
    } catch (const std::invalid_argument& error) {
        expect_one_line(error);
    }
}

// Reads a stored skin as it is, and again with the correct hash.
void feed_skin(std::string_view, Bytes bytes) {
    std::vector<std::uint8_t> file(bytes.begin(), bytes.end());
    for (int i = 0; i < 2; ++i) {
        if (const std::optional<vr::HandSkin> skin = vr::read_cached_skin(put(file, false)))
            for (const auto& triangle : skin->triangles)
                demand(std::ranges::max(triangle) < skin->vertices.size(), "corners that there are");
        constexpr std::size_t kVertices = 8, kHash = 16, kArrays = 24;
        if (file.size() < kArrays) return;
        std::uint32_t vertices = 0;
        std::memcpy(&vertices, file.data() + kVertices, sizeof vertices);
        const auto arrays = std::as_bytes(std::span(file)).subspan(kArrays);
        const std::size_t split = std::min<std::size_t>(arrays.size(), sizeof(vr::SkinVertex) * vertices);
        const std::uint64_t hash =
            collision::hash_bytes(arrays.subspan(split), collision::hash_bytes(arrays.first(split)));
        std::memcpy(file.data() + kHash, &hash, sizeof hash);
    }
}

// Reads a part of labels, and merges its rows.
void feed_labels(std::string_view, Bytes bytes) {
    try {
        const std::vector<vr::LabelPart> parts = {vr::read_part(put(bytes, false))};
        vr::for_each_row(parts, [](const std::string& row) {
            demand(vr::fields_of(row).size() <= row.size() + 1, "a field takes a byte");
        });
    } catch (const std::runtime_error& error) {
        expect_one_line(error);
    }
}

constexpr std::array kEntries = {Entry{"glove", feed_reader},
                                 Entry{"openxr-csv", feed_reader},
                                 Entry{"bvh", feed_reader},
                                 Entry{"hololens-csv", feed_reader},
                                 Entry{"manus-csv", feed_reader},
                                 Entry{"cyberglove", feed_reader},
                                 Entry{"leap-json", feed_reader},
                                 Entry{"handpose", feed_reader},
                                 Entry{"iwer-pose", feed_reader},
                                 Entry{"iwer-actions", feed_reader},
                                 Entry{"aria-csv", feed_reader},
                                 Entry{"mediapipe-csv", feed_reader},
                                 Entry{"unity-handsbin", feed_reader},
                                 Entry{"npz", feed_reader},
                                 Entry{"hdf5", feed_reader},
                                 Entry{"mcap", feed_reader},
                                 Entry{"c3d", feed_reader},
                                 Entry{"optitrack-csv", feed_reader},
                                 Entry{"joint-csv", feed_reader},
                                 Entry{"points-csv", feed_reader},
                                 Entry{"glb", feed_reader},
                                 Entry{"fbx", feed_reader},
                                 Entry{"hot3d-umetrack", feed_umetrack},
                                 Entry{"table-json", feed_reader},
                                 Entry{"hand-json", feed_reader},
                                 Entry{"packed", feed_packed},
                                 Entry{"glovebox-csv", feed_reader},
                                 Entry{"glovebox-jsonl", feed_reader},
                                 Entry{"track", feed_track},
                                 Entry{"application", feed_application},
                                 Entry{"recovery", feed_recovery},
                                 Entry{"beside", feed_beside},
                                 Entry{"glove-codec", feed_glove_codec},
                                 Entry{"calibration", feed_calibration},
                                 Entry{"profile", feed_profile},
                                 Entry{"sensors", feed_sensors},
                                 Entry{"fault", feed_fault},
                                 Entry{"touch", feed_touch},
                                 Entry{"scene", feed_scene},
                                 Entry{"mesh", feed_mesh},
                                 Entry{"gltf", feed_gltf},
                                 Entry{"tree", feed_tree},
                                 Entry{"skin", feed_skin},
                                 Entry{"labels", feed_labels}};

}  // namespace

std::span<const Entry> entries() {
    return kEntries;
}

const Entry& find_entry(std::string_view name) {
    for (const Entry& entry : kEntries)
        if (entry.name == name) return entry;
    std::abort();
}

}  // namespace glovebox::fuzz
