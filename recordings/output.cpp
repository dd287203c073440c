#include "recordings/output.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <random>
#include <system_error>
#include <utility>

#include "recordings/format.h"

namespace glovebox::recordings {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // as in Linux; more links are a cycle

constexpr std::string_view kLogMark("SQLite format 3\0", 16);

// First bytes of files that Glovebox replaces from run to run. No other program and no recording begins like this.
constexpr std::array<std::string_view, 21> kOwnStarts = {
    "{\n  \"recording\": {",   // report of a session
    "{\n  \"recordings\": [",  // touches of several
    "recording,kind,hand,",    // touches
    "<!doctype html>\n<html lang=\"en\" data-by=\"glovebox\"",
    "{\n  \"bench\": ",                  // report of a bench
    "[\n  {\n    \"bench\": ",           // of all of them
    "<!-- Written by `glovebox bench`",  // page of a bench
    "{\n  \"lab\": ",                    // of a lab
    "{\n  \"question\": \"",             // of a search
    "{\n  \"mesh\": \"",                 // of `fit`
    "GBXTREE\n",                         // and its tree
    "{\n  \"what\": \"Contacts of ",     // data card of labels
    "{\"columns\":[\"recording\",",      // labels
    "# {\"recording\":",                 // part of labels
    "GBXTOUCH",                          // index of a take
    "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{"
    "\"name\":\"glovebox\"",                    // trace
    "frame,time_s,hand,bone,object,touching,",  // contacts
    "time_s,hand,stop,thumb_force,",            // haptics
    "recording,frame,time_s,hand,",             // labels
    "{\n \"glovebox_profile\": ",               // profile of a user
    "<svg xmlns='http://www.w3.org/2000/svg' data-by='glovebox'",
};

bool is_own_output(std::string_view head) {
    return std::ranges::any_of(kOwnStarts, [head](std::string_view start) { return head.starts_with(start); }) ||
           (head.starts_with("\x89PNG") && head.substr(0, 100).find(kPngMark) != std::string_view::npos) ||
           (head.size() > 20 && head.starts_with("glTF") &&
            head.substr(20).starts_with("{\"asset\":{\"generator\":\"glovebox")) ||
           (head.starts_with("%PDF") && head.substr(0, 24).find(kPdfMark) != std::string_view::npos);
}

fs::file_status status_of(const fs::path& path) {
    std::error_code ignored;
    return fs::status(path, ignored);
}

// Returns true for a recording of any format, as recognised by `info`.
bool is_recording(const fs::path& path) {
    try {
        recognise_format(Input(path));
        return true;
    } catch (const ImportError&) {
        return false;
    }
}

void refuse_folder(const fs::path& path) {
    if (fs::is_directory(status_of(path)))
        throw ExportError(path.string() + ": cannot be written: it is a folder; name a file");
}

}  // namespace

bool is_standard_output(const fs::path& path) {
    std::error_code ignored;
    return fs::equivalent(path, "/dev/stdout", ignored);
}

fs::path behind_links(fs::path path) {
    std::error_code error;
    for (int i = 0; i < kMaxLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
        const fs::path next = fs::read_symlink(path, error);
        if (error) break;
        path = path.parent_path() / next;
    }
    return path;
}

fs::path file_at(const fs::path& path) {
    refuse_folder(path);
    const fs::file_status there = status_of(path);
    if (fs::exists(there) && !fs::is_regular_file(there))
        throw ExportError(path.string() + ": cannot be written: it is a device or a pipe, and this has to be a file");
    return behind_links(path);
}

void expect_place(const fs::path& path) {
    refuse_folder(path);
    const fs::path folder = behind_links(path).parent_path();
    if (!fs::exists(status_of(path)) && !folder.empty() && !fs::is_directory(status_of(folder)))
        throw ExportError(path.string() + ": cannot be written: there is no folder " + folder.string());
}

void expect_replaceable(const fs::path& path, bool force) {
    const fs::file_status there = status_of(path);
    if (!fs::exists(there) || !fs::is_regular_file(there) || is_standard_output(path)) return;
    std::array<char, 4096> bytes{};
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), bytes.size());
    const std::string_view head(bytes.data(), static_cast<std::size_t>(file.gcount()));
    if (!file.is_open()) throw ExportError(path.string() + ": cannot be written: " + std::strerror(errno));
    if (head.empty() || is_own_output(head)) return;
    if (head.starts_with(kLogMark) || is_recording(path))
        throw ExportError(path.string() + ": is a recording, and those are never replaced; name another file");
    if (force) return;
    throw ExportError(path.string() +
                      ": exists, and nothing in it says that glovebox wrote it; name another file, or " +
                      "give --force to replace it");
}

namespace {

fs::path unknown_name_beside(const fs::path& file) {
    std::random_device device;
    std::array<std::uint32_t, 2> random = {device(), device()};
    // Names have at most 255 bytes.
    std::string name = file.filename().string().substr(0, 200) + '.';
    for (const std::uint32_t word : random)
        for (int shift = 28; shift >= 0; shift -= 4) name += "0123456789abcdef"[word >> shift & 15U];
    return file.parent_path() / (name + ".part");
}

// A part, and the files that SQLite creates beside it.
constexpr std::array kPartEndings = {"", "-wal", "-shm", "-journal"};

std::string names_of_part(const fs::path& part) {
    std::string names;
    for (const char* beside : kPartEndings) names += part.string() + beside + '\0';
    return names;
}

// The temporary files of this program. The thread that exchanges an entry for null owns its text, so a signal handler
// never reads one that another thread deletes. Files beyond the last entry are not removed on a signal.
std::array<std::atomic<const std::string*>, 256> temporary_files;
static_assert(std::atomic<const std::string*>::is_always_lock_free);

}  // namespace

std::shared_ptr<void> register_temporary_files(std::string names) {
    auto entry = std::make_unique<const std::string>(std::move(names));
    for (auto& place : temporary_files) {
        const std::string* free = nullptr;
        if (!place.compare_exchange_strong(free, entry.get())) continue;
        entry.release();
        return {&place, [](auto* taken) { delete taken->exchange(nullptr); }};
    }
    return nullptr;
}

void remove_temporary_files() {
    for (auto& place : temporary_files) {
        const std::string* names = place.exchange(nullptr);
        if (names == nullptr) continue;
        const char* const end = names->data() + names->size();
        for (const char* name = names->data(); name != end; name += std::strlen(name) + 1) remove_in_handler(name);
    }
}

bool is_temporary_file(const fs::path& path) {
    std::string name = path.filename().string();
    std::error_code ignored;
    if (name.ends_with(".lock")) return fs::file_size(path, ignored) == 0;
    for (const std::string_view beside : {"-wal", "-shm", "-journal"}) {
        if (!name.ends_with(beside)) continue;
        name.resize(name.size() - beside.size());
        if (name.ends_with(".glove")) return true;
    }
    // As unknown_name_beside() makes them: a dot, 16 digits and ".part".
    constexpr std::size_t kEnd = 22;
    if (name.size() <= kEnd || !name.ends_with(".part")) return false;
    const std::string_view digits = std::string_view(name).substr(name.size() - kEnd + 1, 16);
    return name[name.size() - kEnd] == '.' && digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

Part::Part(const fs::path& file)
    : path(unknown_name_beside(file)), registered_(register_temporary_files(names_of_part(path))) {}

Part::~Part() {
    for (const char* beside : kPartEndings) {
        std::error_code ignored;
        fs::remove(path.string() + beside, ignored);
    }
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), registered_(std::move(other.registered_)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    std::swap(registered_, other.registered_);
    return *this;
}

Replacement::Replacement(const fs::path& path)
    : file_(file_at(path)), lock_(file_), part_(file_), before_(entry_at(file_)) {}

void Replacement::place() {
    if (!move_if_unchanged(part_.path, file_, before_))
        throw ExportError(file_.string() + ": another program wrote it meanwhile, and that is left; name another file");
}

Output::Output(const fs::path& path) : path_(path) {
    refuse_folder(path);
    // If a file behind standard output were opened again, later prints would overwrite it.
    to_standard_output_ = is_standard_output(path);
    if (to_standard_output_) return;
    const fs::file_status there = status_of(path);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        file_.open(path, std::ios::binary);
    } else {
        replacement_.emplace(path);
        make_new_file(replacement_->part());
        file_.open(replacement_->part(), std::ios::binary | std::ios::trunc);
    }
    if (!file_) throw ExportError(path_.string() + ": cannot be written: " + std::strerror(errno));
}

void Output::expect_good(const std::ostream& out) const {
    if (!out) throw ExportError(path_.string() + ": writing stopped: " + std::strerror(errno));
}

void Output::write(std::string_view text) {
    std::ostream& out = to_standard_output_ ? std::cout : file_;
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    size_ += text.size();
    expect_good(out);
}

void Output::patch(std::uint64_t at, std::string_view text) {
    if (!replacement_)
        throw ExportError(path_.string() + ": this format is completed at its beginning, so it has to be a file");
    file_.seekp(static_cast<std::streamoff>(at));
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
    file_.seekp(0, std::ios::end);
}

void Output::commit() {
    if (to_standard_output_) {
        expect_good(std::cout.flush());
    } else {
        file_.close();
        expect_good(file_);
    }
    if (replacement_) replacement_->place();
}

}  // namespace glovebox::recordings
