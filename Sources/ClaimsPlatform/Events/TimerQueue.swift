// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Work by due time: a binary heap that knows where each entry is, so that cancelling costs no more than adding.
///
/// Pure: the caller owns the clock. Times are monotonic nanoseconds.
struct TimerQueue {
    private struct Slot {
        var work: (() -> Void)?
        var deadline: UInt64 = 0
        var generation: UInt64 = 0
        var position = 0
    }

    private var slots: [Slot] = []
    private var free: [Int] = []
    /// Slot numbers, the earliest deadline first.
    private var heap: [Int] = []

    var count: Int { heap.count }

    mutating func schedule(at deadline: UInt64, _ work: @escaping () -> Void) -> TimerID {
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
        } else {
            slot = slots.count
            slots.append(Slot())
        }
        slots[slot].work = work
        slots[slot].deadline = deadline
        heap.append(slot)
        siftUp(from: heap.count - 1)
        return TimerID(slot: slot, generation: slots[slot].generation)
    }

    mutating func cancel(_ timer: TimerID) {
        guard timer.slot < slots.count, slots[timer.slot].generation == timer.generation,
            slots[timer.slot].work != nil
        else { return }
        _ = remove(at: slots[timer.slot].position)
    }

    /// Removes and returns the work whose time has come, the earliest first; nil if there is none.
    mutating func popDue(at now: UInt64) -> (() -> Void)? {
        guard let first = heap.first, slots[first].deadline <= now else { return nil }
        return remove(at: 0)
    }

    /// The time until the next entry is due, in milliseconds rounded up; -1 if there is none.
    func milliseconds(until now: UInt64) -> Int32 {
        guard let first = heap.first else { return -1 }
        let deadline = slots[first].deadline
        return deadline <= now ? 0 : Int32(clamping: (deadline - now - 1) / 1_000_000 + 1)
    }

    private mutating func remove(at position: Int) -> (() -> Void)? {
        let slot = heap[position]
        let last = heap.removeLast()
        if position < heap.count {
            heap[position] = last
            slots[last].position = position
            siftDown(from: position)
            siftUp(from: slots[last].position)
        }
        defer {
            slots[slot].work = nil
            slots[slot].generation += 1
            free.append(slot)
        }
        return slots[slot].work
    }

    private mutating func siftUp(from start: Int) {
        var position = start
        let slot = heap[position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard slots[slot].deadline < slots[heap[parent]].deadline else { break }
            assign(heap[parent], at: position)
            position = parent
        }
        assign(slot, at: position)
    }

    private mutating func siftDown(from start: Int) {
        var position = start
        let slot = heap[position]
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, slots[heap[child + 1]].deadline < slots[heap[child]].deadline { child += 1 }
            guard slots[heap[child]].deadline < slots[slot].deadline else { break }
            assign(heap[child], at: position)
            position = child
        }
        assign(slot, at: position)
    }

    private mutating func assign(_ slot: Int, at position: Int) {
        heap[position] = slot
        slots[slot].position = position
    }
}

/// The identity of one scheduled piece of work of one loop, which is never used again.
public struct TimerID: Hashable, Sendable {
    let slot: Int
    let generation: UInt64
}
