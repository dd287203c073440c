// Rows of a card, placed by an ImGui table and drawn with a Brush in logical pixels.
#pragma once

#include <span>

#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Takes `height` of the current ImGui window at its cursor, as wide as there is room, for the caller to draw into.
Box reserve(const Brush& brush, float height);

/// An ImGui table without padding. `height` makes it scroll by itself; 0: as high as its rows.
class Rows {
  public:
    /// `widths` of the columns; 0 shares what is left. Cells do not clip what is drawn beside them.
    Rows(const Brush& brush, const char* id, std::span<const float> widths, float height = 0.0F);
    ~Rows();
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    /// False: the table is out of sight, and nothing may be drawn.
    explicit operator bool() const { return open_; }
    /// Begins a row; returns its place over all columns.
    Box next_row(float height);
    /// The next cell of the row.
    Box next_cell();

  private:
    const Brush& brush_;
    float row_height_ = 0.0F;
    bool open_;
};

}  // namespace glovebox::vr
