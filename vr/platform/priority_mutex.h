// A mutex with priority inheritance, for locks that a real-time thread shares with ordinary ones.
//
// While a real-time thread waits, the thread that holds the mutex runs at the waiting thread's priority. With an
// ordinary mutex the holder may have lost its processor to a thread that draws, for tens of milliseconds.
#pragma once

#include <pthread.h>

namespace glovebox::vr {

/// For std::lock_guard and std::unique_lock. An ordinary mutex where the system has no priority inheritance.
class PriorityMutex {
  public:
    PriorityMutex() {
        pthread_mutexattr_t attributes{};
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
        if (pthread_mutex_init(&mutex_, &attributes) != 0) pthread_mutex_init(&mutex_, nullptr);
        pthread_mutexattr_destroy(&attributes);
    }
    ~PriorityMutex() { pthread_mutex_destroy(&mutex_); }
    PriorityMutex(const PriorityMutex&) = delete;
    PriorityMutex& operator=(const PriorityMutex&) = delete;

    void lock() { pthread_mutex_lock(&mutex_); }
    bool try_lock() { return pthread_mutex_trylock(&mutex_) == 0; }
    void unlock() { pthread_mutex_unlock(&mutex_); }

  private:
    pthread_mutex_t mutex_{};
};

}  // namespace glovebox::vr
