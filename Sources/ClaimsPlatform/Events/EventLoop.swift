// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

/// One epoll and the one thread that runs it.
///
/// `post`, `wake`, `stop` and the counters are for any thread; all else is for the loop's own thread, or, before `run`,
/// for whoever sets the loop up. Handlers are found by descriptor number in an array, and a report that was fetched
/// for a descriptor since removed is dropped, even if its number is in use again.
@safe
public final class EventLoop: Sendable {
    public let name: String
    /// How many times the loop has gone round; an idle loop stands still until `wake`.
    public var turns: UInt64 { turnCount.load(ordering: .relaxed) }
    /// Nanoseconds spent in handlers, timers and posted work.
    public var busyNanoseconds: UInt64 { busy.load(ordering: .relaxed) }

    private let turnCount = Atomic<UInt64>(0)
    private let busy = Atomic<UInt64>(0)
    private let epoll: FileDescriptor
    private let wakeUp: FileDescriptor
    private let isStopping = Atomic<Bool>(false)
    private let owner = Atomic<UInt>(0)
    private let inbox = Mutex(Inbox())
    /// Invariant: touched on the loop's thread only, or before `run`; `confine` checks it on every entry.
    nonisolated(unsafe) private let state = LoopState()

    private struct Inbox {
        var work: [@Sendable () -> Void] = []
        var isSignalled = false
    }

    /// A loop that does nothing yet; `name` shows in debuggers once it runs (15 bytes of it).
    public init(name: String) throws(SystemError) {
        self.name = name
        let raw = linux_epoll_create()
        guard raw >= 0 else { throw .last("make an epoll") }
        epoll = FileDescriptor(owning: raw)
        let event = linux_eventfd()
        guard event >= 0 else { throw .last("make an eventfd") }
        wakeUp = FileDescriptor(owning: event)
        // Edge-triggered, so that it need not be read: each write is an edge.
        let mask = EventMask([.read, .edgeTriggered])
        guard linux_epoll_control(raw, LINUX_CONTROL_ADD, event, mask.rawValue, Self.wakeUpTag) == 0 else {
            throw .last("watch an eventfd")
        }
    }

    // MARK: Any thread

    /// Has `work` done on the loop's thread, in the order of posting, after the events at hand.
    ///
    /// What is posted to a loop that has ended is kept, and dropped with the loop.
    public func post(_ work: @escaping @Sendable () -> Void) {
        let mustSignal = inbox.withLock { inbox in
            inbox.work.append(work)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        if mustSignal { wake() }
    }

    /// Makes the loop go round once, so that `turns` moves where the loop is not stuck.
    public func wake() {
        var one: UInt64 = 1
        _ = unsafe Glibc.write(wakeUp.raw, &one, 8)
    }

    /// Ends `run` after the turn at hand; it stays ended.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        wake()
    }

    /// True on the loop's own thread.
    public var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    // MARK: The loop's thread

    /// Serves until `stop`. The calling thread is the loop's from now on.
    public func run() {
        let claimed = owner.compareExchange(
            expected: 0, desired: UInt(pthread_self()), ordering: .acquiringAndReleasing)
        precondition(claimed.exchanged, "an event loop runs once, on one thread")
        let state = unsafe state
        defer { state.removeAll() }
        var patience = Patience()
        while !isStopping.load(ordering: .acquiring) {
            let ended = Clocks.monotonic
            let timeout = state.timers.milliseconds(until: ended)
            var count: Int32 = 0
            let looksOn = timeout != 0 && patience.isWorthIt
            while looksOn, count == 0, Clocks.monotonic &- ended < Patience.most {
                count = unsafe linux_epoll_wait(epoll.raw, state.events, 0)
            }
            let isInVain = looksOn && count == 0
            if count == 0 { count = unsafe linux_epoll_wait(epoll.raw, state.events, timeout) }
            let start = Clocks.monotonic
            patience.note(start &- ended, wasInVain: isInVain)
            state.now = start
            turnCount.add(1, ordering: .relaxed)
            guard count >= 0 else {
                precondition(errno == EINTR, "the epoll is this loop's and open")
                continue
            }
            var mustDrain = false
            state.reports = Int(count)
            for index in 0..<Int(count) {
                let event = unsafe state.events[index]
                if event.data == Self.wakeUpTag {
                    mustDrain = true
                } else if let handler = state.handler(for: event.data) {
                    handler.ready(EventMask(rawValue: event.events), on: self)
                }
            }
            state.reports = 0
            if let work = state.afterReports { work() }
            while let work = state.timers.popDue(at: start) { work() }
            if mustDrain { drain(state) }
            busy.add(Clocks.monotonic &- start, ordering: .relaxed)
        }
    }

    /// Monotonic nanoseconds as of the turn at hand: a clock that costs nothing.
    public var now: UInt64 {
        confine()
        return unsafe state.now
    }

    /// How many reports of readiness are being handed out; 0 before and after that.
    public var reports: Int {
        confine()
        return unsafe state.reports
    }

    /// Has `work` done in each turn from now on, after all reports of readiness and before timers and posted work.
    public func afterReports(_ work: @escaping () -> Void) {
        confine()
        unsafe state.afterReports = work
    }

    /// Watches `fd` and tells `handler`, which is kept until `remove`. A descriptor can be added once only.
    public func add(_ fd: Int32, _ events: EventMask, handler: any EventHandler) throws(SystemError) {
        confine()
        let tag = unsafe state.register(fd, handler)
        guard linux_epoll_control(epoll.raw, LINUX_CONTROL_ADD, fd, events.rawValue, tag) == 0 else {
            let error = SystemError.last("watch a file descriptor")
            unsafe state.unregister(fd)
            throw error
        }
    }

    /// Changes what a watched descriptor is watched for.
    public func modify(_ fd: Int32, _ events: EventMask) throws(SystemError) {
        confine()
        let tag = unsafe state.tag(of: fd)
        guard linux_epoll_control(epoll.raw, LINUX_CONTROL_MODIFY, fd, events.rawValue, tag) == 0 else {
            throw .last("watch a file descriptor")
        }
    }

    /// Forgets a descriptor, to be called before it is closed; its handler is told nothing more, not even in this turn.
    public func remove(_ fd: Int32) {
        confine()
        unsafe state.unregister(fd)
        _ = linux_epoll_control(epoll.raw, LINUX_CONTROL_REMOVE, fd, 0, 0)
    }

    /// Does `work` once, on this thread, `delay` from now or up to a millisecond and the turn at hand later.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping () -> Void) -> TimerID {
        confine()
        return unsafe state.timers.schedule(at: Clocks.monotonic &+ delay.wholeNanoseconds, work)
    }

    /// Drops a timer's work; one that is done or dropped already is no error.
    public func cancel(_ timer: TimerID) {
        confine()
        unsafe state.timers.cancel(timer)
    }

    /// Does what was posted until now. What that posts in turn waits for the next turn, so that events are not starved.
    private func drain(_ state: LoopState) {
        inbox.withLock { inbox in
            swap(&inbox.work, &state.batch)
            inbox.isSignalled = false
        }
        for work in state.batch { work() }
        state.batch.removeAll(keepingCapacity: state.batch.count <= LoopState.batchKept)
    }

    private func confine() {
        let owner = owner.load(ordering: .relaxed)
        precondition(owner == 0 || owner == UInt(pthread_self()), "only the loop's thread may do this")
    }

    /// No descriptor's tag: the number would be -1.
    private static let wakeUpTag = UInt64.max
}
