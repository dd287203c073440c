// The table of hand sources that a session can use. A new kind of source is one file and one entry; a new glove is an
// entry in tracking/glove/protocol.h.
#pragma once

#include <span>
#include <string_view>

namespace glovebox::vr {

/// One kind of source.
struct SourceRow {
    std::string_view name;     ///< SourceFacts::kind
    std::string_view summary;  ///< one line for users
    std::string_view command;  ///< the command that opens it
};

std::span<const SourceRow> source_table();

}  // namespace glovebox::vr
