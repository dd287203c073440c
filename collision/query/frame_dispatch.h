// HWY_DYNAMIC_DISPATCH for what every frame calls: which instruction set was chosen is kept side by side with the other
// choices, one cache line for all of them, that warm_up() can ask for. Highway's own way goes through two tables and a
// shared library: five lines on as many pages, one after the other, which a frame after a pause waits for.
//
// In the .cpp, after hwy/highway.h and HWY_ONCE: GLOVEBOX_FRAME_EXPORT(Meet); then GLOVEBOX_FRAME_DISPATCH(Meet)(...).
#pragma once

#include <hwy/targets.h>

#include <atomic>
#include <cstddef>

#include "collision/query/frame_code.h"

namespace glovebox::collision {

/// Chosen at the first call, by whoever comes first: all choose the same.
template <class Function>
class FrameChoice {
  public:
    template <std::size_t kCount>
    Function from(const Function (&table)[kCount]) {
        const Function chosen = chosen_.load(std::memory_order_relaxed);
        return chosen != nullptr ? chosen : choose(table, kCount);
    }

  private:
    GLOVEBOX_RARE Function choose(const Function* table, std::size_t count) {
        hwy::ChosenTarget& target = hwy::GetChosenTarget();
        if (!target.IsInitialized()) target.Update(hwy::SupportedTargets());
        const Function chosen = table[count > 1 ? target.GetIndex() : 0];  // compiled for one set: a table of one
        chosen_.store(chosen, std::memory_order_relaxed);
        return chosen;
    }

    std::atomic<Function> chosen_{nullptr};
};

}  // namespace glovebox::collision

#define GLOVEBOX_FRAME_EXPORT(NAME) \
    HWY_EXPORT(NAME);               \
    GLOVEBOX_FRAME_DATA constinit FrameChoice<decltype(&HWY_STATIC_DISPATCH(NAME))> NAME##FrameChoice
#define GLOVEBOX_FRAME_DISPATCH(NAME) (*NAME##FrameChoice.from(HWY_DISPATCH_TABLE(NAME)))
