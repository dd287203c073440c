// SQL views of a log, for users: readable names and common queries. docs/reference/log.md lists them.
//
// No code reads the views: an old log without them has the same data. The reader refuses all views that are not
// literally one of these, because a view in an untrusted file could do any amount of work.
#pragma once

#include <span>
#include <string_view>

namespace glovebox::recordings {

/// Returns one `CREATE VIEW` statement per view, in an order in which they can be executed.
std::span<const std::string_view> log_views();

/// Returns true if `sql`, as stored in sqlite_schema.sql, is one of our views.
bool is_log_view(std::string_view sql);

}  // namespace glovebox::recordings
