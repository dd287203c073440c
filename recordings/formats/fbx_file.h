// The container of binary FBX: nested records with a name, properties and records inside. Records are parsed when asked
// for, one level at a time, so neither depth nor number of records needs a limit.
//
// Source: the layout as published by the Blender Foundation ("FBX binary file format specification", 2013).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "recordings/input.h"

namespace glovebox::recordings {

struct FbxRecord {
    std::string_view name;
    std::string_view properties;  ///< encoded; see FbxFile::values()
    std::size_t property_count = 0;
    std::string_view content;  ///< the records inside
};

/// A property. `number` and `integer` are set for numbers and flags; `text` for strings.
struct FbxValue {
    char type = 0;  ///< as in the file: Y C I F D L (numbers), S R (strings), f d l i b (arrays)
    double number = 0.0;
    std::int64_t integer = 0;
    std::string_view text;  ///< a string, or the numbers of an array as they are stored
    std::size_t count = 0;  ///< numbers of an array
    bool is_deflated = false;
};

class FbxFile {
  public:
    /// Reads the header. Throws ImportError for versions before 7.0.
    FbxFile(const Input& in, std::string_view bytes);

    /// Returns the outermost records.
    std::vector<FbxRecord> records() const { return records_in(content_); }
    /// Returns the records in a record. Throws ImportError if they are damaged.
    std::vector<FbxRecord> records(const FbxRecord& record) const { return records_in(record.content); }
    /// Returns the first `limit` properties of a record. Throws ImportError if they are damaged.
    std::vector<FbxValue> values(const FbxRecord& record, std::size_t limit) const;

    /// Returns the numbers of a record's first property, an array of int64 (`l`), float (`f`) or int32 (`i`). Throws
    /// ImportError if it is another property or damaged, or if all arrays so far are too large for the file's size.
    std::vector<std::int64_t> int64s(const FbxRecord& record) { return array<std::int64_t>(record, 'l'); }
    std::vector<float> floats(const FbxRecord& record) { return array<float>(record, 'f'); }
    std::vector<std::int32_t> int32s(const FbxRecord& record) { return array<std::int32_t>(record, 'i'); }

    [[noreturn]] void fail(const std::string& what) const;

  private:
    std::vector<FbxRecord> records_in(std::string_view content) const;
    template <class Number>
    std::vector<Number> array(const FbxRecord& record, char type);

    const Input& in_;
    std::string_view bytes_, content_;
    bool is_wide_ = false;      // version 7.5: sizes of 8 bytes
    std::size_t unpacked_ = 0;  // bytes of all arrays read so far
};

}  // namespace glovebox::recordings
