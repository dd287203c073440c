#include "recordings/log/log_image.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>

#include "recordings/load.h"
#include "recordings/log/log_file.h"

namespace glovebox::recordings {
namespace {

using Bytes = std::span<const unsigned char>;

// Largest size that a header may claim: a hundred times the longest known recordings.
constexpr std::uintmax_t kLargestLog = std::uintmax_t{1} << 40;

std::uint32_t word_at(Bytes bytes, std::size_t at) {
    return static_cast<std::uint32_t>(bytes[at]) << 24 | static_cast<std::uint32_t>(bytes[at + 1]) << 16 |
           static_cast<std::uint32_t>(bytes[at + 2]) << 8 | bytes[at + 3];
}

// The checksum of a -wal, which is cumulative over its frames.
struct WalSum {
    std::uint32_t a = 0, b = 0;
    bool big_endian = false;

    void add(Bytes bytes) {
        for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
            a += word(bytes, i) + b;
            b += word(bytes, i + 4) + a;
        }
    }
    bool is_at(Bytes bytes, std::size_t at) const { return a == word_at(bytes, at) && b == word_at(bytes, at + 4); }

  private:
    std::uint32_t word(Bytes bytes, std::size_t at) const {
        const std::uint32_t value = word_at(bytes, at);
        return big_endian ? value : __builtin_bswap32(value);
    }
};

// ---- callbacks of SQLite ----

struct ImageFile : sqlite3_file {
    const LogImage* image;
};
const LogImage& image_of(sqlite3_file* file) {
    return *static_cast<ImageFile*>(file)->image;
}

int read_image(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
    const std::span<unsigned char> bytes(static_cast<unsigned char*>(to), static_cast<std::size_t>(count));
    return image_of(file).read(static_cast<std::uintmax_t>(at), bytes) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
int size_of_image(sqlite3_file* file, sqlite3_int64* bytes) {
    *bytes = static_cast<sqlite3_int64>(image_of(file).bytes());
    return SQLITE_OK;
}

const sqlite3_io_methods* image_methods() {
    static const sqlite3_io_methods methods = [] {
        sqlite3_io_methods m{};
        m.iVersion = 1;
        m.xClose = [](sqlite3_file*) { return SQLITE_OK; };
        m.xRead = read_image;
        m.xWrite = [](sqlite3_file*, const void*, int, sqlite3_int64) { return SQLITE_READONLY; };
        m.xTruncate = [](sqlite3_file*, sqlite3_int64) { return SQLITE_READONLY; };
        m.xSync = [](sqlite3_file*, int) { return SQLITE_OK; };
        m.xFileSize = size_of_image;
        m.xLock = [](sqlite3_file*, int) { return SQLITE_OK; };
        m.xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; };
        m.xCheckReservedLock = [](sqlite3_file*, int* held) { return *held = 0, SQLITE_OK; };
        m.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
        m.xSectorSize = [](sqlite3_file*) { return 4096; };
        m.xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_IMMUTABLE; };
        return m;
    }();
    return &methods;
}

int open_image(sqlite3_vfs* vfs, const char*, sqlite3_file* file, int flags, int* out_flags) {
    file->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
    static_cast<ImageFile*>(file)->image = static_cast<const LogImage*>(vfs->pAppData);
    file->pMethods = image_methods();
    if (out_flags != nullptr) *out_flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    return SQLITE_OK;
}

}  // namespace

LogImage::LogImage(const std::filesystem::path& path, Overlay overlay) : path_(path) {
    if (open_beside(path) < 0)
        throw ImportError(path.string() + ": is not a regular file, and a log has to be one; check its permissions");
    std::array<char, 100> head{};
    read_at(files_[0], 0, {reinterpret_cast<unsigned char*>(head.data()), head.size()});
    pages_ = page_count({head.data(), head.size()});
    constexpr std::size_t kReadVersionAt = 19;
    constexpr char kUsesWal = 2;
    const bool with_wal = overlay.wal && pages_.page_bytes > 0 && head[kReadVersionAt] == kUsesWal;
    if (with_wal) hold_still(path.string() + "-shm");
    file_bytes_ = shown_bytes_ = bytes_of(files_[0]);
    if (pages_.page_bytes == 0) return;
    const std::uintmax_t own_bytes = pages_.bytes();
    if (with_wal) find_wal_pages(path.string() + "-wal");
    if (overlay.journal) find_journal_pages(path.string() + "-journal");
    if (pages_.bytes() > kLargestLog) return;
    if (found_.wal || found_.journal) shown_bytes_ = pages_.bytes();
    if (overlay.missing_end && own_bytes > file_bytes_ && own_bytes <= kLargestLog) {
        shown_bytes_ = std::max(shown_bytes_, found_.journal ? pages_.bytes() : own_bytes);
        file_bytes_ -= file_bytes_ % pages_.page_bytes;  // ignore a partial last page: its values may be truncated
        found_.missing_end = true;
    }
}

LogImage::~LogImage() {
    for (const int file : files_) close_file(file);
}

int LogImage::open_beside(const std::filesystem::path& path) {
    const int file = open_file(path);
    if (file >= 0) files_.push_back(file);
    return file;
}

void LogImage::hold_still(const std::filesystem::path& shm) {
    const int file = open_beside(shm);
    if (file < 0) return;  // no -shm: the log is not being recorded
    for (int tries = 0; !lock_for_reading(file); ++tries) {
        if (tries == 400) throw ImportError(path_.string() + ": is being written just now; try again");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void LogImage::find_wal_pages(const std::filesystem::path& wal) {
    constexpr std::uint32_t kMagic = 0x377F0682, kVersion = 3007000;
    const int file = open_beside(wal);
    std::array<unsigned char, 32> head{};
    if (file < 0 || !read_at(file, 0, head) || (word_at(head, 0) | 1U) != (kMagic | 1U)) return;
    if (word_at(head, 4) != kVersion || word_at(head, 8) != pages_.page_bytes) return;
    WalSum sum{0, 0, (word_at(head, 0) & 1U) != 0};
    sum.add(Bytes(head).first(24));
    if (!sum.is_at(head, 24)) return;
    std::vector<unsigned char> frame(24 + pages_.page_bytes);
    std::unordered_map<std::uint32_t, Place> open;  // not committed yet
    for (std::uintmax_t at = head.size(); read_at(file, at, frame); at += frame.size()) {
        const std::uint32_t page = word_at(frame, 0), pages_after = word_at(frame, 4);
        if (page == 0 || !std::equal(frame.begin() + 8, frame.begin() + 16, head.begin() + 16)) break;
        sum.add(Bytes(frame).first(8));
        sum.add(Bytes(frame).subspan(24));
        if (!sum.is_at(frame, 16)) break;
        open[page] = {file, at + 24};
        if (pages_after == 0) continue;
        for (const auto& [number, place] : open) over_[number] = place;
        open.clear();
        pages_.pages = pages_after;
        found_.wal = true;
    }
}

// Finds the pages as they were before an unfinished transaction. Names of other files in the journal are ignored.
void LogImage::find_journal_pages(const std::filesystem::path& journal) {
    constexpr std::array<unsigned char, 8> kMagic = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
    const int file = open_beside(journal);
    std::array<unsigned char, 28> head{};
    std::vector<unsigned char> record(4 + pages_.page_bytes + 4);
    std::uintmax_t at = 0;
    while (file >= 0 && read_at(file, at, head) && std::equal(kMagic.begin(), kMagic.end(), head.begin())) {
        const std::uint32_t records = word_at(head, 8), nonce = word_at(head, 12), pages = word_at(head, 16);
        const std::uint32_t sector = word_at(head, 20);
        if (word_at(head, 24) != pages_.page_bytes || sector < 32 || sector > 65536 || !std::has_single_bit(sector))
            return;
        if (!found_.journal) pages_.pages = pages;
        found_.journal = true;
        at += sector;
        for (std::uint32_t i = 0; i < records && read_at(file, at, record); ++i, at += record.size()) {
            std::uint32_t sum = nonce;
            for (std::size_t k = pages_.page_bytes - 200; k > 0 && k < pages_.page_bytes; k -= 200)
                sum += record[4 + k];
            const std::uint32_t page = word_at(record, 0);
            if (page == 0 || sum != word_at(record, record.size() - 4)) return;
            over_.try_emplace(page, Place{file, at + 4});
        }
        at = (at + sector - 1) / sector * sector;
    }
}

std::uintmax_t LogImage::bytes() const {
    return shown_bytes_;
}

bool LogImage::read(std::uintmax_t at, std::span<unsigned char> to) const {
    bool whole = true;
    while (!to.empty()) {
        const std::uintmax_t page_bytes = std::max<std::uintmax_t>(pages_.page_bytes, 512), in_page = at % page_bytes;
        const auto count = static_cast<std::size_t>(std::min<std::uintmax_t>(to.size(), page_bytes - in_page));
        const std::span<unsigned char> part = to.first(count);
        const auto over = over_.find(static_cast<std::uint32_t>(at / page_bytes + 1));
        std::ranges::fill(part, static_cast<unsigned char>(0));
        if (over != over_.end()) {
            whole = read_at(over->second.file, over->second.offset + in_page, part) && whole;
        } else {
            const std::uintmax_t left = file_bytes_ > at ? file_bytes_ - at : 0;
            const auto there = static_cast<std::size_t>(std::min<std::uintmax_t>(left, count));
            whole = read_at(files_[0], at, part.first(there)) && there == count && whole;
        }
        at += count;
        to = to.subspan(count);
    }
    return whole;
}

int LogImage::connect(sqlite3** handle) {
    *handle = nullptr;
    const sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
    if (usual == nullptr) return SQLITE_ERROR;
    vfs_name_ = "glovebox-log-" + std::to_string(reinterpret_cast<std::uintptr_t>(this));
    vfs_ = std::make_unique<sqlite3_vfs>(*usual);  // keeps the default functions for time and random numbers
    vfs_->iVersion = 1;
    vfs_->zName = vfs_name_.c_str();
    vfs_->pAppData = this;
    vfs_->pNext = nullptr;
    vfs_->szOsFile = sizeof(ImageFile);
    vfs_->xOpen = open_image;
    vfs_->xDelete = [](sqlite3_vfs*, const char*, int) { return SQLITE_IOERR_DELETE; };
    vfs_->xAccess = [](sqlite3_vfs*, const char*, int, int* there) { return *there = 0, SQLITE_OK; };
    vfs_->xFullPathname = [](sqlite3_vfs*, const char* name, int room, char* out) {
        sqlite3_snprintf(room, out, "%s", name);
        return SQLITE_OK;
    };
    // The VFS is registered only while the database is opened.
    int code = sqlite3_vfs_register(vfs_.get(), 0);
    if (code == SQLITE_OK)
        code = sqlite3_open_v2("log", handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, vfs_name_.c_str());
    sqlite3_vfs_unregister(vfs_.get());
    return code;
}

}  // namespace glovebox::recordings
