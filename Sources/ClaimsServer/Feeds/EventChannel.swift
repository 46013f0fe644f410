// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A finished event line for one subscription.
struct EventLine: Sendable {
    /// The number of the subscription on its connection.
    let subscription: Int
    /// The members of `params` after the number of the subscription, with the ends of the objects: equal feeds share it.
    let rest: [UInt8]
    /// Whether no line of the subscription follows.
    let isLast: Bool

    /// The size that the line is accounted with, in bytes.
    var size: Int { rest.count + Self.headSize }

    /// The size of the members before `rest`, rounded up.
    private static let headSize = 80
}

/// The way of event lines from the hub to one connection, with the count of the lines that its peer has not read.
///
/// The hub hands lines over, on its thread; the connection reports, on the thread of its loop, how many bytes of them
/// the peer has read. Safe on any thread.
final class EventChannel: Sendable {
    /// The number of the connection.
    let token: UInt64
    /// The memory of all connections.
    private let budget: EventBudget
    /// Hands lines to the thread of the connection's loop.
    private let send: @Sendable (EventChannel, [EventLine]) -> Void
    private let onRoom: @Sendable (EventChannel) -> Void
    private let waiting = Atomic<Int>(0)
    /// Whether the hub waits for room.
    private let isAwaited = Atomic<Bool>(false)
    private let waitingSince = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - send: hands lines to the connection; called on the hub's thread.
    ///   - onRoom: called on any thread when there is room again after ``hasRoom()`` was false.
    init(
        token: UInt64, budget: EventBudget, send: @escaping @Sendable (EventChannel, [EventLine]) -> Void,
        onRoom: @escaping @Sendable (EventChannel) -> Void
    ) {
        self.token = token
        self.budget = budget
        self.send = send
        self.onRoom = onRoom
    }

    /// The time since which something waits and the peer has read nothing, in nanoseconds of the monotonic clock; nil
    /// while nothing waits.
    var unreadSince: UInt64? {
        let since = waitingSince.load(ordering: .relaxed)
        return since == 0 ? nil : since
    }

    // MARK: - The hub's thread

    /// Whether a line may be made for the connection. If not, `onRoom` is called later.
    func hasRoom() -> Bool {
        if isRoomLeft { return true }
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        budget.requestRoom()
        // The peer may have read everything meanwhile; then no other event would report it.
        return isRoomLeft && isAwaited.exchange(false, ordering: .sequentiallyConsistent)
    }

    /// Whether a line may be made for the connection now; if not, nothing is reported later.
    var isRoomLeft: Bool {
        EventRoom.isLeft(waiting: waiting.load(ordering: .sequentiallyConsistent), all: budget.used)
    }

    /// Accounts a line that ``deliver(_:)`` hands over soon, of this size in bytes.
    func reserve(_ size: Int) {
        waiting.wrappingAdd(size, ordering: .sequentiallyConsistent)
        budget.change(by: size)
    }

    /// Hands lines over, which are accounted already.
    func deliver(_ lines: [EventLine]) {
        send(self, lines)
    }

    // MARK: - The connection's thread

    /// Records that the peer has read lines of this size, or that they were dropped.
    func release(_ size: Int) {
        guard size > 0 else { return }
        let left = waiting.wrappingSubtract(size, ordering: .sequentiallyConsistent).newValue
        budget.change(by: -size)
        if left < EventRoom.roomThreshold { reportRoom() }
    }

    /// Reports room if the hub waits for it; for any thread.
    func reportRoom() {
        if isAwaited.exchange(false, ordering: .sequentiallyConsistent) { onRoom(self) }
    }

    /// Records a send at `now`, in nanoseconds of the monotonic clock.
    ///
    /// - Parameter hasProgressed: whether the peer has read bytes that waited.
    func recordSend(isAnythingLeft: Bool, hasProgressed: Bool, at now: UInt64) {
        if !isAnythingLeft {
            waitingSince.store(0, ordering: .relaxed)
        } else if hasProgressed || waitingSince.load(ordering: .relaxed) == 0 {
            waitingSince.store(now, ordering: .relaxed)
        }
    }
}

/// The size of the event lines that wait for all connections. Safe on any thread.
final class EventBudget: Sendable {
    private let bytes = Atomic<Int>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let onRoom = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets the function that is called, on any thread, when memory is free again after ``requestRoom()``.
    func observe(_ onRoom: @escaping @Sendable () -> Void) {
        self.onRoom.withLock { $0 = onRoom }
    }

    /// The size of the lines that wait, in bytes.
    var used: Int { bytes.load(ordering: .sequentiallyConsistent) }

    /// Asks for a call of `onRoom` once less than half of the memory is in use; nothing if that is so already.
    func requestRoom() {
        if used >= EventRoom.sharedThreshold { isAwaited.store(true, ordering: .sequentiallyConsistent) }
    }

    /// Adds a change, in bytes.
    func change(by size: Int) {
        let left = bytes.wrappingAdd(size, ordering: .sequentiallyConsistent).newValue
        if size < 0, left < EventRoom.sharedThreshold,
            isAwaited.exchange(false, ordering: .sequentiallyConsistent)
        {
            onRoom.withLock { $0 }?()
        }
    }
}

/// Decides about event lines that wait for their peers: when another line may be made, and when a peer is given up.
///
/// A subscription is a position, not a queue: if there is no room, no line is made, and later the net effect of the
/// changes is sent. Pure: sizes are in bytes, times in nanoseconds of the monotonic clock.
enum EventRoom {
    /// The size of the lines that wait for one connection from which on no further line is made for it.
    static let maxWaiting = 1 << 16
    /// The size of the lines that wait for all connections from which on no further line is made.
    static let maxWaitingInAll = 32 << 20
    /// The size of the lines that wait for a connection below which it has room again.
    static let roomThreshold = maxWaiting / 2
    /// The size of the lines for all connections at which only connections that have read everything get another line,
    /// so that peers that read nothing leave the remaining memory to those that read.
    static let sharedThreshold = maxWaitingInAll / 2

    /// Whether a line may be made for a connection.
    ///
    /// - Parameters:
    ///   - waiting: the size of the lines that wait for it.
    ///   - all: the size of the lines that wait for all connections.
    static func isLeft(waiting: Int, all: Int) -> Bool {
        waiting < maxWaiting && all < (waiting == 0 ? maxWaitingInAll : sharedThreshold)
    }

    /// The time after which a connection with waiting lines is inspected again; nil if it is given up now.
    ///
    /// - Parameters:
    ///   - since: the time since which something waits and nothing was read.
    ///   - stall: the time after which a peer that reads nothing is given up.
    static func timeLeft(unreadSince since: UInt64, now: UInt64, stall: Duration) -> Duration? {
        let elapsed = Duration.nanoseconds(Int64(clamping: now > since ? now - since : 0))
        return elapsed < stall ? stall - elapsed : nil
    }
}
