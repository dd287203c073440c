// The table of sources: where a session's hands may come from. A new kind is one file and one entry; a new glove is an
// entry of tracking/glove/protocol.h.
#pragma once

#include <span>
#include <string_view>

namespace glovebox::vr {

struct SourceRow {
    std::string_view name;     ///< SourceFacts::kind
    std::string_view summary;  ///< one line for a person choosing
    std::string_view command;  ///< that opens it
};

std::span<const SourceRow> source_table();

}  // namespace glovebox::vr
