#include "recordings/formats/hdf5_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "recordings/formats/byte_reader.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxHdf5Objects = 65536, kMaxBlocks = 1U << 20, kMaxGroupDepth = 16, kMaxTreeDepth = 16;
constexpr std::size_t kMaxHdf5Rank = 8;
constexpr std::size_t kMaxUnpacked = std::size_t{1} << 30, kUnpackedFloor = std::size_t{16} << 20;
constexpr std::uint64_t kNoAddress = std::numeric_limits<std::uint64_t>::max();

enum Hdf5Message : std::uint16_t {
    kDataspaceMessage = 0x01,
    kLinkInfoMessage = 0x02,
    kDatatypeMessage = 0x03,
    kLinkMessage = 0x06,
    kExternalFilesMessage = 0x07,
    kLayoutMessage = 0x08,
    kFiltersMessage = 0x0B,
    kContinuationMessage = 0x10,
    kSymbolTableMessage = 0x11,
};

struct Hdf5Filter {
    std::uint64_t id = 0;
    bool optional = false;
};

// An array as its object header describes it.
struct Hdf5Dataset {
    bool has_shape = false, has_type = false, external = false;
    std::vector<std::size_t> shape;
    char kind = 'S';
    std::size_t item_bytes = 1;
    bool big_endian = false;
    int layout = -1;                     // 0 in the header, 1 in one piece, 2 in chunks
    std::string_view compact;            // layout 0
    std::uint64_t address = kNoAddress;  // of the data, the chunk or the tree of chunks
    std::uint64_t bytes = 0;             // layout 1, or of a single chunk
    bool single_chunk = false;           // instead of a tree
    std::vector<std::size_t> chunk;      // its shape
    std::vector<Hdf5Filter> filters;
    std::string unread;  // why it cannot be read; empty if it can
};

struct Hdf5Group {
    std::uint64_t tree = kNoAddress, heap = kNoAddress;        // symbol table
    std::vector<std::pair<std::string, std::uint64_t>> links;  // links in the header
    bool is_group = false, is_dense = false;
};

class Hdf5Reader {
  public:
    using Wanted = std::function<bool(std::string_view, char, const std::vector<std::size_t>&)>;
    Hdf5Reader(const Input& in, std::string_view bytes, const Wanted& wanted)
        : in_(in), bytes_(bytes), wanted_(wanted) {}

    Hdf5Arrays read() {
        visit(root_address(), "", 0);
        return std::move(result_);
    }

  private:
    // A truncated file is not usable, because the indices of its arrays come last.
    void need(const ByteReader& from, const char* what) const { need(from.ok(), what); }
    void need(bool sound, const char* what) const {
        if (!sound) in_.fail(std::string("the HDF5 file is cut off or damaged in ") + what);
    }
    ByteReader at(std::uint64_t address, const char* what) const {
        need(address <= bytes_.size() && base_ <= bytes_.size() - address, what);
        return ByteReader(bytes_, base_ + address);
    }
    std::uint64_t offset(ByteReader& from) const {
        const std::uint64_t value = from.integer(offset_bytes_);
        const bool none = offset_bytes_ < 8 && value == (std::uint64_t{1} << (8 * offset_bytes_)) - 1;
        return none ? kNoAddress : value;
    }
    std::uint64_t length(ByteReader& from) const { return from.integer(length_bytes_); }
    void count_block() {
        if (++blocks_ > kMaxBlocks) in_.fail("the HDF5 file has more blocks than are read");
    }

    std::uint64_t root_address() {
        constexpr std::string_view kMagic("\x89HDF\r\n\x1A\n", 8);
        std::size_t start = 0;
        while (start < bytes_.size() && bytes_.substr(start, 8) != kMagic) start = start == 0 ? 512 : 2 * start;
        need(start < bytes_.size(), "its superblock");
        ByteReader from(bytes_, start + 8);
        const std::uint64_t version = from.integer(1);
        need(version <= 3, "its superblock");
        if (version <= 1) from.skip(4);
        offset_bytes_ = from.integer(1);
        length_bytes_ = from.integer(1);
        const auto is_size = [](std::size_t n) { return n == 2 || n == 4 || n == 8; };
        need(is_size(offset_bytes_) && is_size(length_bytes_), "its superblock");
        if (version <= 1) {
            from.skip(version == 0 ? 9 : 13);
            base_ = offset(from);
            from.skip(4 * offset_bytes_);  // free space, end, driver, name of the root
        } else {
            from.skip(1);
            base_ = offset(from);
            from.skip(2 * offset_bytes_);  // extension, end
        }
        const std::uint64_t root = offset(from);
        need(from, "its superblock");
        need(base_ <= bytes_.size(), "its superblock");
        return root;
    }

    void visit(std::uint64_t address, const std::string& path, std::size_t depth) {
        // An object may have several names; a group that contains itself is not followed.
        if (address == kNoAddress || depth > kMaxGroupDepth || !visited_.insert(address).second) return;
        if (visited_.size() > kMaxHdf5Objects) in_.fail("the HDF5 file has more than 65536 objects");
        Hdf5Group group;
        Hdf5Dataset dataset;
        read_header(address, group, dataset);
        if (group.is_dense) in_.fail("the group " + excerpt(path, 60) + kSaveAgain);
        if (group.is_group) {
            const std::string prefix = path.empty() ? "" : path + "/";
            const auto visit_link = [&](const std::string& name, std::uint64_t to) {
                visit(to, prefix + name, depth + 1);
            };
            for (const auto& [name, to] : group.links) visit_link(name, to);
            if (group.tree != kNoAddress) read_symbols(group.tree, group.heap, visit_link, 0);
            return;
        }
        if (dataset.has_shape && dataset.has_type && dataset.kind != 'S') read_dataset(path, dataset);
    }

    void read_header(std::uint64_t address, Hdf5Group& group, Hdf5Dataset& dataset) {
        ByteReader from = at(address, "an object header");
        count_block();
        if (bytes_.substr(from.at(), 4) == "OHDR") return read_header_2(from, group, dataset);
        const std::uint64_t version = from.integer(1);
        from.skip(1);
        std::uint64_t left = from.integer(2);
        from.skip(4);
        const std::uint64_t size = from.integer(4);
        from.skip(4);
        need(from, "an object header");
        need(version == 1, "an object header");
        std::vector<std::string_view> pieces = {from.view(std::min<std::uint64_t>(size, from.left()))};
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            ByteReader piece(pieces[p]);
            while (left > 0 && piece.left() >= 8) {
                --left;
                const std::uint64_t type = piece.integer(2), bytes = piece.integer(2);
                piece.skip(4);
                const std::string_view body = piece.view(bytes);
                need(piece, "an object header");
                if (type == kContinuationMessage) add_piece(body, 0, pieces);
                read_message(type, body, group, dataset);
            }
        }
    }

    void read_header_2(ByteReader from, Hdf5Group& group, Hdf5Dataset& dataset) {
        from.skip(4);
        const std::uint64_t version = from.integer(1), flags = from.integer(1);
        if ((flags & 0x20) != 0) from.skip(16);
        if ((flags & 0x10) != 0) from.skip(4);
        const std::uint64_t size = from.integer(std::size_t{1} << (flags & 3));
        need(from, "an object header");
        need(version == 2, "an object header");
        const bool ordered = (flags & 0x04) != 0;
        std::vector<std::string_view> pieces = {from.view(std::min<std::uint64_t>(size, from.left()))};
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            ByteReader piece(pieces[p]);
            while (piece.left() >= (ordered ? 6U : 4U)) {
                const std::uint64_t type = piece.integer(1), bytes = piece.integer(2);
                piece.skip(ordered ? 3 : 1);
                const std::string_view body = piece.view(bytes);
                need(piece, "an object header");
                if (type == kContinuationMessage) add_piece(body, 4, pieces);
                read_message(type, body, group, dataset);
            }
        }
    }

    // Adds the messages of a continuation block; blocks of version 2 have a signature and a checksum of `frame` bytes.
    void add_piece(std::string_view body, std::size_t frame, std::vector<std::string_view>& pieces) {
        ByteReader from(body);
        const std::uint64_t address = offset(from), size = length(from);
        need(from, "an object header");
        count_block();
        ByteReader block = at(address, "an object header");
        const std::string_view piece = block.view(size);
        need(block, "an object header");
        need(piece.size() >= 2 * frame && (frame == 0 || piece.starts_with("OCHK")), "an object header");
        if (pieces.size() < 1024) pieces.push_back(piece.substr(frame, piece.size() - 2 * frame));
    }

    void read_message(std::uint64_t type, std::string_view body, Hdf5Group& group, Hdf5Dataset& dataset) {
        ByteReader from(body);
        switch (type) {
            case kDataspaceMessage:
                return read_dataspace(from, dataset);
            case kDatatypeMessage:
                return read_datatype(from, dataset);
            case kLayoutMessage:
                return read_layout(from, body, dataset);
            case kFiltersMessage:
                return read_filters(from, dataset);
            case kExternalFilesMessage:
                dataset.external = true;
                return;
            case kLinkMessage:
                group.is_group = true;
                return read_link(from, group);
            case kLinkInfoMessage:
                group.is_group = true;
                return read_link_info(from, group);
            case kSymbolTableMessage:
                group.is_group = true;
                group.tree = offset(from);
                group.heap = offset(from);
                return need(from, "a group");
            default:
                return;
        }
    }

    void read_dataspace(ByteReader from, Hdf5Dataset& dataset) const {
        const std::uint64_t version = from.integer(1), rank = from.integer(1);
        from.skip(version == 1 ? 6 : 2);
        need(version == 1 || version == 2, "the shape of an array");
        need(!dataset.has_shape, "the shape of an array");  // given twice
        if (rank > kMaxHdf5Rank) return;                    // not of hands
        dataset.has_shape = true;
        for (std::uint64_t i = 0; i < rank; ++i) dataset.shape.push_back(length(from));
        need(from, "the shape of an array");
    }

    void read_datatype(ByteReader from, Hdf5Dataset& dataset) const {
        const std::uint64_t kind = from.integer(1) & 15, bits = from.integer(3), size = from.integer(4);
        const std::uint64_t first_bit = from.integer(2), precision = from.integer(2);
        need(!dataset.has_type, "the type of an array");  // given twice
        dataset.has_type = true;
        dataset.item_bytes = size;
        dataset.big_endian = (bits & 1) != 0;
        const bool whole = from.ok() && first_bit == 0 && precision == 8 * size;
        if (kind == 0 && whole && (size == 1 || size == 2 || size == 4 || size == 8))
            dataset.kind = (bits & 8) != 0 ? 'i' : 'u';
        if (kind == 1 && whole && (size == 4 || size == 8) && (bits & 0x40) == 0) dataset.kind = 'f';
    }

    void read_layout(ByteReader from, std::string_view body, Hdf5Dataset& dataset) const {
        const std::uint64_t version = from.integer(1);
        need(dataset.layout == -1, "the layout of an array");  // given twice
        if (version != 3 && version != 4) {
            dataset.unread = " is stored as HDF5 before 1.6.3 did; save it again";
            return;
        }
        dataset.layout = static_cast<int>(from.integer(1));
        if (dataset.layout == 0) {
            const std::uint64_t size = from.integer(2);
            dataset.compact = from.view(size);
        } else if (dataset.layout == 1) {
            dataset.address = offset(from);
            dataset.bytes = length(from);
        } else if (dataset.layout == 2 && version == 3) {
            const std::uint64_t rank = from.integer(1);
            dataset.address = offset(from);
            read_chunk_shape(from, rank, 4, dataset);
        } else if (dataset.layout == 2) {
            const std::uint64_t flags = from.integer(1), rank = from.integer(1), width = from.integer(1);
            read_chunk_shape(from, rank, width, dataset);
            dataset.single_chunk = from.integer(1) == 1;
            if (!dataset.single_chunk) dataset.unread = kSaveAgain;
            if ((flags & 2) != 0) {
                dataset.bytes = length(from);
                from.skip(4);
            }
            dataset.address = offset(from);
        } else {
            dataset.unread = " is stored in other files or in a way that is not read";
        }
        if (dataset.unread.empty()) need(from, "the layout of an array");
        if (body.empty()) dataset.layout = -1;
    }

    // The last dimension is the size of a number.
    void read_chunk_shape(ByteReader& from, std::uint64_t rank, std::size_t width, Hdf5Dataset& dataset) const {
        need(rank >= 2 && rank <= kMaxHdf5Rank + 1, "the layout of an array");
        for (std::uint64_t i = 0; i < rank; ++i) {
            const std::uint64_t size = from.integer(width);
            if (i + 1 < rank) dataset.chunk.push_back(size);
        }
    }

    void read_filters(ByteReader from, Hdf5Dataset& dataset) const {
        const std::uint64_t version = from.integer(1), count = from.integer(1);
        need((version == 1 || version == 2) && count <= 32, "the filters of an array");
        if (version == 1) from.skip(6);
        for (std::uint64_t i = 0; i < count; ++i) {
            Hdf5Filter filter;
            filter.id = from.integer(2);
            const bool named = version == 1 || filter.id >= 256;
            const std::uint64_t name = named ? from.integer(2) : 0;
            filter.optional = (from.integer(2) & 1) != 0;
            const std::uint64_t values = from.integer(2);
            from.skip(version == 1 ? (name + 7) / 8 * 8 : name);
            from.skip(4 * values + (version == 1 && values % 2 == 1 ? 4 : 0));
            dataset.filters.push_back(filter);
        }
        need(from, "the filters of an array");
    }

    void read_link(ByteReader from, Hdf5Group& group) const {
        const std::uint64_t version = from.integer(1), flags = from.integer(1);
        need(version == 1, "a link");
        const std::uint64_t type = (flags & 8) != 0 ? from.integer(1) : 0;
        if ((flags & 4) != 0) from.skip(8);
        if ((flags & 16) != 0) from.skip(1);
        const std::uint64_t size = from.integer(std::size_t{1} << (flags & 3));
        const std::string_view name = from.view(size);
        const std::uint64_t to = type == 0 ? offset(from) : kNoAddress;
        need(from, "a link");
        if (type == 0) group.links.emplace_back(name, to);
    }

    void read_link_info(ByteReader from, Hdf5Group& group) const {
        from.skip(1);
        if ((from.integer(1) & 1) != 0) from.skip(8);
        const std::uint64_t heap = offset(from);
        need(from, "a group");
        group.is_dense = heap != kNoAddress;
    }

    template <class Visit>
    void read_symbols(std::uint64_t tree, std::uint64_t heap, const Visit& visit_link, std::size_t depth) {
        ByteReader node = at(tree, "a group");
        count_block();
        if (bytes_.substr(node.at(), 4) == "SNOD") return read_symbol_node(node, heap, visit_link);
        need(node.view(4) == "TREE" && node.integer(1) == 0 && depth < kMaxTreeDepth, "a group");
        node.skip(1);
        const std::uint64_t count = node.integer(2);
        node.skip(2 * offset_bytes_ + length_bytes_);  // siblings and the first key
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t child = offset(node);
            node.skip(length_bytes_);
            need(node, "a group");
            read_symbols(child, heap, visit_link, depth + 1);
        }
    }

    template <class Visit>
    void read_symbol_node(ByteReader node, std::uint64_t heap, const Visit& visit_link) {
        node.skip(6);
        const std::uint64_t count = node.integer(2);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t name = offset(node), to = offset(node), cache = node.integer(4);
            node.skip(20);
            need(node, "a group");
            if (cache == 2) continue;  // a symbolic link
            ByteReader from = at(heap, "a group's names");
            need(from.view(4) == "HEAP", "a group's names");
            from.skip(4 + 2 * length_bytes_);
            const std::uint64_t names = offset(from);
            need(from, "a group's names");
            need(names <= bytes_.size() && name <= bytes_.size(), "a group's names");
            const std::size_t start = at(names + name, "a group's names").at();
            visit_link(std::string(bytes_.substr(start, bytes_.substr(start, 256).find('\0'))), to);
        }
    }

    void read_dataset(const std::string& path, const Hdf5Dataset& dataset) {
        if (!wanted_(path, dataset.kind, dataset.shape)) return;
        const auto fail = [&](const std::string& what) { in_.fail("the array " + excerpt(path, 60) + what); };
        if (!dataset.unread.empty()) fail(dataset.unread);
        if (dataset.external) fail(" is in other files, which are not opened");
        std::size_t items = 1;
        const std::size_t most = std::min(kMaxUnpacked, 100 * bytes_.size() + kUnpackedFloor);
        for (const std::size_t size : dataset.shape) {
            if (size > 0 && items > most / size) fail(" is too large for its file");
            items *= size;
        }
        const std::size_t total = items * dataset.item_bytes;
        unpacked_ += total;
        if (total > most || unpacked_ > most) fail(" is too large for its file");
        Array array{dataset.kind, dataset.item_bytes, dataset.shape, {}};
        if (dataset.layout == 1 && dataset.address != kNoAddress && !dataset.big_endian) {
            ByteReader from = at(dataset.address, "an array");
            array.bytes = from.view(total);
            need(from, "an array");
        } else {
            // Numbers that the file does not have are lost, not zero.
            std::string& data = result_.storage.emplace_back(total, dataset.kind == 'f' ? '\xFF' : '\0');
            copy_data(path, dataset, data);
            if (dataset.big_endian)
                for (std::size_t i = 0; i < total; i += dataset.item_bytes)
                    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(i),
                                 data.begin() + static_cast<std::ptrdiff_t>(i + dataset.item_bytes));
            array.bytes = data;
        }
        result_.arrays.emplace(path, std::move(array));
    }

    void copy_data(const std::string& path, const Hdf5Dataset& dataset, std::string& data) {
        if (dataset.layout == 0) {
            need(dataset.compact.size() >= data.size(), "an array");
            data = dataset.compact.substr(0, data.size());
        } else if (dataset.layout == 1 && dataset.address != kNoAddress) {
            ByteReader from = at(dataset.address, "an array");
            data = from.view(data.size());
            need(from, "an array");
        } else if (dataset.layout == 2 && dataset.address != kNoAddress) {
            need(dataset.chunk.size() == dataset.shape.size(), "the layout of an array");
            std::size_t bytes = dataset.item_bytes;
            for (const std::size_t size : dataset.chunk) {
                need(size > 0 && bytes <= kMaxUnpacked / size, "the layout of an array");
                bytes *= size;
            }
            std::vector<std::size_t> corner(dataset.shape.size(), 0);
            if (dataset.single_chunk) {
                const std::uint64_t packed = dataset.filters.empty() ? bytes : dataset.bytes;
                copy_chunk(path, dataset, dataset.address, packed, 0, corner, bytes, data);
            } else {
                read_chunks(path, dataset, dataset.address, bytes, 0, data);
            }
        }
    }

    void read_chunks(const std::string& path, const Hdf5Dataset& dataset, std::uint64_t tree, std::size_t chunk_bytes,
                     std::size_t depth, std::string& data) {
        ByteReader node = at(tree, "an array's index");
        count_block();
        need(node.view(4) == "TREE" && node.integer(1) == 1 && depth < kMaxTreeDepth, "an array's index");
        const std::uint64_t level = node.integer(1), count = node.integer(2);
        node.skip(2 * offset_bytes_);
        std::vector<std::size_t> corner(dataset.shape.size());
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t packed = node.integer(4), mask = node.integer(4);
            for (std::size_t& first : corner) first = node.integer(8);
            node.skip(8);
            const std::uint64_t child = offset(node);
            need(node, "an array's index");
            if (level > 0) {
                read_chunks(path, dataset, child, chunk_bytes, depth + 1, data);
            } else {
                count_block();
                copy_chunk(path, dataset, child, packed, mask, corner, chunk_bytes, data);
            }
        }
    }

    void copy_chunk(const std::string& path, const Hdf5Dataset& dataset, std::uint64_t address, std::uint64_t packed,
                    std::uint64_t mask, const std::vector<std::size_t>& corner, std::size_t chunk_bytes,
                    std::string& data) {
        ByteReader from = at(address, "an array");
        std::string_view chunk = from.view(packed);
        need(from, "an array");
        // A chunk may exceed its array, but not by more than the whole budget over all chunks.
        if ((chunk_work_ += chunk_bytes) > 4 * std::min(kMaxUnpacked, 100 * bytes_.size() + kUnpackedFloor))
            in_.fail("the array " + excerpt(path, 60) + " is too large for its file");
        std::string plain, other;
        for (std::size_t f = dataset.filters.size(); f-- > 0;) {
            if ((mask >> f & 1) != 0) continue;
            other = undo(path, dataset.filters[f].id, chunk, dataset.item_bytes, chunk_bytes);
            plain.swap(other);
            chunk = plain;
        }
        need(chunk.size() >= chunk_bytes, "an array");
        // Copy rows of the last dimension, as far as they lie in the array.
        const std::size_t rank = dataset.shape.size();
        for (std::size_t d = 0; d < rank; ++d)
            if (corner[d] >= dataset.shape[d]) return;
        const std::size_t row = std::min(dataset.chunk[rank - 1], dataset.shape[rank - 1] - corner[rank - 1]);
        const std::size_t rows = chunk_bytes / dataset.item_bytes / dataset.chunk[rank - 1];
        for (std::size_t r = 0; r < rows; ++r) {
            std::size_t rest = r, to = corner[rank - 1], stride = dataset.shape[rank - 1];
            bool inside = true;
            for (std::size_t d = rank - 1; d-- > 0;) {
                const std::size_t index = corner[d] + rest % dataset.chunk[d];
                rest /= dataset.chunk[d];
                inside = inside && index < dataset.shape[d];
                to += index * stride;
                stride *= dataset.shape[d];
            }
            if (!inside) continue;
            const std::string_view part =
                chunk.substr(r * dataset.chunk[rank - 1] * dataset.item_bytes, row * dataset.item_bytes);
            std::copy(part.begin(), part.end(), data.begin() + static_cast<std::ptrdiff_t>(to * dataset.item_bytes));
        }
    }

    std::string undo(const std::string& path, std::uint64_t filter, std::string_view packed, std::size_t item_bytes,
                     std::size_t chunk_bytes) const {
        constexpr std::uint64_t kDeflate = 1, kShuffle = 2, kFletcher32 = 3;
        constexpr std::size_t kChecksum = 4;
        if (filter == kFletcher32) {
            need(packed.size() >= kChecksum, "an array");
            return std::string(packed.substr(0, packed.size() - kChecksum));
        }
        if (filter == kShuffle) {
            const std::size_t items = packed.size() / item_bytes;
            std::string plain(packed);
            for (std::size_t i = 0; i < items; ++i)
                for (std::size_t b = 0; b < item_bytes; ++b) plain[i * item_bytes + b] = packed[b * items + i];
            return plain;
        }
        if (filter != kDeflate)
            in_.fail("the array " + excerpt(path, 60) + " is packed by filter " + std::to_string(filter) +
                     ", which is not read; save it with compression='gzip' or none");
        std::string plain(chunk_bytes + kChecksum, '\0');
        z_stream stream{};
        if (inflateInit(&stream) != Z_OK) in_.fail("no memory to unpack an array");
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max()));
        stream.next_out = reinterpret_cast<Bytef*>(plain.data());
        stream.avail_out = static_cast<uInt>(plain.size());
        const int code = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
        need(code == Z_STREAM_END, "an array");
        plain.resize(plain.size() - stream.avail_out);
        return plain;
    }

    static constexpr const char* kSaveAgain =
        " is indexed in a way that is not read; save the file again with h5py's default, libver='earliest'";

    const Input& in_;
    std::string_view bytes_;
    const Wanted& wanted_;
    std::size_t offset_bytes_ = 8, length_bytes_ = 8;
    std::uint64_t base_ = 0;
    std::size_t blocks_ = 0, unpacked_ = 0, chunk_work_ = 0;
    std::set<std::uint64_t> visited_;
    Hdf5Arrays result_;
};

}  // namespace

Hdf5Arrays read_hdf5_arrays(
    const Input& in, std::string_view bytes,
    const std::function<bool(std::string_view, char, const std::vector<std::size_t>&)>& wanted) {
    return Hdf5Reader(in, bytes, wanted).read();
}

}  // namespace glovebox::recordings
