// Reads the arrays of an HDF5 file: the subset of the published format that h5py, PyTables and MATLAB write by default.
//
// A reader of our own, because the files are untrusted: it opens no other file, loads no plugin, and all its counts are
// bounded by the size of the file. Source: HDF5 File Format Specification, version 3.0 (The HDF Group).
//   read      superblocks 0 to 3; groups with a symbol table or with links in their header; whole, stored and chunked
//             arrays (B-tree of version 1, or one chunk) of integers and IEEE numbers of any byte order; the filters
//             deflate, shuffle and fletcher32
//   skipped   text, compounds, references, attributes, external and symbolic links, external storage
//   refused   other filters, other indices of chunks, groups with dense links: the message says how to save the file
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "recordings/formats/hand_arrays.h"

namespace glovebox::recordings {

/// Arrays, with the memory of those that had to be decompressed.
struct Hdf5Arrays {
    Arrays arrays;
    std::deque<std::string> storage;
};

/// Returns the arrays that `wanted(path, kind, shape)` selects, by their paths ("transforms/leftHand"). `bytes` is the
/// whole file and must outlive the result. Numbers that were never written are NaN, or 0 for integers. Throws
/// ImportError if the file is damaged or truncated.
Hdf5Arrays read_hdf5_arrays(
    const Input& in, std::string_view bytes,
    const std::function<bool(std::string_view path, char kind, const std::vector<std::size_t>& shape)>& wanted);

}  // namespace glovebox::recordings
