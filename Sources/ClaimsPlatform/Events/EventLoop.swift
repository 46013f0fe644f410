// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

/// An epoll instance and the one thread that runs it (epoll(7)).
///
/// Any thread may call `post`, `wake` and `stop` and read the counters. Everything else belongs to the loop's own
/// thread, and before `run` to the thread that sets the loop up; another thread traps. A report that was fetched for a
/// descriptor since removed is dropped, even if its number is in use again.
///
/// ```swift
/// let loop = try EventLoop(name: "serving")
/// try loop.add(socket.raw, .read, handler: listener)
/// loop.run()                                  // on this thread, until loop.stop()
/// ```
@safe
public final class EventLoop: Sendable {
    /// The name that the loop was made with, for logs and measurements.
    public let name: String
    /// The number of ticks so far, for any thread. It does not rise while the loop is idle.
    public var ticks: UInt64 { tickCount.load(ordering: .relaxed) }
    /// The time spent in handlers, timers and posted work, in nanoseconds; for any thread.
    public var busyNanoseconds: UInt64 { busy.load(ordering: .relaxed) }

    private let tickCount = Atomic<UInt64>(0)
    private let busy = Atomic<UInt64>(0)
    private let epoll: FileDescriptor
    private let wakeUp: FileDescriptor
    private let isStopping = Atomic<Bool>(false)
    private let runningThread = Atomic<UInt>(0)
    private let inbox = Mutex(Inbox())
    /// Invariant: only the loop's thread touches it, and before `run` the thread that made the loop; `confine` checks
    /// this on every entry. Each event would pay for a lock, and an actor cannot own a thread that waits in epoll.
    nonisolated(unsafe) private let state = LoopState()

    private struct Inbox {
        var work: [@Sendable () -> Void] = []
        var isSignalled = false
        /// Whether no posted work will run any more.
        var isClosed = false
    }

    /// Makes a loop that is not running yet.
    ///
    /// Throws if the kernel gives no epoll instance or eventfd, which is usually the limit of open files (EMFILE).
    ///
    /// - Parameter name: A name for logs and measurements.
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

    /// Runs `work` once on the loop's thread, in the order of posting, after the events of the current tick.
    ///
    /// Any thread may post. Work that comes too late to be run is dropped when the loop ends, or at once after that:
    /// what it holds may hold the loop.
    public func post(_ work: @escaping @Sendable () -> Void) {
        let mustSignal = inbox.withLock { inbox in
            if inbox.isClosed { return false }
            inbox.work.append(work)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        if mustSignal { wake() }
    }

    /// Wakes an idle loop for one tick, so that ``ticks`` rises unless a handler is stuck. Any thread may call it.
    public func wake() {
        var one: UInt64 = 1
        _ = unsafe Glibc.write(wakeUp.raw, &one, 8)
    }

    /// Makes `run` return after the current tick. Any thread may call it; the loop cannot be run again.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        wake()
    }

    /// Whether the calling thread is the one that runs the loop.
    public var isCurrent: Bool { runningThread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Whether the calling thread may touch state that is confined to the loop: the loop's own thread, and before `run`
    /// any thread.
    public var isConfined: Bool {
        let runningThread = runningThread.load(ordering: .relaxed)
        return runningThread == 0 || runningThread == UInt(pthread_self())
    }

    // MARK: The loop's thread

    /// Runs the loop on the calling thread until `stop`, and then releases its handlers and timers.
    ///
    /// A loop runs once; a second call traps.
    public func run() {
        let claimed = runningThread.compareExchange(
            expected: 0, desired: UInt(pthread_self()), ordering: .acquiringAndReleasing)
        precondition(claimed.exchanged, "an event loop runs once, on one thread")
        let state = unsafe state
        defer {
            state.removeAll()
            dropWork()
        }
        var polling = BusyPolling()
        while !isStopping.load(ordering: .acquiring) {
            let ended = SystemClock.monotonic
            let timeout = state.timers.milliseconds(until: ended)
            var count: Int32 = 0
            let looksOn = timeout != 0 && polling.isWorthIt
            while looksOn, count == 0, SystemClock.monotonic &- ended < BusyPolling.maxDuration {
                count = unsafe linux_epoll_wait(epoll.raw, state.events, 0)
            }
            let isInVain = looksOn && count == 0
            if count == 0 { count = unsafe linux_epoll_wait(epoll.raw, state.events, timeout) }
            let start = SystemClock.monotonic
            polling.record(start &- ended, wasInVain: isInVain)
            state.now = start
            tickCount.add(1, ordering: .relaxed)
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
            busy.add(SystemClock.monotonic &- start, ordering: .relaxed)
        }
    }

    /// Monotonic nanoseconds at the start of the current tick, read without a system call.
    public var now: UInt64 {
        confine()
        return unsafe state.now
    }

    /// The number of readiness reports that the current tick delivers; 0 outside their delivery.
    public var reports: Int {
        confine()
        return unsafe state.reports
    }

    /// Runs `work` in every tick from now on, after all readiness reports and before timers and posted work.
    ///
    /// A second call replaces the work of the first.
    public func afterReports(_ work: @escaping () -> Void) {
        confine()
        unsafe state.afterReports = work
    }

    /// Watches `fd` and reports its readiness to `handler`, which is retained until `remove`.
    ///
    /// A descriptor that is watched already traps. If the kernel refuses, the error is thrown and nothing is retained.
    public func add(_ fd: Int32, _ events: EventMask, handler: any EventHandler) throws(SystemError) {
        confine()
        let tag = unsafe state.register(fd, handler)
        guard linux_epoll_control(epoll.raw, LINUX_CONTROL_ADD, fd, events.rawValue, tag) == 0 else {
            let error = SystemError.last("watch a file descriptor")
            unsafe state.unregister(fd)
            throw error
        }
    }

    /// Replaces the set of events that a watched descriptor is watched for.
    public func modify(_ fd: Int32, _ events: EventMask) throws(SystemError) {
        confine()
        let tag = unsafe state.tag(of: fd)
        guard linux_epoll_control(epoll.raw, LINUX_CONTROL_MODIFY, fd, events.rawValue, tag) == 0 else {
            throw .last("watch a file descriptor")
        }
    }

    /// Stops watching a descriptor; must be called before the descriptor is closed.
    ///
    /// Its handler is released and gets no more reports, not even in the current tick. An unwatched descriptor is
    /// ignored.
    public func remove(_ fd: Int32) {
        confine()
        unsafe state.unregister(fd)
        _ = linux_epoll_control(epoll.raw, LINUX_CONTROL_REMOVE, fd, 0, 0)
    }

    /// Runs `work` once on the loop's thread, no earlier than `delay` from now.
    ///
    /// It may be late by up to a millisecond and the current tick.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping () -> Void) -> TimerID {
        confine()
        return unsafe state.timers.schedule(at: SystemClock.monotonic &+ delay.wholeNanoseconds, work)
    }

    /// Drops a timer's work. A timer that has run or was cancelled is ignored.
    public func cancel(_ timer: TimerID) {
        confine()
        unsafe state.timers.cancel(timer)
    }

    /// Runs the work that was posted until now. Work that it posts waits for the next tick, so that events are not
    /// starved.
    private func drain(_ state: LoopState) {
        inbox.withLock { inbox in
            swap(&inbox.work, &state.batch)
            inbox.isSignalled = false
        }
        for work in state.batch { work() }
        state.batch.removeAll(keepingCapacity: state.batch.count <= LoopState.batchKept)
    }

    /// Closes the inbox. What waits there is released without the lock, because it may post.
    private func dropWork() {
        let dropped = inbox.withLock { inbox in
            inbox.isClosed = true
            defer { inbox.work = [] }
            return inbox.work
        }
        _ = dropped
    }

    private func confine() { precondition(isConfined, "only the loop's thread may do this") }

    /// No descriptor's tag: the number would be -1.
    private static let wakeUpTag = UInt64.max
}

/// An object that is notified when a watched descriptor is ready.
///
/// Calls come on the loop's thread only, so a handler needs no lock.
public protocol EventHandler: AnyObject {
    /// Called on the loop's thread. The handler may add, modify and remove any descriptor, itself included.
    func ready(_ events: EventMask, on loop: EventLoop)
}
