// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Synchronization

/// The state of one connection: bytes and events go in, actions come out.
///
/// Pure: it reads no socket and no clock. `Connection` feeds it and performs its actions. During a time slice the
/// caller asks for one action after the other, until one of them ends the slice:
///
/// ```swift
/// state.input.append(received)
/// switch state.next(written: writer.bytes.count, pressure) {
/// case .run(let line): answer(state.input.bytes[line])   // then ask again
/// case .send: send(writer.bytes)                          // then ask again
/// case .rest: return                                      // until the next event
/// …
/// ```
struct ConnectionState: ~Copyable {
    /// The directions in which the connection still works.
    enum Phase {
        /// Requests are read, and answers are sent.
        case open
        /// No more requests are read. The connection closes once the requests that have come are answered and sent.
        case halfClosed
        /// The peer reads no more. Requests that came and have an effect are run; then the connection closes.
        case hungUp
        /// The socket has failed. Requests that came are run; then the connection closes.
        case failed
        case closed
    }

    /// An action for the caller to perform.
    enum Action: Equatable {
        /// Answer the request line at these bytes of ``ConnectionState/input``.
        case run(Range<Int>)
        /// Write the error for a line that was longer than its bound, and was skipped.
        case refuseLongLine
        /// Write the error `cancelled` for the request with this id.
        case reportCancelled(id: [UInt8])
        /// Write the next part of a stream, and call ``ConnectionState/complete(_:)`` after its last one.
        case continueStream(token: UInt64, id: [UInt8])
        /// Send the written answers, and the bytes that wait in ``ConnectionState/output``.
        case send
        /// Watch the socket for these events. The slice ends.
        case watch(EventMask)
        /// Close the socket. The slice ends.
        case close
        /// Wait for the next event. The slice ends.
        case rest
    }

    /// The part of a time slice that the next action belongs to.
    private enum Stage { case lines, streams, sending, settling }

    /// A request that is not answered yet.
    private struct InFlight {
        /// The id as it came, quotes included.
        let id: [UInt8]
        /// Distinguishes the request from an earlier one with the same id.
        let token: UInt64
        let work: Work
    }

    /// The bytes that were received and not read.
    var input: LineBuffer
    /// The bytes of answers that the peer has not read.
    var output = OutputQueue()
    /// The shape of the last request for one record; ``FastPath`` recognises the next one by it.
    var shape = DetailShape()
    /// Its subscriptions, of which event lines wait among the answers.
    var subscriptions = ConnectionSubscriptions()
    /// The purpose of later requests, from `hello`; nil if it gave none.
    var purpose: Purpose?
    private(set) var phase = Phase.open
    /// The number of waiting bytes from which on the progress of requests is not reported.
    static let maxUnreadBeforeProgress = 1 << 16
    private let limits: ServingLimits
    /// Whether the connection rests because the memory for answers is used up; a wake-up is then due once it is not.
    private(set) var awaitsRelief = false
    private var stage = Stage.lines
    /// Whether this time slice has ended before everything was done, so that another one is due.
    private var isCutShort = false
    /// When a stream last began or made something, or the peer read bytes, in nanoseconds.
    private var streamedAt: UInt64 = 0
    private var inFlight: [InFlight] = []
    private var nextToken: UInt64 = 1
    /// The ids of cancelled requests that are not answered yet.
    private var cancelled: [[UInt8]] = []
    /// Whether a line came whole, or the peer read bytes, since the last call of ``consumeActivity()``.
    private var hasProgressed = false
    /// Whether the input was given up with a half line. Subscriptions do not keep the connection then.
    private var hasYielded = false
    private var interest: EventMask = .read

    init(limits: ServingLimits) {
        self.limits = limits
        input = LineBuffer(maxLength: limits.line)
    }

    // MARK: - Events

    /// Handles events of the socket.
    ///
    /// - Returns: whether the socket is to be read now.
    mutating func handle(_ events: EventMask) -> Bool {
        let isOpen = phase == .open
        if phase == .open || phase == .halfClosed {
            if events.contains(.hangUp) {
                phase = .hungUp
            } else if events.contains(.error) {
                phase = .failed
            }
        }
        return isOpen && (events.contains(.read) || events.contains(.hangUp))
    }

    /// Handles the end of the input: the peer sends no more, or the daemon reads no more.
    mutating func endInput() {
        if phase == .open { phase = .halfClosed }
    }

    /// Gives up the half line, and the input with it, because memory for lines is short. The connection closes once the
    /// requests that came are answered.
    ///
    /// - Returns: false if there is no half line any more, and nothing changes.
    mutating func yieldLine() -> Bool {
        guard phase == .open, unread.isHalfLine else { return false }
        input.abandonLine()
        endInput()
        hasYielded = true
        return true
    }

    /// Records a send, with the number of bytes that waited in ``output`` before it.
    mutating func recordSent(waitingBefore waiting: Int) {
        if output.count < waiting { hasProgressed = true }
    }

    /// Records that lines were answered without being read by ``next(written:_:)``.
    mutating func recordAnswered() {
        hasProgressed = true
    }

    /// Ends the time slice before all lines are answered, or all streams have ended. The caller sees to the next one.
    mutating func endSlice() {
        isCutShort = true
        // A stream continues in each slice, even if many lines come.
        stage = stage == .lines ? .streams : .sending
    }

    /// Closes the connection, and cancels the requests in flight.
    ///
    /// - Returns: false if it was closed before.
    mutating func close() -> Bool {
        guard phase != .closed else { return false }
        phase = .closed
        for request in inFlight { request.work.cancellation?.cancel() }
        inFlight = []
        return true
    }

    // MARK: - Actions

    /// The next action of this time slice.
    ///
    /// - Parameter written: the number of bytes that were written for this connection since the last `send`.
    mutating func next(written: Int, _ pressure: MemoryPressure) -> Action {
        while phase != .closed {
            switch stage {
            case .lines:
                if !cancelled.isEmpty { return .reportCancelled(id: cancelled.removeFirst()) }
                if written >= (pressure.isUnsentExhausted ? 1 : BufferBudget.sendThreshold) { return .send }
                if canStart(pressure), let action = nextLine() { return action }
                stage = .streams
            case .streams:
                if written + output.count < BufferBudget.sendThreshold,
                    let request = inFlight.first(where: \.work.isStream)
                {
                    return .continueStream(token: request.token, id: request.id)
                }
                stage = .sending
            case .sending:
                stage = .settling
                return .send
            case .settling:
                // The last send may have made room for answers that were held back.
                if let left = stageLeft(pressure) {
                    stage = left
                } else {
                    (stage, isCutShort) = (.lines, false)
                    return settle(pressure)
                }
            }
        }
        return .rest
    }

    private mutating func nextLine() -> Action? {
        switch input.next() {
        case .line(let range):
            hasProgressed = true
            return .run(range)
        case .tooLong: return .refuseLongLine
        case .incomplete: return nil
        }
    }

    /// The stage that this time slice has to go back to; nil if the connection may rest.
    private func stageLeft(_ pressure: MemoryPressure) -> Stage? {
        guard !isCutShort, phase == .open || phase == .halfClosed else { return nil }
        if canStart(pressure), input.mayHoldLine { return .lines }
        return hasStream && output.count < BufferBudget.sendThreshold ? .streams : nil
    }

    private mutating func settle(_ pressure: MemoryPressure) -> Action {
        awaitsRelief = false
        switch phase {
        case .hungUp, .failed, .closed: return .close
        case .halfClosed where isDone(pressure): return .close
        case .open, .halfClosed: break
        }
        var wanted: EventMask = []
        if phase == .open, canStart(pressure) { wanted.insert(.read) }
        if output.count > 0 { wanted.insert(.write) }
        // A peer that reads its answers causes an event that wakes the connection; a peer that does not is left alone.
        awaitsRelief = output.count == 0 && !canStart(pressure) && canStart(MemoryPressure())
        if wanted == interest { return .rest }
        interest = wanted
        return .watch(wanted)
    }

    /// Whether every request that has come is answered, every answer sent, and every subscription ended. Subscriptions
    /// end with a half line that was given up.
    private func isDone(_ pressure: MemoryPressure) -> Bool {
        guard subscriptions.count == 0 || hasYielded else { return false }
        return inFlight.isEmpty && output.count == 0 && !(canStart(pressure) && input.mayHoldLine)
    }

    /// Whether another request may be started.
    func canStart(_ pressure: MemoryPressure) -> Bool {
        if pressure.isUnsentExhausted { return inFlight.isEmpty && output.count == 0 }
        return inFlight.count < limits.inFlight && output.count < limits.unsent
    }

    // MARK: - Requests in flight

    /// Whether a request with that id, as it came, is not answered yet.
    func isInFlight(_ id: RawSpan) -> Bool {
        !inFlight.isEmpty && inFlight.contains { id.equals($0.id.rawSpan) }
    }

    /// Records a request whose answer comes later.
    ///
    /// - Returns: the token to pass to ``complete(_:)``.
    mutating func begin(_ id: [UInt8], _ work: Work) -> UInt64 {
        let token = nextToken
        nextToken += 1
        inFlight.append(InFlight(id: id, token: token, work: work))
        return token
    }

    /// The id of a request whose progress is reported; nil if the request was answered or cancelled, the connection is
    /// closed, or the peer leaves too much unread.
    func idForProgress(of token: UInt64) -> [UInt8]? {
        output.count < Self.maxUnreadBeforeProgress ? inFlight.first { $0.token == token }?.id : nil
    }

    /// Ends a request in flight.
    ///
    /// - Returns: the id to answer with; nil if the request was cancelled or the connection is closed.
    mutating func complete(_ token: UInt64) -> [UInt8]? {
        guard let index = inFlight.firstIndex(where: { $0.token == token }) else { return nil }
        return inFlight.remove(at: index).id
    }

    /// Cancels a request in flight; it is answered with `cancelled`.
    ///
    /// - Returns: the token of the request.
    /// - Throws: `not_found` if no such request is in flight, `conflict` if it is a change.
    mutating func cancel(_ id: [UInt8]) throws(RequestError) -> UInt64 {
        guard let index = inFlight.firstIndex(where: { $0.id == id }) else { throw .requestNotInFlight }
        guard let cancellation = inFlight[index].work.cancellation else { throw .changeNotCancellable }
        cancellation.cancel()
        cancelled.append(id)
        return inFlight.remove(at: index).token
    }

    // MARK: - Streams

    /// Whether a stream is in flight.
    var hasStream: Bool { inFlight.contains(where: \.work.isStream) }

    /// Records that a stream begins or has made something, or that the peer has read bytes.
    mutating func recordStreaming(at now: UInt64) {
        streamedAt = now
    }

    /// The time that the streams in flight may still produce nothing.
    enum StreamStall: Equatable {
        /// No stream is in flight.
        case unneeded
        /// The time after which the caller asks again, in nanoseconds.
        case left(UInt64)
        /// The stream with this token has produced nothing for too long, although the peer has read everything.
        case exhausted(token: UInt64)
    }

    /// The time that the streams in flight may still produce nothing; times are in nanoseconds.
    func streamStall(at now: UInt64, limit: UInt64) -> StreamStall {
        guard let request = inFlight.first(where: \.work.isStream) else { return .unneeded }
        guard output.count == 0 else { return .left(limit) }
        let idle = now > streamedAt ? now - streamedAt : 0
        return idle < limit ? .left(limit - idle) : .exhausted(token: request.token)
    }

    // MARK: - Condition

    /// Whether the connection does nothing but wait for the next line.
    var isQuiet: Bool {
        phase == .open && inFlight.isEmpty && output.count == 0 && interest == .read
    }

    /// Whether the connection closes at the end of the next time slice.
    var isEnding: Bool { phase == .hungUp || phase == .failed }

    /// Whether lines that wait may be answered by ``FastPath``: no other answer comes before theirs.
    func mayAnswerRepeated(_ pressure: MemoryPressure) -> Bool {
        shape.isKnown && input.mayHoldLine && inFlight.isEmpty && stage == .lines && phase != .hungUp
            && phase != .closed && !pressure.isUnsentExhausted && output.count < limits.unsent
    }

    /// The number of bytes that count against the budget of unsent answers. Event lines have a budget of their own.
    var unsentBytes: Int {
        phase == .closed ? 0 : max(0, output.count - subscriptions.waiting) + inFlight.count * BufferBudget.share
    }

    /// The number of bytes that are received and not read.
    var unreadBytes: Int { phase == .closed ? 0 : input.count }

    /// The holding in the form in which the memory for lines counts it.
    var unread: LineLedger.Holding {
        LineLedger.Holding(bytes: unreadBytes, isHalfLine: unreadBytes > 0 && !input.hasLine)
    }

    /// The activity since the last call, for eviction: a request is in flight; or a whole line came or the peer read
    /// bytes; or neither.
    enum Activity { case working, progressed, none }

    /// The activity since the last call.
    mutating func consumeActivity() -> Activity {
        defer { hasProgressed = false }
        if !inFlight.isEmpty { return .working }
        return hasProgressed ? .progressed : .none
    }
}

extension ConnectionState {
    /// The work of a request that is answered later.
    enum Work {
        /// A change that is being written; it cannot be cancelled.
        case change
        case query(Cancellation)
        case stream(Cancellation)

        var cancellation: Cancellation? {
            switch self {
            case .change: nil
            case .query(let cancellation), .stream(let cancellation): cancellation
            }
        }

        var isStream: Bool { if case .stream = self { true } else { false } }
    }
}

/// The bytes of answers that a peer has not read yet.
struct OutputQueue: Sendable {
    private var bytes: [UInt8] = []
    private var head = 0

    /// The number of bytes that wait.
    var count: Int { bytes.count - head }

    /// Adds the bytes of `source` from `offset` on.
    mutating func append(_ source: [UInt8], from offset: Int) {
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.retainedBytes)
            head = 0
        } else if head > Self.retainedBytes {
            bytes.removeSubrange(..<head)
            head = 0
        }
        bytes.append(contentsOf: source[offset...])
    }

    /// Sends the waiting bytes until none is left or `send` accepts none.
    ///
    /// - Parameter send: gets the buffer and the offset of the first waiting byte, and returns the number of bytes that
    ///   it has accepted.
    mutating func drain<Failure: Error>(_ send: ([UInt8], Int) throws(Failure) -> Int) throws(Failure) {
        while head < bytes.count {
            let sent = try send(bytes, head)
            if sent == 0 { return }
            head += sent
        }
        if bytes.capacity > Self.retainedBytes {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        head = 0
    }

    /// The memory that an emptied queue keeps, and the number of sent bytes from which on they are removed.
    private static let retainedBytes = 1 << 16
}
