// C3D: a header of 512 bytes, blocks of parameters by group and name, then frames of points and analog values. Source:
// The C3D File Format (c3d.org). Numbers are those of the processor that wrote the file: Intel and DEC are read.
//
// A point is a marker on the skin. Its label says which joint it marks (R_Index_MCP, RIndexTip, RThumb1); markers with
// other labels are ignored. Two markers at the sides of the wrist have the wrist between them. Joints are taken at
// their markers. Points that were not seen are lost. X_SCREEN and Y_SCREEN, if the file has them, are our X and Y axes.
#include "recordings/formats/c3d.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

#include "recordings/formats/byte_reader.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_names.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr std::size_t kC3dBlock = 512, kMaxC3dBytes = std::size_t{1} << 30;
enum class C3dProcessor { intel = 84, dec = 85, mips = 86 };

struct C3dParameter {
    int type = 0;  // -1 text, 1 bytes, 2 16-bit integers, 4 numbers
    std::vector<std::size_t> shape;
    std::string_view data;
};

class C3d {
  public:
    C3d(const Input& in, std::string_view bytes) : in_(in), bytes_(bytes) {
        ByteReader header(bytes);
        const std::size_t first_block = header.integer(1);
        read_parameters((first_block - 1) * kC3dBlock);
        read_layout();
    }

    std::size_t points() const { return points_; }
    std::size_t frames() const { return frames_; }
    double rate_hz() const { return rate_hz_; }
    bool is_cut() const { return cut_; }

    std::vector<std::string> labels() const {
        std::vector<std::string> all;
        for (std::size_t i = 1; i < 64; ++i) {
            const C3dParameter* list = find("POINT", "LABELS" + (i == 1 ? "" : std::to_string(i)));
            if (list == nullptr) break;
            const std::size_t width = list->shape.empty() ? 0 : list->shape[0];
            for (std::size_t at = 0; width > 0 && at + width <= list->data.size(); at += width)
                all.emplace_back(trimmed(list->data.substr(at, width)));
        }
        all.resize(std::min(all.size(), points_));
        return all;
    }
    std::string text(const char* group, const char* name) const {
        const C3dParameter* found = find(group, name);
        return found == nullptr || found->type != -1 ? std::string() : std::string(trimmed(found->data));
    }
    /// Returns a point in the file's unit; nothing if it was not seen.
    std::optional<Eigen::Vector3f> point(std::size_t frame, std::size_t index) const {
        const std::size_t size = is_real_ ? 4 : 2;
        ByteReader from(bytes_, data_at_ + frame * frame_bytes_ + 4 * size * index);
        Eigen::Vector3f place;
        for (float& v : place) v = is_real_ ? real(from) : scale_ * static_cast<float>(integer(from));
        const float residual = is_real_ ? real(from) : static_cast<float>(integer(from));
        if (!from.ok() || !(residual >= 0.0F) || !place.allFinite()) return std::nullopt;
        return place;
    }

  private:
    std::int16_t integer(ByteReader& from) const { return from.number<std::int16_t>(); }
    // A number of DEC has its halves swapped and an exponent that is larger by two.
    float real(ByteReader& from) const {
        const auto word = from.number<std::uint32_t>();
        if (processor_ != C3dProcessor::dec) return std::bit_cast<float>(word);
        return 0.25F * std::bit_cast<float>(word >> 16 | word << 16);
    }

    void read_parameters(std::size_t start) {
        ByteReader from(bytes_, start);
        from.skip(2);
        const std::uint64_t blocks = from.integer(1), processor = from.integer(1);
        if (!from.ok()) in_.fail_cut("the C3D file ends before its parameters: it is cut off");
        processor_ = static_cast<C3dProcessor>(processor);
        if (processor_ == C3dProcessor::mips)
            in_.fail("the numbers of this C3D file are in the order of MIPS, which is not read; save it for Intel");
        const std::size_t end = std::min(bytes_.size(), start + std::max<std::size_t>(blocks, 1) * kC3dBlock);
        std::map<int, std::string> groups;
        std::map<std::pair<int, std::string>, C3dParameter> found;
        while (from.at() < end) {
            const int name_size = std::abs(from.number<std::int8_t>());
            const int group = from.number<std::int8_t>();
            if (name_size == 0 || group == 0) break;
            std::string name(from.view(static_cast<std::size_t>(name_size)));
            const std::size_t at = from.at();
            const std::size_t next = from.integer(2);
            if (!from.ok()) break;
            if (group < 0)
                groups[-group] = name;
            else
                found[{group, name}] = parameter(from);
            if (next == 0) break;
            from = ByteReader(bytes_, at + next);
        }
        for (auto& [id, value] : found)
            if (const auto group = groups.find(id.first); group != groups.end())
                parameters_[group->second + ":" + id.second] = std::move(value);
    }

    static C3dParameter parameter(ByteReader from) {
        C3dParameter value;
        value.type = from.number<std::int8_t>();
        const std::size_t dimensions = from.integer(1);
        std::size_t bytes = static_cast<std::size_t>(std::abs(value.type));
        for (std::size_t i = 0; i < dimensions && i < 8; ++i) {
            value.shape.push_back(from.integer(1));
            bytes *= value.shape.back();
            bytes = std::min<std::size_t>(bytes, 1U << 24);
        }
        value.data = from.view(bytes);
        return value;
    }

    const C3dParameter* find(const std::string& group, const std::string& name) const {
        const auto found = parameters_.find(group + ":" + name);
        return found == parameters_.end() ? nullptr : &found->second;
    }
    std::optional<double> number(const char* group, const char* name) const {
        const C3dParameter* found = find(group, name);
        if (found == nullptr) return std::nullopt;
        ByteReader from(found->data);
        if (found->type == 4) {
            const float value = real(from);
            return from.ok() ? std::optional<double>(static_cast<double>(value)) : std::nullopt;
        }
        const std::uint64_t value = from.integer(2);  // counts are unsigned
        return found->type == 2 && from.ok() ? std::optional<double>(static_cast<double>(value)) : std::nullopt;
    }

    void read_layout() {
        ByteReader header(bytes_);
        header.skip(2);
        points_ = header.integer(2);
        const std::size_t analog = header.integer(2), first = header.integer(2), last = header.integer(2);
        header.skip(2);
        scale_ = real(header);
        const std::size_t data_block = header.integer(2);
        header.skip(2);
        rate_hz_ = static_cast<double>(real(header));
        points_ = static_cast<std::size_t>(number("POINT", "USED").value_or(static_cast<double>(points_)));
        scale_ = static_cast<float>(number("POINT", "SCALE").value_or(static_cast<double>(scale_)));
        rate_hz_ = number("POINT", "RATE").value_or(rate_hz_);
        const auto start =
            static_cast<std::size_t>(number("POINT", "DATA_START").value_or(static_cast<double>(data_block)));
        is_real_ = scale_ < 0.0F;
        if (points_ == 0) in_.fail("this C3D file has no points, only analog values: it holds no hands");
        if (!(rate_hz_ > 0.0) || rate_hz_ > 1e6 || !std::isfinite(scale_) || start == 0 || last < first)
            in_.fail("the header of the C3D file is damaged");
        data_at_ = (start - 1) * kC3dBlock;
        frame_bytes_ = (4 * points_ + analog) * (is_real_ ? 4U : 2U);
        // Counts of 16 bits are too small for long recordings; the data then extend to the end of the file.
        const std::size_t counted = last - first + 1;
        const std::size_t stored = data_at_ < bytes_.size() ? (bytes_.size() - data_at_) / frame_bytes_ : 0;
        const bool is_full = last == 65535 || number("POINT", "FRAMES").value_or(0.0) == 65535.0;
        frames_ = is_full ? stored : std::min(counted, stored);
        cut_ = !is_full && stored < counted;
        if (frames_ == 0) in_.fail_cut("the C3D file ends before its first frame: it is cut off");
    }

    const Input& in_;
    std::string_view bytes_;
    C3dProcessor processor_ = C3dProcessor::intel;
    std::map<std::string, C3dParameter> parameters_;  // by "GROUP:NAME"
    std::size_t points_ = 0, frames_ = 0, data_at_ = 0, frame_bytes_ = 0;
    float scale_ = 1.0F;
    double rate_hz_ = 0.0;
    bool is_real_ = false, cut_ = false;
};

struct WristMarker {
    std::string_view marker;
    Side side;
};
// Two markers at the wrist, by Vicon's and OptiTrack's names, in letters_of().
constexpr std::array<WristMarker, 8> kWristMarkers = {{{"lwra", Side::left},
                                                       {"lwrb", Side::left},
                                                       {"rwra", Side::right},
                                                       {"rwrb", Side::right},
                                                       {"lwristin", Side::left},
                                                       {"lwristout", Side::left},
                                                       {"rwristin", Side::right},
                                                       {"rwristout", Side::right}}};

// Returns the indices of the markers of each array: one marker, or two whose middle is taken.
std::map<std::string, std::vector<std::size_t>> markers_of(const std::vector<std::string>& labels) {
    std::map<std::string, std::vector<std::size_t>> markers;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::size_t name_at = labels[i].rfind(':') + 1;  // after the figure's name, if there is one
        const std::string letters = letters_of(std::string_view(labels[i]).substr(name_at));
        const auto wrist = std::find_if(kWristMarkers.begin(), kWristMarkers.end(),
                                        [&letters](const WristMarker& name) { return name.marker == letters; });
        if (wrist != kWristMarkers.end())
            markers[labels[i].substr(0, name_at).append(name_of(wrist->side)) + "_wrist"].push_back(i);
        else if (joint_of_track_name(labels[i]))
            markers.try_emplace(labels[i], 1, i);
    }
    // A marker at one side of the wrist is not at the wrist.
    std::erase_if(markers, [&labels](const auto& marker) {
        const auto& [name, indices] = marker;
        return indices.size() == 1 && name.ends_with("_wrist") && !joint_of_track_name(labels[indices[0]]);
    });
    return markers;
}

// Returns the rotation to our axes: "+X" or "-Z" for the axes that are right and up on the screen.
std::optional<Eigen::Matrix3f> axes_of_screen(const std::string& right, const std::string& up) {
    const auto axis = [](const std::string& name) -> Eigen::Vector3f {
        if (name.size() != 2 || (name[0] != '+' && name[0] != '-') || name[1] < 'X' || name[1] > 'Z')
            return Eigen::Vector3f::Zero();
        return (name[0] == '-' ? -1.0F : 1.0F) * Eigen::Vector3f::Unit(name[1] - 'X');
    };
    const Eigen::Vector3f x = axis(right), y = axis(up);
    if (x.isZero() || y.isZero() || x.dot(y) != 0.0F) return std::nullopt;
    Eigen::Matrix3f ours_from_file;
    ours_from_file << x.transpose(), y.transpose(), x.cross(y).transpose();
    return ours_from_file;
}

std::optional<float> metres_of(const std::string& unit) {
    if (unit == "mm") return 0.001F;
    if (unit == "cm") return 0.01F;
    if (unit == "m") return 1.0F;
    if (unit == "in") return 0.0254F;
    return std::nullopt;
}

}  // namespace

bool is_c3d(std::string_view head, std::uintmax_t) {
    ByteReader header(head);
    const std::size_t first_block = header.integer(1);
    if (header.integer(1) != 0x50 || first_block == 0) return false;
    ByteReader parameters(head, (first_block - 1) * kC3dBlock);
    parameters.skip(3);
    const std::uint64_t processor = parameters.integer(1);
    return first_block > 1 && parameters.ok() && processor >= 84 && processor <= 86;
}

void read_c3d(Input& in, const ImportOptions& options, Assembly& out) {
    const std::string bytes = in.read_all(kMaxC3dBytes);
    const C3d file(in, bytes);
    const std::vector<std::string> labels = file.labels();
    const auto markers = markers_of(labels);
    const auto turned = axes_of_screen(file.text("POINT", "X_SCREEN"), file.text("POINT", "Y_SCREEN"));
    if (turned && !turned->isIdentity())
        out.note("The file's axes " + file.text("POINT", "X_SCREEN") + " (right) and " +
                 file.text("POINT", "Y_SCREEN") + " (up) became X and Y.");
    Arrays arrays;
    std::deque<std::string> storage;
    for (const auto& [name, indices] : markers) {
        std::string& data = storage.emplace_back();
        for (std::size_t frame = 0; frame < file.frames(); ++frame) {
            Eigen::Vector3f sum = Eigen::Vector3f::Zero();
            for (const std::size_t index : indices) {
                const auto place = file.point(frame, index);
                sum += place ? *place : Eigen::Vector3f::Constant(std::numeric_limits<float>::quiet_NaN());
            }
            sum /= static_cast<float>(indices.size());
            if (turned) sum = *turned * sum;
            data.append(reinterpret_cast<const char*>(sum.data()), 3 * sizeof(float));
        }
        arrays[name] = {'f', sizeof(float), {file.frames(), 3}, data};
    }
    if (!has_tracked_hand(arrays)) {
        std::string some;
        for (const std::string& label : labels)
            if (some.size() < 120) some.append(some.empty() ? "" : ", ").append(excerpt(label));
        in.fail("the markers of this C3D file are not those of a hand (" + some +
                "); 10 or more with the joint in the label are needed, such as R_Wrist, R_Index_MCP, RThumbTip");
    }
    ArrayFacts facts;
    facts.axes_known = true;
    facts.frame_ns = 1e9 / file.rate_hz();
    facts.unit_m = metres_of(file.text("POINT", "UNITS"));
    out.note("Markers lie on the skin; joints were taken at their markers.");
    read_hand_arrays(in, arrays, options, facts, out);
    if (file.is_cut()) in.fail_cut("the C3D file is cut off");
}

}  // namespace glovebox::recordings
