// The stack of a hierarchy traversal. The first kUsual entries are stored in place; deeper ones are allocated.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace glovebox::collision {

template <class T, std::size_t kUsual>
class WalkStack {
  public:
    bool empty() const { return size_ == 0; }
    void push(const T& value) {
        if (size_ < kUsual)
            usual_[size_] = value;
        else
            more_.push_back(value);
        ++size_;
    }
    T pop() {
        if (--size_ < kUsual) return usual_[size_];
        const T value = more_.back();
        more_.pop_back();
        return value;
    }

  private:
    std::array<T, kUsual> usual_;
    std::vector<T> more_;
    std::size_t size_ = 0;
};

}  // namespace glovebox::collision
