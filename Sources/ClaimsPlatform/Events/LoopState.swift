// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The state of an event loop that belongs to its thread.
@safe
final class LoopState {
    /// Room for the reports of one turn.
    let events: UnsafeMutablePointer<linux_event>
    var timers = TimerQueue()
    var now: UInt64 = SystemClock.monotonic
    /// The number of reports being handed out.
    var reports = 0
    /// Done in each turn after the reports.
    var afterReports: (() -> Void)?
    /// Posted work being done; empty between turns.
    var batch: [@Sendable () -> Void] = []
    private var slots: [Slot] = []

    /// The largest batch whose memory is kept for the next.
    static let batchKept = 1024

    /// The handler of the descriptor whose number is the slot's index. The generation rises with each removal.
    private struct Slot {
        var handler: (any EventHandler)?
        var generation: UInt32 = 0
    }

    init() {
        unsafe events = .allocate(capacity: LINUX_EVENTS_MAX)
        unsafe events.initialize(repeating: linux_event(), count: LINUX_EVENTS_MAX)
    }

    deinit {
        unsafe events.deallocate()
    }

    /// The handler of a report; nil if its descriptor was removed after the report was fetched.
    func handler(for tag: UInt64) -> (any EventHandler)? {
        let fd = Int(UInt32(truncatingIfNeeded: tag))
        guard fd < slots.count, slots[fd].generation == UInt32(tag >> 32) else { return nil }
        return slots[fd].handler
    }

    func register(_ fd: Int32, _ handler: any EventHandler) -> UInt64 {
        let index = Int(fd)
        precondition(index >= 0, "a closed descriptor cannot be watched")
        while slots.count <= index { slots.append(Slot()) }
        precondition(slots[index].handler == nil, "a descriptor is watched once only")
        slots[index].handler = handler
        return tag(of: fd)
    }

    func unregister(_ fd: Int32) {
        let index = Int(fd)
        guard index >= 0, index < slots.count, slots[index].handler != nil else { return }
        slots[index].handler = nil
        slots[index].generation &+= 1
    }

    func tag(of fd: Int32) -> UInt64 {
        precondition(fd >= 0 && Int(fd) < slots.count, "the descriptor is not watched")
        return UInt64(slots[Int(fd)].generation) << 32 | UInt64(UInt32(fd))
    }

    /// Lets go of all handlers and timers, which may hold on to the loop.
    func removeAll() {
        slots.removeAll()
        timers = TimerQueue()
        afterReports = nil
    }
}
