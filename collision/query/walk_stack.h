// What waits while a hierarchy is walked: on the stack as much as bodies usually need; what is deeper allocates.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "collision/query/frame_code.h"

namespace glovebox::collision {

template <class T, std::size_t kUsual>
class WalkStack {
  public:
    bool empty() const { return size_ == 0; }
    void push(const T& value) {
        if (size_ < kUsual)
            usual_[size_] = value;
        else
            push_more(value);
        ++size_;
    }
    T pop() { return --size_ < kUsual ? usual_[size_] : pop_more(); }

  private:
    GLOVEBOX_RARE void push_more(const T& value) { more_.push_back(value); }
    GLOVEBOX_RARE T pop_more() {
        const T value = more_.back();
        more_.pop_back();
        return value;
    }

    std::array<T, kUsual> usual_;
    std::vector<T> more_;
    std::size_t size_ = 0;
};

}  // namespace glovebox::collision
