#include "scenes/ply_check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/mesh_limits.h"

namespace glovebox::scenes {
namespace {

struct Type {
    std::string_view name, other_name;
    std::size_t bytes;
    bool real;
};
constexpr std::array<Type, 8> kTypes = {{{"char", "int8", 1, false},
                                         {"uchar", "uint8", 1, false},
                                         {"short", "int16", 2, false},
                                         {"ushort", "uint16", 2, false},
                                         {"int", "int32", 4, false},
                                         {"uint", "uint32", 4, false},
                                         {"float", "float32", 4, true},
                                         {"double", "float64", 8, true}}};

struct Property {
    const Type* count = nullptr;  ///< of a list's length; nullptr: a single value
    const Type* value = nullptr;
    bool corners = false;  ///< of a face, as numbers of vertices
};
struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

// Assimp splits words and lines differently at any other control character.
bool is_text(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return std::ranges::none_of(line, [](char c) { return c >= 0 && c < ' ' && c != '\t'; });
}

class PlyCheck {
  public:
    explicit PlyCheck(const std::filesystem::path& path)
        : path_(path), in_(path, std::ios::binary), file_bytes_(std::filesystem::file_size(path)) {}

    std::optional<std::size_t> run() {
        std::string line;
        std::getline(in_ >> std::ws, line);
        // Assimp accepts capitals too, and blank lines before.
        std::ranges::transform(line, line.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (line.rfind("ply", 0) != 0) return {};
        read_header();
        std::optional<std::size_t> eaten;
        if (!text_ && !returns_ && in_.peek() == '\n') eaten = static_cast<std::size_t>(in_.tellg());
        for (const Element& element : elements_) check(element);
        return eaten;
    }

  private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw std::runtime_error(path_.string() + ": " + reason);
    }

    const Type* type_of(const std::string& name, int row) const {
        for (const Type& type : kTypes)
            if (type.name == name || type.other_name == name) return &type;
        fail("line " + std::to_string(row) + " of the PLY header has the unknown type '" + name + "'");
    }

    void read_header() {
        std::string line;
        std::uintmax_t needed_bytes = 0;
        for (int row = 2; std::getline(in_, line); ++row) {
            std::istringstream words(line);
            std::string keyword, name, more;
            words >> keyword;
            if (keyword == "end_header" && is_text(line)) {
                returns_ = line.ends_with('\r');
                return;
            }
            if (keyword == "comment" || keyword == "obj_info") continue;
            words >> name;
            bool understood = false;
            if (keyword == "format") {
                text_ = name == "ascii";
                const bool big = name == "binary_big_endian";
                swapped_ = big != (std::endian::native == std::endian::big);
                understood = (text_ || big || name == "binary_little_endian") && (words >> more);
            } else if (keyword == "element") {
                Element& element = elements_.emplace_back();
                element.name = name;
                if (!(words >> element.count)) fail("line " + std::to_string(row) + " of the PLY header has no count");
                if (element.count > file_bytes_)
                    fail("line " + std::to_string(row) +
                         " of the PLY header promises more than the file holds; it is cut short");
                if (std::ranges::count(elements_, name, &Element::name) > 1)
                    fail("line " + std::to_string(row) + " of the PLY header names " + name + " again");
                if (name == "vertex") vertices_ = element.count;
                understood = true;
            } else if (keyword == "property" && !elements_.empty()) {
                Property property;
                if (name == "list") {
                    std::string count, value;
                    words >> count >> value;
                    property.count = type_of(count, row);
                    property.value = type_of(value, row);
                } else {
                    property.value = type_of(name, row);
                }
                understood = static_cast<bool>(words >> name);
                property.corners =
                    property.count != nullptr && elements_.back().name == "face" && name.rfind("vertex_ind", 0) == 0;
                elements_.back().properties.push_back(property);
                // A value takes at least one byte, in text a separator beside it.
                needed_bytes += elements_.back().count;
                if (needed_bytes > file_bytes_)
                    fail("line " + std::to_string(row) +
                         " of the PLY header promises more than the file holds; it is cut short");
            }
            if (!understood || (words >> more) || !is_text(line))
                fail("line " + std::to_string(row) + " of the PLY header cannot be understood");
        }
        fail("the PLY header has no end; the file is cut short");
    }

    void check(const Element& element) {
        for (std::uint64_t i = 0; i < element.count; ++i) {
            next_line(element, i);
            for (const Property& property : element.properties) {
                const std::uint64_t values = property.count == nullptr ? 1 : whole(number(*property.count), element, i);
                if (property.corners && values == 0) fail("face " + std::to_string(i) + " has no corners");
                if (property.corners && values > kMaxCorners)
                    fail("face " + std::to_string(i) + " has more than " + std::to_string(kMaxCorners) + " corners");
                for (std::uint64_t k = 0; k < values; ++k) {
                    const double value = number(*property.value);
                    if (!in_)
                        fail("ends inside " + element.name + " " + std::to_string(i) + "; it is cut short or damaged");
                    if (property.corners && whole(value, element, i) >= vertices_)
                        fail("face " + std::to_string(i) + " has a corner " +
                             std::to_string(static_cast<std::int64_t>(value)) + ", but there are " +
                             std::to_string(vertices_) + " vertices");
                }
            }
        }
    }

    // In text files, every vertex and face is one line; Assimp does not read its numbers beyond the line's end.
    void next_line(const Element& element, std::uint64_t i) {
        if (!text_) return;
        std::string line;
        if (!std::getline(in_, line))
            fail("ends before " + element.name + " " + std::to_string(i) + "; it is cut short");
        if (!is_text(line))
            fail("the line of " + element.name + " " + std::to_string(i) + " is no text; it is damaged");
        words_ = std::istringstream(line);
    }

    std::uint64_t whole(double value, const Element& element, std::uint64_t i) const {
        if (!in_) fail("ends inside " + element.name + " " + std::to_string(i) + "; it is cut short or damaged");
        if (!(value >= 0.0) || value > 4.3e9) return std::uint64_t{1} << 62U;  // as a corner it is out of range
        return static_cast<std::uint64_t>(value);
    }

    double number(const Type& type) {
        if (text_) {
            std::string word;
            if (!(words_ >> word)) in_.setstate(std::ios::failbit);
            return std::strtod(word.c_str(), nullptr);
        }
        std::array<char, 8> bytes{};
        in_.read(bytes.data(), static_cast<std::streamsize>(type.bytes));
        if (swapped_)
            for (std::size_t i = 0; i < type.bytes / 2; ++i) std::swap(bytes[i], bytes[type.bytes - 1 - i]);
        const auto as = [&bytes](auto value) {
            std::memcpy(&value, bytes.data(), sizeof value);
            return static_cast<double>(value);
        };
        const bool is_signed = type.name[0] != 'u';
        switch (type.bytes) {
            case 1:
                return is_signed ? as(std::int8_t{}) : as(std::uint8_t{});
            case 2:
                return is_signed ? as(std::int16_t{}) : as(std::uint16_t{});
            case 4:
                return type.real ? as(float{}) : is_signed ? as(std::int32_t{}) : as(std::uint32_t{});
            default:
                return as(double{});
        }
    }

    std::filesystem::path path_;
    std::ifstream in_;
    std::istringstream words_;  // the current line of a text file
    std::uintmax_t file_bytes_;
    std::vector<Element> elements_;
    std::uint64_t vertices_ = 0;
    bool text_ = true, swapped_ = false;
    bool returns_ = false;  // a carriage return precedes the header's last line feed
};

}  // namespace

std::optional<std::size_t> check_ply(const std::filesystem::path& path) {
    return PlyCheck(path).run();
}

}  // namespace glovebox::scenes
