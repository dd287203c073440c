#include "recordings/log/page_rows.h"

#include <array>
#include <bit>
#include <fstream>
#include <optional>

namespace glovebox::recordings {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::size_t kFileHead = 100;
// Page types. Inner pages of an index B-tree (WITHOUT ROWID) contain rows too; those of a table B-tree do not.
constexpr unsigned char kKeyedInner = 0x02, kKeyedLeaf = 0x0A, kNumberedLeaf = 0x0D;

std::uint64_t big_endian(Bytes bytes) {
    std::uint64_t value = 0;
    for (const unsigned char byte : bytes) value = value << 8 | byte;
    return value;
}

// Reads a varint and removes it from `bytes`: seven bits per byte while the top bit is set; a ninth byte has all eight.
std::optional<std::uint64_t> take_varint(Bytes& bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 9 && i < bytes.size(); ++i) {
        const unsigned char byte = bytes[i];
        value = i == 8 ? value << 8 | byte : value << 7 | (byte & 0x7FU);
        if (i < 8 && (byte & 0x80U) != 0) continue;
        bytes = bytes.subspan(i + 1);
        return value;
    }
    return {};
}

// Appends the value of this serial type, and removes it from `body`.
bool take_value(std::uint64_t type, Bytes& body, std::vector<PageValue>& values) {
    constexpr std::array<std::size_t, 10> kSizes = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    if (type == 10 || type == 11) return false;  // reserved by SQLite
    const std::uint64_t size = type < kSizes.size() ? kSizes[type] : (type - 12) / 2;
    if (size > body.size()) return false;
    const Bytes bytes = body.first(size);
    body = body.subspan(size);
    PageValue& value = values.emplace_back();
    if (type == 7) {
        value = std::bit_cast<double>(big_endian(bytes));
    } else if (type == 8 || type == 9) {
        value = static_cast<std::int64_t>(type - 8);
    } else if (type >= 1 && type <= 6) {
        const auto unused = static_cast<int>(64 - 8 * size);  // shift left and back right to extend the sign
        value = static_cast<std::int64_t>(big_endian(bytes) << unused) >> unused;
    } else if (type >= 12 && type % 2 == 0) {
        value = bytes;
    } else if (type >= 13) {
        value = std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return true;
}

bool read_record(Bytes record, std::vector<PageValue>& values) {
    values.clear();
    Bytes head = record;
    const auto head_size = take_varint(head);
    const std::size_t taken = record.size() - head.size();
    if (!head_size || *head_size < taken || *head_size > record.size()) return false;
    Bytes body = record.subspan(*head_size);
    head = head.first(*head_size - taken);
    while (!head.empty()) {
        const auto type = take_varint(head);
        if (!type || !take_value(*type, body, values)) return false;
    }
    return body.empty() && !values.empty();
}

// Reads the rows of a page. `page` may be truncated; rows that extend beyond its end are skipped.
void read_page(Bytes page, std::size_t head_at, std::size_t page_bytes, PageRow& row,
               const std::function<void(const PageRow&)>& take) {
    if (page.size() < head_at + 12) return;
    const unsigned char kind = page[head_at];
    if (kind != kKeyedInner && kind != kKeyedLeaf && kind != kNumberedLeaf) return;
    const std::size_t pointers_at = head_at + (kind == kKeyedInner ? 12 : 8);
    const std::size_t rows = big_endian(page.subspan(head_at + 3, 2));
    row.has_rowid = kind == kNumberedLeaf;
    // Longer rows continue on overflow pages.
    const std::size_t most = row.has_rowid ? page_bytes - 35 : (page_bytes - 12) * 64 / 255 - 23;
    for (std::size_t i = 0; i < rows && pointers_at + 2 * i + 2 <= page.size(); ++i) {
        const std::size_t at = big_endian(page.subspan(pointers_at + 2 * i, 2)) + (kind == kKeyedInner ? 4 : 0);
        if (at >= page.size()) continue;
        Bytes cell = page.subspan(at);
        const auto size = take_varint(cell);
        const auto rowid = row.has_rowid ? take_varint(cell) : 0;
        if (!size || !rowid || *size == 0 || *size > most || *size > cell.size()) continue;
        row.rowid = static_cast<std::int64_t>(*rowid);
        if (read_record(cell.first(*size), row.values)) take(row);
    }
}

}  // namespace

PageCount page_count(std::string_view head) {
    if (head.size() < kFileHead) return {};
    const Bytes bytes(reinterpret_cast<const unsigned char*>(head.data()), head.size());
    PageCount count;
    count.page_bytes = big_endian(bytes.subspan(16, 2));
    if (count.page_bytes == 1) count.page_bytes = 65536;
    if (count.page_bytes < 512 || !std::has_single_bit(count.page_bytes)) return {};
    // The number of pages is valid only if it was written with the last change.
    if (big_endian(bytes.subspan(24, 4)) == big_endian(bytes.subspan(92, 4)))
        count.pages = static_cast<std::uint32_t>(big_endian(bytes.subspan(28, 4)));
    return count;
}

void for_each_page_row(const std::filesystem::path& path, std::size_t page_bytes,
                       const std::function<void(const PageRow&)>& take) {
    std::ifstream file(path, std::ios::binary);
    std::vector<unsigned char> page(page_bytes);
    PageRow row;
    for (std::size_t head_at = kFileHead; file; head_at = 0) {
        file.read(reinterpret_cast<char*>(page.data()), static_cast<std::streamsize>(page_bytes));
        read_page(Bytes(page).first(static_cast<std::size_t>(file.gcount())), head_at, page_bytes, row, take);
    }
}

}  // namespace glovebox::recordings
