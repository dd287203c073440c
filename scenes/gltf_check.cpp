#include "scenes/gltf_check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

// Brackets inside brackets, strings left out. Readers of JSON call themselves for each, until the stack ends.
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

struct Buffer {
    std::uint64_t size = 0;
    std::optional<std::string> bytes = std::nullopt;  ///< nothing where they are written as text
};

class GltfCheck {
  public:
    explicit GltfCheck(const std::filesystem::path& path) : path_(path) {}

    void run() {
        std::array<char, 4> magic{};
        std::ifstream(path_, std::ios::binary).read(magic.data(), magic.size());
        const bool binary = std::string_view(magic.data(), magic.size()) == "glTF";
        std::string ending = path_.extension().string();
        std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
        if (!binary && ending != ".gltf" && ending != ".glb") return;
        const std::string file = bytes_of(path_);
        std::string_view text = file, chunk;
        if (binary || ending == ".glb") split(file, text, chunk);
        constexpr int kMostNesting = 200;  // glTF itself needs about ten; the rest is for what programs add
        if (deepest_nesting(text) > kMostNesting) fail("the JSON of the glTF file is nested too deeply to be true");
        const json gltf = json::parse(text, nullptr, false);
        if (!gltf.is_object()) fail("the JSON of the glTF file cannot be read; it may be cut short");
        // Version 1 names its parts instead of listing them; what it says of itself is not looked at.
        if (gltf.contains("asset") && gltf["asset"].is_object() && gltf["asset"].contains("version") &&
            gltf["asset"]["version"] == "1.0")
            return;
        read_buffers(gltf, chunk);
        check_views(gltf);
        check_accessors(gltf);
        for (const json& mesh : rows(gltf, "meshes"))
            for (const json& primitive : rows(mesh, "primitives")) check_corners(primitive);
    }

  private:
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
        // Beyond 2^40 no size or count can be true, and sums of two cannot overflow.
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

    void read_buffers(const json& gltf, std::string_view chunk) {
        for (const json& row : rows(gltf, "buffers")) {
            Buffer buffer;
            buffer.size = whole(row, "byteLength");
            const auto found = row.find("uri");
            const std::string uri = found != row.end() && found->is_string() ? found->get<std::string>() : "";
            const std::filesystem::path beside = path_.parent_path() / uri;
            std::uint64_t there = 0;
            if (uri.starts_with("data:")) {
                there = (uri.size() - std::min(uri.size(), uri.find(',') + 1)) / 4 * 3;
            } else if (!uri.empty()) {
                // A name that is not there may be written in another way (%20); the reader says if it is not.
                if (std::filesystem::is_regular_file(beside)) buffer.bytes = bytes_of(beside);
                there = buffer.bytes ? buffer.bytes->size() : buffer.size;
            } else {
                buffer.bytes = std::string(chunk);
                there = chunk.size();
            }
            if (buffer.size > there)
                fail("buffer " + std::to_string(buffers_.size()) + " promises " + std::to_string(buffer.size) +
                     " bytes, but there are " + std::to_string(there) + "; it is cut short");
            buffers_.push_back(std::move(buffer));
        }
    }

    struct View {
        std::uint64_t buffer, offset, size, stride;
    };
    void check_views(const json& gltf) {
        for (const json& row : rows(gltf, "bufferViews")) {
            const View view{whole(row, "buffer"), whole(row, "byteOffset", 0), whole(row, "byteLength"),
                            whole(row, "byteStride", 0)};
            if (view.offset + view.size > at(buffers_, view.buffer, "buffer").size)
                fail("buffer view " + std::to_string(views_.size()) + " reaches beyond its buffer");
            if (view.stride > 252) fail("buffer view " + std::to_string(views_.size()) + " has too long a stride");
            views_.push_back(view);
        }
    }

    struct Accessor {
        std::uint64_t count = 0, offset = 0, stride = 0, component_bytes = 0;
        std::optional<View> view = std::nullopt;  ///< nothing: zeros, or values that a sparse list gives
    };
    void check_accessors(const json& gltf) {
        constexpr std::array<std::pair<std::string_view, std::uint64_t>, 7> kParts = {
            {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}}};
        for (const json& row : rows(gltf, "accessors")) {
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
            accessor.component_bytes = type <= 5121 ? 1 : type <= 5123 ? 2 : 4;
            const std::uint64_t bytes = parts->second * accessor.component_bytes;
            if (row.contains("bufferView")) {
                accessor.view = at(views_, whole(row, "bufferView"), "buffer view");
                accessor.offset = whole(row, "byteOffset", 0);
                accessor.stride = accessor.view->stride == 0 ? bytes : accessor.view->stride;
                // No product: a count can be as large as it likes.
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

    void check_corners(const json& primitive) const {
        if (!primitive.is_object() || !primitive.contains("indices")) return;
        const auto attributes = primitive.find("attributes");
        if (attributes == primitive.end() || !attributes->is_object() || !attributes->contains("POSITION")) return;
        const Accessor& corners = at(accessors_, whole(primitive, "indices"), "accessor");
        const Accessor& points = at(accessors_, whole(*attributes, "POSITION"), "accessor");
        if (!corners.view) return;
        const Buffer& buffer = buffers_[corners.view->buffer];
        if (!buffer.bytes) return;
        const char* first = buffer.bytes->data() + corners.view->offset + corners.offset;
        for (std::uint64_t i = 0; i < corners.count; ++i) {
            std::uint32_t corner = 0;
            std::memcpy(&corner, first + i * corners.stride, corners.component_bytes);
            if (corner >= points.count)
                fail("a face has a corner " + std::to_string(corner) + ", but there are " +
                     std::to_string(points.count) + " vertices");
        }
    }

    std::filesystem::path path_;
    std::vector<Buffer> buffers_;
    std::vector<View> views_;
    std::vector<Accessor> accessors_;
};

}  // namespace

void check_gltf(const std::filesystem::path& path) {
    GltfCheck(path).run();
}

}  // namespace glovebox::scenes
