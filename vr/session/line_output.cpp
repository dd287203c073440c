#include "vr/session/line_output.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "recordings/json.h"
#include "vr/platform/version.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::string_view kHeadStart = "{\"lines_of\":\"";
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

// A file may come from anywhere, so a line is no more than text until it is parsed.
ordered_json json_of_line(const std::string& line) {
    constexpr int kDeepest = 64;  // nesting limit, because destroying nested values recurses
    if (line.size() > kLongestLine || recordings::json_depth(line) > kDeepest) return nullptr;
    return ordered_json::parse(line, nullptr, false);
}

// Says in which of command, version and settings a first line differs.
std::string made_by(const ordered_json& head, const ordered_json& wanted) {
    const auto word = [&head](const char* name) {
        return head.contains(name) && head[name].is_string() ? head[name].get<std::string>() : std::string("?");
    };
    if (word("lines_of") != wanted["lines_of"]) return "was written by `glovebox " + word("lines_of") + "`";
    if (word("version") != wanted["version"]) return "was written by version " + word("version");
    for (const auto& [name, value] : wanted["settings"].items())
        if (!head["settings"].is_object() || !head["settings"].contains(name) || head["settings"][name] != value)
            return "was written with another " + name;
    return "was written with other settings";
}

std::string key_of(const std::string& recording) {
    return fs::path(recording).lexically_normal().generic_string();
}

}  // namespace

LineOutput::LineOutput(const fs::path& path, std::string_view command, const ordered_json& settings, bool force)
    : file_(recordings::file_at(path)), lock_(file_) {
    const std::string head = text_of({{"lines_of", command}, {"version", kVersion}, {"settings", settings}});
    if (fs::exists(file_) && fs::file_size(file_) > 0) take_over(head, force);
    const bool begins = !fs::exists(file_) || fs::file_size(file_) == 0;
    out_.open(file_, std::ios::binary | std::ios::app);
    if (begins) out_ << head << std::endl;
    if (!out_) throw recordings::ExportError(path.string() + ": cannot be written: " + std::strerror(errno));
}

// Reads the lines of an earlier run and removes one that was cut off.
void LineOutput::take_over(const std::string& head, bool force) {
    std::ifstream in(file_, std::ios::binary);
    if (!in) throw recordings::ExportError(file_.string() + ": cannot be read: " + std::strerror(errno));
    std::string line;
    line.resize(head.size());
    in.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(in.gcount()));
    const bool begins_as_ours = line.starts_with(kHeadStart);
    const bool cut_in_head = line.size() >= kHeadStart.size() && line.size() < head.size() && head.starts_with(line);
    in.clear();
    in.seekg(0);
    if (!cut_in_head && (!std::getline(in, line) || line != head)) {
        if (force) {
            recordings::expect_replaceable(file_, true);
            in.close();
            fs::resize_file(file_, 0);
            return;
        }
        const ordered_json other = begins_as_ours ? json_of_line(line) : ordered_json();
        throw recordings::ExportError(file_.string() + ": " +
                                      (other.is_object() ? made_by(other, ordered_json::parse(head))
                                                         : std::string("exists, and was not written by this command")) +
                                      "; name another file");
    }
    std::uintmax_t keep = 0;
    bool lacks_newline = false;
    if (!cut_in_head) {
        lacks_newline = in.eof();
        keep = head.size() + (lacks_newline ? 0 : 1);
        for (std::size_t number = 2; std::getline(in, line); ++number) {
            const ordered_json json = json_of_line(line);
            const bool whole = json.is_object() && json.contains("path") && json["path"].is_string();
            if (!whole && in.eof()) break;  // cut off
            if (!whole)
                throw recordings::ExportError(file_.string() + ", line " + std::to_string(number) +
                                              ": is not a line of this command; name another file");
            keep += line.size() + (in.eof() ? 0 : 1);
            lacks_newline = in.eof();
            done_.insert(key_of(json["path"].get<std::string>()));
            ++earlier_.lines;
            earlier_.errors += json.contains("error") ? 1 : 0;
            earlier_.unfit += json.contains("unfit") && !json["unfit"].empty() ? 1 : 0;
        }
    }
    in.close();
    std::error_code error;
    if (keep < fs::file_size(file_)) fs::resize_file(file_, keep, error);
    if (!error && lacks_newline && !(std::ofstream(file_, std::ios::binary | std::ios::app) << '\n'))
        error = std::make_error_code(std::errc::io_error);
    if (error) throw recordings::ExportError(file_.string() + ": cannot be written: " + error.message());
}

bool LineOutput::has(const std::string& recording) const {
    return done_.contains(key_of(recording));
}

bool LineOutput::is_output(const fs::path& recording) const {
    std::error_code ignored;
    return fs::equivalent(recording, file_, ignored) ||
           recording.filename().string() == file_.filename().string() + ".lock";
}

void LineOutput::add(const std::string& recording, const ordered_json& rest) {
    ordered_json line = {{"path", recording}};
    line.update(rest);
    ++(line.contains("error") ? skipped_ : read_);
    done_.insert(key_of(recording));
    out_ << text_of(line) << std::endl;
    if (!out_) throw recordings::ExportError(file_.string() + ": writing stopped: " + std::strerror(errno));
}

std::string LineOutput::summary() const {
    return std::to_string(read_) + " read, " + std::to_string(earlier_.lines) + " were there already, " +
           std::to_string(skipped_) + " skipped";
}

}  // namespace glovebox::vr
