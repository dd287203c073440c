#include "scenes/gltf_check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/mesh_limits.h"

namespace glovebox::scenes {
namespace {

using nlohmann::json;

std::string bytes_of(const std::filesystem::path& path) {
    std::string bytes(std::filesystem::file_size(path), '\0');
    std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

// Returns the nesting depth of brackets outside strings. Recursive JSON parsers overflow the stack on deep nesting.
int deepest_nesting(std::string_view text) {
    int depth = 0, deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '[' || c == '{'))
            deepest = std::max(deepest, ++depth);
        else if (!in_string && (c == ']' || c == '}'))
            --depth;
    }
    return deepest;
}

// Decodes Base64 [RFC 4648, sec. 4]; nothing if the text is invalid.
std::optional<std::string> bytes_of_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) return {};
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes += static_cast<char>(bits >> static_cast<unsigned>(held) & 0xFFU);
    }
    return bytes;
}

// Returns the members of an object that have one of these names.
json kept(const json& of, std::initializer_list<const char*> names) {
    json result = json::object();
    for (const char* name : names)
        if (of.is_object() && of.contains(name)) result[name] = of[name];
    return result;
}

std::string little_endian(std::initializer_list<std::uint32_t> words) {
    std::string bytes(4 * words.size(), '\0');
    std::memcpy(bytes.data(), words.begin(), bytes.size());
    return bytes;
}

class GltfCheck {
  public:
    explicit GltfCheck(const std::filesystem::path& path) : path_(path) {}

    void run() {
        const std::string file = bytes_of(path_);
        std::string_view text = file, chunk;
        if (text.starts_with("glTF") || path_.extension() == ".glb") split(file, text, chunk);
        constexpr int kMaxNesting = 200;  // glTF itself needs about ten; the rest is for extensions of programs
        if (deepest_nesting(text) > kMaxNesting) fail("the JSON of the glTF file is nested too deeply to be true");
        gltf_ = json::parse(text, nullptr, false);
        if (!gltf_.is_object()) fail("the JSON of the glTF file cannot be read; it may be cut short");
        // Version 1 has named objects instead of lists and is not supported.
        const json asset = gltf_.value("asset", json::object());
        const json version = asset.is_object() ? asset.value("version", json()) : json();
        if (!version.is_string() || !version.get_ref<const std::string&>().starts_with("2."))
            fail("is of glTF version " + (version.is_string() ? version.get<std::string>().substr(0, 10) : "unknown") +
                 "; 2.0 is read");
        read_buffers(chunk);
        check_views();
        check_accessors();
        check_nodes();
        for (const json& mesh : rows(gltf_, "meshes"))
            for (const json& primitive : rows(mesh, "primitives")) check_corners(primitive);
    }

    // Call it after run().
    std::string shape() const {
        json out = {{"asset", {{"version", "2.0"}}}};
        if (gltf_.contains("scene")) out["scene"] = gltf_["scene"];
        for (const json& row : rows(gltf_, "scenes")) out["scenes"].push_back(kept(row, {"nodes"}));
        for (const json& row : rows(gltf_, "nodes"))
            out["nodes"].push_back(kept(row, {"mesh", "children", "matrix", "translation", "rotation", "scale"}));
        for (const json& row : rows(gltf_, "meshes")) {
            json primitives = json::array();
            for (const json& primitive : rows(row, "primitives")) {
                if (!has_positions(primitive)) continue;
                json& shape = primitives.emplace_back(kept(primitive, {"indices", "mode"}));
                shape["attributes"] = kept(primitive["attributes"], {"POSITION"});
            }
            out["meshes"].push_back({{"primitives", primitives}});
        }
        for (const json& row : rows(gltf_, "accessors"))
            out["accessors"].push_back(kept(row, {"bufferView", "byteOffset", "componentType", "count", "type"}));
        std::string bytes;
        std::vector<std::uint64_t> start;
        for (const Buffer& buffer : buffers_) {
            start.push_back(bytes.size());
            bytes += buffer.bytes;
            bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
        }
        for (const View& view : views_) {
            json& row = out["bufferViews"].emplace_back(
                json{{"buffer", 0}, {"byteOffset", start[view.buffer] + view.offset}, {"byteLength", view.size}});
            if (view.stride != 0) row["byteStride"] = view.stride;
        }
        if (!buffers_.empty()) out["buffers"] = json::array({{{"byteLength", bytes.size()}}});
        std::string text = out.dump(-1, ' ', false, json::error_handler_t::replace);
        text.resize((text.size() + 3) / 4 * 4, ' ');
        if (text.size() + bytes.size() > 0xFFFFFF00U) fail("has more than 4 GB");
        const auto size = [](const std::string& of) { return static_cast<std::uint32_t>(of.size()); };
        return "glTF" + little_endian({2, 28 + size(text) + size(bytes), size(text)}) + "JSON" + text +
               little_endian({size(bytes)}) + std::string("BIN\0", 4) + bytes;
    }

  private:
    struct Buffer {
        std::uint64_t size = 0;
        std::string bytes;  ///< at least so many
    };

    [[noreturn]] static void fail(const std::string& reason) { throw std::invalid_argument(reason); }

    // A .glb: 12 bytes, then chunks of length, kind and bytes; JSON first, then perhaps one of buffer bytes.
    void split(std::string_view file, std::string_view& text, std::string_view& chunk) const {
        if (file.size() < 20 || file.substr(0, 4) != "glTF") fail("is cut short within the header of a .glb file");
        if (word_at(file, 4) != 2) fail("is of glTF version " + std::to_string(word_at(file, 4)) + "; 2 is read");
        if (word_at(file, 8) < 20 || word_at(file, 8) > file.size())
            fail("the header of the .glb file promises " + std::to_string(word_at(file, 8)) + " bytes, but there are " +
                 std::to_string(file.size()) + "; it is cut short or damaged");
        file = file.substr(0, word_at(file, 8));
        for (std::size_t at = 12, number = 0; at < file.size(); ++number) {
            const std::size_t left = file.size() - at;
            if (left < 8 || word_at(file, at) > left - 8)
                fail("chunk " + std::to_string(number) + " of the .glb file promises more than the file holds");
            const std::string_view inside = file.substr(at + 8, word_at(file, at));
            if (number == 0) text = inside;
            if (number == 1) chunk = inside;
            at += 8 + inside.size();
        }
    }

    const json& rows(const json& of, const char* name) const {
        static const json kNone = json::array();
        const auto found = of.is_object() ? of.find(name) : of.end();
        if (!of.is_object() || found == of.end()) return kNone;
        if (!found->is_array()) fail(std::string("'") + name + "' is no list");
        return *found;
    }

    std::uint64_t whole(const json& of, const char* name, std::optional<std::uint64_t> otherwise = {}) const {
        const auto found = of.is_object() ? of.find(name) : of.end();
        if (!of.is_object() || found == of.end()) {
            if (otherwise) return *otherwise;
            fail(std::string("'") + name + "' is missing");
        }
        // No valid size or count exceeds 2^40, and below it the sum of two cannot overflow.
        if (!found->is_number_unsigned() || found->get<std::uint64_t>() > (std::uint64_t{1} << 40U))
            fail(std::string("'") + name + "' is no size, count or number: " + found->dump().substr(0, 40));
        return found->get<std::uint64_t>();
    }

    template <class Row>
    const Row& at(const std::vector<Row>& all, std::uint64_t number, const char* what) const {
        if (number >= all.size())
            fail(std::string(what) + ' ' + std::to_string(number) + " is named, but there are " +
                 std::to_string(all.size()));
        return all[number];
    }

    // Reads an external buffer. An untrusted mesh may read only files of its own folder.
    std::string bytes_beside(const std::string& uri, const std::string& name) const {
        namespace fs = std::filesystem;
        std::error_code ignored;
        const fs::path folder = fs::weakly_canonical(fs::absolute(path_).parent_path(), ignored);
        const fs::path file = fs::weakly_canonical(folder / uri, ignored);
        const fs::path from_folder = file.lexically_relative(folder);
        if (from_folder.empty() || *from_folder.begin() == "..")
            fail(name + " is in a file outside the mesh's folder, which is not read");
        if (!fs::is_regular_file(file, ignored)) fail(name + " is in a file that is not there, or is no regular file");
        return bytes_of(file);
    }

    void read_buffers(std::string_view chunk) {
        std::set<std::string> files;
        for (const json& row : rows(gltf_, "buffers")) {
            const std::string name = "buffer " + std::to_string(buffers_.size());
            Buffer buffer;
            buffer.size = whole(row, "byteLength");
            const auto found = row.find("uri");
            const std::string uri = found != row.end() && found->is_string() ? found->get<std::string>() : "";
            if (uri.starts_with("data:")) {
                const std::size_t comma = uri.find(',');
                const auto bytes = comma == std::string::npos ? std::nullopt : bytes_of_base64(uri.substr(comma + 1));
                if (!bytes || !uri.substr(0, comma).ends_with(";base64"))
                    fail(name + " is written as text, but not in base64");
                buffer.bytes = *bytes;
            } else if (!uri.empty()) {
                // Many names for one large file would take many times its size.
                if (!files.insert(uri).second) fail(name + " is in the same file as another");
                buffer.bytes = bytes_beside(uri, name);
            } else {
                if (!buffers_.empty()) fail(name + " names no file");
                buffer.bytes = std::string(chunk);
            }
            if (buffer.size > buffer.bytes.size())
                fail(name + " promises " + std::to_string(buffer.size) + " bytes, but there are " +
                     std::to_string(buffer.bytes.size()) + "; it is cut short");
            bytes_ += buffer.bytes.size();
            buffers_.push_back(std::move(buffer));
        }
    }

    struct View {
        std::uint64_t buffer, offset, size, stride;
    };
    void check_views() {
        for (const json& row : rows(gltf_, "bufferViews")) {
            const View view{whole(row, "buffer"), whole(row, "byteOffset", 0), whole(row, "byteLength"),
                            whole(row, "byteStride", 0)};
            if (view.offset + view.size > at(buffers_, view.buffer, "buffer").size)
                fail("buffer view " + std::to_string(views_.size()) + " reaches beyond its buffer");
            if (view.stride > 252) fail("buffer view " + std::to_string(views_.size()) + " has too long a stride");
            views_.push_back(view);
        }
    }

    struct Accessor {
        std::uint64_t count = 0, offset = 0, stride = 0, component = 0, component_bytes = 0;
        std::string_view type = {};
        bool sparse = false;
        std::optional<View> view =
            std::nullopt;  ///< nothing: all values are zero, or come from a sparse list or an extension
    };
    void check_accessors() {
        constexpr std::array<std::pair<std::string_view, std::uint64_t>, 7> kParts = {
            {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}}};
        for (const json& row : rows(gltf_, "accessors")) {
            const std::string name = "accessor " + std::to_string(accessors_.size());
            const std::uint64_t type = whole(row, "componentType");
            const auto found = row.find("type");
            const auto parts = std::ranges::find_if(kParts, [&](const auto& part) {
                return found != row.end() && found->is_string() && found->get_ref<const std::string&>() == part.first;
            });
            if (parts == kParts.end() || type < 5120 || type > 5126 || type == 5124)
                fail(name + " has a type that glTF does not know");
            Accessor accessor;
            accessor.count = whole(row, "count");
            accessor.component = type;
            accessor.type = parts->first;
            accessor.sparse = row.contains("sparse");
            accessor.component_bytes = type <= 5121 ? 1 : type <= 5123 ? 2 : 4;
            const std::uint64_t bytes = parts->second * accessor.component_bytes;
            if (row.contains("bufferView")) {
                accessor.view = at(views_, whole(row, "bufferView"), "buffer view");
                accessor.offset = whole(row, "byteOffset", 0);
                accessor.stride = accessor.view->stride == 0 ? bytes : accessor.view->stride;
                // No multiplication: an arbitrary count could overflow it.
                const std::uint64_t size = accessor.view->size;
                if (accessor.count > 0 && (accessor.offset + bytes > size ||
                                           accessor.count - 1 > (size - accessor.offset - bytes) / accessor.stride))
                    fail(name + " counts " + std::to_string(accessor.count) + ", more than its buffer view holds");
            } else if (accessor.count > std::filesystem::file_size(path_)) {
                fail(name + " counts more values than the file has bytes");
            }
            accessors_.push_back(accessor);
        }
    }

    // Checks that each node has at most one parent, and that no chain of nodes is too deep for a recursive reader.
    void check_nodes() const {
        constexpr int kMaxLevels = 500;
        const json& nodes = rows(gltf_, "nodes");
        const std::size_t count = nodes.size(), meshes = rows(gltf_, "meshes").size();
        const auto number_of = [](const json& value, std::size_t below, const char* what) {
            if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= below)
                fail(std::string("a ") + what + " is named that there is not: " + value.dump().substr(0, 20));
            return value.get<std::size_t>();
        };
        std::vector<std::size_t> parent(count, count);
        for (std::size_t i = 0; i < count; ++i) {
            if (nodes[i].is_object() && nodes[i].contains("mesh")) number_of(nodes[i]["mesh"], meshes, "mesh");
            for (const json& child : rows(nodes[i], "children")) {
                std::size_t& above = parent[number_of(child, count, "node")];
                if (above != count) fail("node " + child.dump() + " is the child of two nodes");
                above = i;
            }
        }
        // Compute levels from the roots down; a node that is never reached is part of a cycle.
        std::vector<int> level(count, 0);
        std::vector<std::size_t> next;
        for (std::size_t i = 0; i < count; ++i)
            if (parent[i] == count) next.push_back(i);
        std::size_t reached = 0;
        for (; !next.empty(); ++reached) {
            const std::size_t i = next.back();
            next.pop_back();
            level[i] = parent[i] == count ? 1 : level[parent[i]] + 1;
            if (level[i] > kMaxLevels)
                fail("has nodes below more than " + std::to_string(kMaxLevels) + " others, more than any model");
            for (const json& child : rows(nodes[i], "children")) next.push_back(child.get<std::size_t>());
        }
        if (reached != count) fail("has nodes that are below themselves");
        const json& scenes = rows(gltf_, "scenes");
        if (gltf_.contains("scene")) number_of(gltf_["scene"], scenes.size(), "scene");
        for (const json& scene : scenes) {
            std::set<std::size_t> roots;
            for (const json& root : rows(scene, "nodes"))
                if (const std::size_t i = number_of(root, count, "node"); parent[i] != count || !roots.insert(i).second)
                    fail("a scene names node " + std::to_string(i) + " twice, or below another");
        }
    }

    static bool has_positions(const json& primitive) {
        if (!primitive.is_object()) return false;
        const auto attributes = primitive.find("attributes");
        return attributes != primitive.end() && attributes->is_object() && attributes->contains("POSITION");
    }

    // Returns the accessor of positions or corners, in the type that Assimp copies without a check.
    const Accessor& shape_accessor(const json& of, const char* name, std::string_view type, bool known) const {
        const Accessor& accessor = at(accessors_, whole(of, name), "accessor");
        if (!accessor.view || accessor.sparse)
            fail(std::string(name) + " of a mesh is compressed or sparse, which is not read: write it in full");
        if (accessor.type != type || !known)
            fail(std::string(name) + " of a mesh has a type that glTF itself does not give it; quantised is not read");
        return accessor;
    }

    void check_corners(const json& primitive) {
        if (!has_positions(primitive)) return;
        if (whole(primitive, "mode", 4) > 6) fail("a mesh has a mode that glTF does not know");
        const auto component = [&](const json& of, const char* name) {
            return at(accessors_, whole(of, name), "accessor").component;
        };
        const json& attributes = primitive["attributes"];
        const Accessor& points =
            shape_accessor(attributes, "POSITION", "VEC3", component(attributes, "POSITION") == 5126);
        count_values(points.count);
        if (!primitive.contains("indices")) return;
        const std::uint64_t kind = component(primitive, "indices");
        const Accessor& corners =
            shape_accessor(primitive, "indices", "SCALAR", kind == 5121 || kind == 5123 || kind == 5125);
        count_values(corners.count);
        const char* first = buffers_[corners.view->buffer].bytes.data() + corners.view->offset + corners.offset;
        for (std::uint64_t i = 0; i < corners.count; ++i) {
            std::uint32_t corner = 0;
            std::memcpy(&corner, first + i * corners.stride, corners.component_bytes);
            if (corner >= points.count)
                fail("a face has a corner " + std::to_string(corner) + ", but there are " +
                     std::to_string(points.count) + " vertices");
        }
    }

    // Counts values per mesh: meshes may share them, but each gets a copy.
    void count_values(std::uint64_t count) {
        values_ += count;
        if (values_ > max_elements(bytes_ + std::filesystem::file_size(path_)))
            fail("its meshes use the same values over and over, more than a file of its size may");
    }

    json gltf_;
    std::uint64_t bytes_ = 0, values_ = 0;
    std::filesystem::path path_;
    std::vector<Buffer> buffers_;
    std::vector<View> views_;
    std::vector<Accessor> accessors_;
};

}  // namespace

void check_gltf(const std::filesystem::path& path) {
    GltfCheck(path).run();
}

std::string gltf_shape(const std::filesystem::path& path) {
    GltfCheck check(path);
    check.run();
    return check.shape();
}

}  // namespace glovebox::scenes
