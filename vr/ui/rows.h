// Table rows of a card: an ImGui table for layout, drawn with a Brush in logical pixels.
#pragma once

#include <span>

#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Reserves a box of the given height and full width at the cursor of the current ImGui window, for the caller to draw.
Box reserve(const Brush& brush, float height);

/// An ImGui table without padding. If `height` is not 0, the table has that height and scrolls; otherwise it is as high
/// as its rows.
class Rows {
  public:
    /// `widths` holds the widths of the columns; columns of width 0 share the remaining width. Cells do not clip.
    Rows(const Brush& brush, const char* id, std::span<const float> widths, float height = 0.0F);
    ~Rows();
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    /// Returns false if the table is not visible; nothing may be drawn then.
    explicit operator bool() const { return open_; }
    /// Begins a row. Returns the row's box, which spans all columns.
    Box next_row(float height);
    /// Returns the box of the row's next cell.
    Box next_cell();

  private:
    const Brush& brush_;
    float row_height_ = 0.0F;
    bool open_;
};

}  // namespace glovebox::vr
