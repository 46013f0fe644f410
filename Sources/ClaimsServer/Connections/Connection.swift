// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore
import Synchronization

/// One peer: its socket, and the loop that serves it. It feeds a ``ConnectionState`` and performs its actions.
///
/// Invariant behind the unchecked conformance: `activity` and `home` are safe on any thread; only the loop's thread
/// touches the other members that change, and a loop finishes its work with a connection before it gives it away. Tests
/// check it. An actor cannot move to the executor of another loop.
final class Connection: EventHandler, RegisteredConnection, @unchecked Sendable {
    /// The peer, with its roles at the time of the connection; each request is judged anew.
    let peer: Peer
    /// The state of the connection that other threads may read.
    let activity = ConnectionActivity()
    /// The same as ``loop`` for other threads; only the serving loop changes it.
    private let home: Mutex<ServingLoop>
    private let socket: FileDescriptor

    // MARK: Confined to the loop's thread

    /// The loop that serves the connection. The loop releases a closed connection, which ends this reference cycle.
    private var loop: ServingLoop
    /// One access to the state covers a whole time slice.
    private(set) var state: ConnectionState
    private var streams = ConnectionStreams()
    private var events: ConnectionEvents
    /// Whether a wake-up is due once memory for answers is free.
    private var isAwaitingRelief = false
    /// The number of unread bytes that the registry knows of.
    private var countedUnread = 0
    /// Whether the connection waits in the loop's queue; the loop sets it.
    var isQueued = false
    /// The cost of its time slices; the loop updates it.
    var load = ConnectionLoad()

    init(_ socket: consuming FileDescriptor, peer: Peer, loop: ServingLoop, state: consuming ConnectionState) {
        self.socket = socket
        self.peer = peer
        self.loop = loop
        self.state = state
        home = Mutex(loop)
        events = ConnectionEvents(loop.context.feeds, uid: peer.uid)
    }

    var token: UInt64 { peer.requester.connection }
    var idleSince: UInt64 { activity.idleSince }
    var hasAsked: Bool { activity.hasAsked }
    var isSubscribed: Bool { activity.isSubscribed }
    var unsentBytes: Int { activity.unsentBytes }
    /// The descriptor's number, for registering with the loop.
    var descriptor: Int32 { socket.raw }
    var isOpen: Bool { state.phase != .closed }
    /// Whether nothing ties the connection to its loop. The lines of subscriptions would overtake each other.
    var isMovable: Bool { !isQueued && state.isQuiet && state.subscriptions.count == 0 }

    // MARK: - Any thread

    /// Performs `work` on the thread of the loop that serves the connection by then; for any thread.
    func perform(_ work: @escaping @Sendable (Connection) -> Void) {
        let loop = home.withLock { $0 }
        loop.perform { [self] in
            // Only this loop may give the connection away. If it has done so, the work follows the connection.
            if home.withLock({ $0 }) === loop { work(self) } else { perform(work) }
        }
    }

    /// Answers a request in flight; for any thread.
    ///
    /// - Parameter language: the language of an error; nil for the language of the settings.
    func complete(_ token: UInt64, _ result: RequestResult, in language: String?) {
        perform { connection in
            let loop = connection.loop
            if connection.finish(token, with: result, in: language, &connection.state, &loop.buffers) {
                loop.serve(connection)
            }
        }
    }

    /// Reports how far a request in flight is; for any thread. The report is dropped if the peer leaves much unread.
    ///
    /// - Parameters:
    ///   - method: the name of the notification.
    ///   - members: the members of its `params` after `request`, each with a comma before it.
    func report(_ token: UInt64, _ method: String, _ members: [UInt8]) {
        perform { connection in
            let loop = connection.loop
            if connection.report(token, method, members, state: &connection.state, buffers: &loop.buffers) {
                loop.serve(connection)
            }
        }
    }

    /// Closes the connection because its slot is needed; for any thread. Requests that have arrived are answered first.
    func evict() { perform { $0.evict(&$0.state, &$0.loop.buffers) } }

    /// Reads no more; the connection closes once the requests that came are answered. For any thread.
    func drain() { perform { $0.drain(&$0.state, &$0.loop.buffers) } }

    /// Gives up a half line, because memory for lines is short; for any thread. The peer gets an error, and the
    /// connection closes once the requests that came are answered. A line that has become whole meanwhile is read.
    func yieldLine() { perform { $0.yieldLine(&$0.state, &$0.loop.buffers) } }

    // MARK: - Events

    func ready(_ mask: EventMask, on _: EventLoop) {
        assert(loop.events.isConfined)
        let loop = loop
        if mask == .read, !isQueued, let start = loop.sliceStart {
            switch serveRepeated(&state, &loop.buffers, on: loop) {
            case .answered: return loop.record(self, since: start)
            case .gathered: return loop.answerGathered(onlyIfFull: true)
            case .remaining, .left, .hungUp: break
            }
        }
        // The gathered requests come first: this event may take longer.
        loop.answerGathered()
        switch handle(mask, &state, &loop.buffers) {
        case .nothing: break
        case .slice: loop.serve(self)
        case .lastSlice: serveSlice()
        }
    }

    /// Serves one time slice.
    func serveSlice() { serve(&state, &loop.buffers) }

    /// Closes the connection at once.
    func close() { close(&state, &loop.buffers) }

    /// Moves to another loop; the serving loop has released the connection.
    func move(to other: ServingLoop) {
        loop = other
        home.withLock { home in
            home = other
            // Posted under the lock, so that the new loop adopts the connection before any work for it arrives.
            other.perform { other.adopt(self) }
        }
    }

    /// The result of an event.
    private enum Need {
        case nothing
        /// A time slice, when the queue allows.
        case slice
        /// A time slice at once: it is short, because the peer is gone.
        case lastSlice
    }

    private func handle(_ mask: EventMask, _ state: inout ConnectionState, _ buffers: inout LoopBuffers) -> Need {
        let mayReceive = state.handle(mask)
        if mask.contains(.write) { send(&state, &buffers) }
        // A queued connection is not read: the kernel reports the same events again after its slice.
        if state.phase == .closed || isQueued && !state.isEnding { return .nothing }
        if mayReceive { receive(&state, &buffers) }
        if state.phase == .closed { return .nothing }
        return state.isEnding ? .lastSlice : .slice
    }

    private func receive(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.canStart(loop.pressure) else { return }
        do throws(SystemError) {
            for _ in 0..<Self.maxReceivesPerEvent {
                switch try buffers.receive(descriptor, into: &state.input) {
                case .bytes(let count): if count < LoopBuffers.receiveBytes { return }
                case .wouldBlock: return
                case .closed:
                    state.input.end()
                    return state.endInput()
                }
                account(for: state)
                if state.input.count > loop.limits.line || state.input.hasLine { return }
            }
        } catch {
            close(&state, &buffers)
        }
    }

    private func evict(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.phase != .closed else { return }
        // The connection counted as idle, but a request may have arrived meanwhile.
        let isReading = state.handle(UnixSocket.hasHungUp(descriptor) ? .hangUp : .read)
        if isReading { receive(&state, &buffers) }
        if state.phase != .closed { serve(&state, &buffers) }
        close(&state, &buffers)
    }

    private func drain(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.phase != .closed else { return }
        if state.phase == .open { receive(&state, &buffers) }
        state.endInput()
        serve(&state, &buffers)
        // A subscription has no end of its own.
        guard state.phase != .closed, events.isOpen else { return }
        endSubscriptions(&state)
        // Lines that wait are sent again to a client that comes back.
        if state.unsentBytes == 0 { close(&state, &buffers) } else { serve(&state, &buffers) }
    }

    private func yieldLine(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard loop.isYielding(self), state.yieldLine() else { return }
        buffers.write(.failure(.noMemoryForLine), id: nil, on: loop)
        serve(&state, &buffers)
    }

    /// Receives and answers requests at once, if the connection does nothing else.
    ///
    /// - Parameter loop: the connection's loop. Each read of the property would retain and release it.
    private func serveRepeated(
        _ state: inout ConnectionState, _ buffers: inout LoopBuffers, on loop: ServingLoop
    ) -> LoopBuffers.RepeatedService {
        do throws(SystemError) {
            let service = try buffers.serveRepeated(self, &state, on: loop)
            switch service {
            case .answered: activity.recordIdle(since: loop.events.now)
            case .left: account(for: state)
            case .hungUp:
                state.endInput()
                account(for: state)
            case .gathered, .remaining: break
            }
            return service
        } catch {
            close(&state, &buffers)
            return .answered
        }
    }

    /// Answers a request that was gathered with those of other connections.
    ///
    /// - Returns: false if the request is put back into the input, for a time slice.
    func answer(_ request: borrowing FastPath<Connection>.Gathered) -> Bool {
        let loop = loop
        return answer(request, &state, &loop.buffers, on: loop)
    }

    private func answer(
        _ request: borrowing FastPath<Connection>.Gathered, _ state: inout ConnectionState,
        _ buffers: inout LoopBuffers, on loop: ServingLoop
    ) -> Bool {
        guard state.phase != .closed else { return true }
        do throws(SystemError) {
            switch try buffers.answer(request, for: descriptor, &state, on: loop) {
            case .remaining, .gathered: return false
            case .answered: activity.recordIdle(since: loop.events.now)
            case .left:
                // The peer reads its answers slowly: the next slice waits until it can be written to.
                account(for: state)
                serve(&state, &buffers)
            case .hungUp: close(&state, &buffers)
            }
        } catch {
            close(&state, &buffers)
        }
        return true
    }

    // MARK: - Time slices

    private func serve(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        loop.served.refresh()
        var slice = TimeSlice()
        while true {
            if state.mayAnswerRepeated(loop.pressure) { buffers.answerRepeated(&state, from: peer, on: loop) }
            switch state.next(written: buffers.pending, loop.pressure) {
            case .run(let line):
                run(line, &state, &buffers)
                end(&slice, of: &state)
            case .refuseLongLine:
                buffers.write(.failure(.lineTooLong(maxBytes: loop.limits.line)), id: nil, on: loop)
                end(&slice, of: &state)
            case .reportCancelled(let id): buffers.write(.failure(.requestCancelled), id: id, on: loop)
            case .continueStream(let token, let id):
                continueStream(token, id: id, &state, &buffers)
                end(&slice, of: &state)
            case .send: send(&state, &buffers)
            case .watch(let mask):
                do throws(SystemError) {
                    try loop.events.modify(descriptor, mask)
                } catch {
                    return close(&state, &buffers)
                }
                return rest(&state)
            case .close: return close(&state, &buffers)
            case .rest: return rest(&state)
            }
        }
    }

    private func rest(_ state: inout ConnectionState) {
        activity.record(state.consumeActivity(), at: loop.events.now)
        if state.awaitsRelief { awaitRelief() }
    }

    /// Ends the slice if its time is over, and more lines wait or a stream goes on.
    private func end(_ slice: inout TimeSlice, of state: inout ConnectionState) {
        guard state.phase != .closed, state.input.mayHoldLine || state.hasStream else { return }
        guard slice.isOver(at: SystemClock.monotonic) else { return }
        loop.enqueue(self)
        state.endSlice()
    }

    private func run(_ range: Range<Int>, _ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        activity.recordLine()
        // The array is kept here, so that the line does not move if the state changes.
        let bytes = state.input.bytes
        guard let later = buffers.answer(bytes.rawSpan.extracting(range), &state, from: peer, on: loop) else { return }
        do throws(RequestError) {
            try begin(later.disposition, id: later.id, in: later.language, &state, &buffers)
        } catch {
            buffers.write(.failure(error), id: later.id, in: later.language, on: loop)
        }
    }

    private func begin(
        _ disposition: Disposition, id: [UInt8], in language: String?, _ state: inout ConnectionState,
        _ buffers: inout LoopBuffers
    ) throws(RequestError) {
        switch disposition {
        case .answered, .introduced: break
        case .later(let cancellation, let start):
            let token = state.begin(id, cancellation.map { .query($0) } ?? .change)
            start { [self] result in complete(token, result, in: language) }
        case .watched(let cancellation, let start):
            let token = state.begin(id, .query(cancellation))
            start(
                { [self] method, members in report(token, method, members) },
                { [self] result in complete(token, result, in: language) })
        case .stream(let stream):
            let token = state.begin(id, .stream(stream.cancellation))
            streams.begin(stream, token: token)
            state.recordStreaming(at: SystemClock.monotonic)
            watchStreams()
        case .cancel(let other):
            streams.end(try state.cancel(other))
            buffers.write(.success(Self.emptyObject), id: id, on: loop)
        case .subscribe(let order):
            let result = try events.begin(order, &state.subscriptions, max: loop.limits.subscriptions) { hub in
                makeChannel(hub)
            }
            activity.recordSubscriptions(state.subscriptions.count)
            buffers.write(.success(result), id: id, on: loop)
        case .unsubscribe(let number):
            try events.end(number, &state.subscriptions)
            activity.recordSubscriptions(state.subscriptions.count)
            buffers.write(.success(Self.emptyObject), id: id, on: loop)
        }
    }

    // MARK: - Answers

    /// Answers a request in flight.
    ///
    /// - Returns: whether waiting lines may be answered.
    private func finish(
        _ token: UInt64, with result: RequestResult, in language: String?, _ state: inout ConnectionState,
        _ buffers: inout LoopBuffers
    ) -> Bool {
        guard let id = state.complete(token) else { return false }
        buffers.write(result, id: id, in: language, on: loop)
        send(&state, &buffers)
        return state.phase != .closed
    }

    /// - Returns: whether the connection needs a time slice, to wait until more can be sent.
    private func report(
        _ token: UInt64, _ method: String, _ members: [UInt8], state: inout ConnectionState,
        buffers: inout LoopBuffers
    ) -> Bool {
        guard let id = state.idForProgress(of: token) else { return false }
        RequestRouter.write(method, of: id, members, to: &buffers.outgoing)
        send(&state, &buffers)
        return state.phase != .closed && state.output.count > 0
    }

    private func send(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.phase != .closed else { return }
        let (waiting, pending) = (state.output.count, state.output.count + buffers.pending)
        do throws(SystemError) {
            guard try buffers.send(descriptor, &state.output) else { return close(&state, &buffers) }
        } catch {
            return close(&state, &buffers)
        }
        let left = state.output.count
        state.recordSent(waitingBefore: waiting)
        if left < waiting, state.hasStream { state.recordStreaming(at: SystemClock.monotonic) }
        events.recordSent(&state.subscriptions, before: pending, left: left, at: loop.events.now)
        account(for: state)
    }

    private func close(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.close() else { return }
        streams.endAll()
        endSubscriptions(&state)
        loop.context.endUploads(of: peer)
        account(for: state)
        buffers.discard()
        loop.events.remove(descriptor)
        loop.forget(self)
    }

    /// Records in the budgets the number of bytes that this connection keeps in memory.
    private func account(for state: borrowing ConnectionState) {
        let change = activity.recordUnsent(state.unsentBytes)
        if change != 0 { loop.changeUnsent(by: change) }
        let unread = state.unreadBytes
        if unread == countedUnread { return }
        countedUnread = unread
        loop.record(state.unread, of: self)
    }

    /// Begins a time slice once the memory for answers is no longer used up.
    private func awaitRelief() {
        guard !isAwaitingRelief else { return }
        isAwaitingRelief = true
        loop.whenUnsentRelieved { [weak self] in
            self?.perform { connection in
                connection.isAwaitingRelief = false
                if connection.isOpen { connection.loop.serve(connection) }
            }
        }
    }

    private func makeChannel(_ hub: FeedHub) -> EventChannel {
        hub.makeChannel(token: token) { [weak self] channel, lines in
            guard let self else { return channel.release(lines.reduce(0) { $0 + $1.size }) }
            perform { connection in
                let loop = connection.loop
                if connection.deliver(lines, &connection.state, &loop.buffers) { loop.serve(connection) }
            }
        }
    }

    /// Sends lines of the hub.
    ///
    /// - Returns: whether the connection needs a time slice: to wait until more can be sent, or to close.
    private func deliver(
        _ lines: [EventLine], _ state: inout ConnectionState, _ buffers: inout LoopBuffers
    ) -> Bool {
        events.write(lines, &state.subscriptions, isClosed: state.phase == .closed, to: &buffers.outgoing)
        activity.recordSubscriptions(state.subscriptions.count)
        guard buffers.pending > 0 else { return false }
        send(&state, &buffers)
        return state.phase == .halfClosed || state.phase == .open && state.output.count > 0
    }

    private func endSubscriptions(_ state: inout ConnectionState) {
        events.endAll(&state.subscriptions, isClosed: state.phase == .closed)
        activity.recordSubscriptions(0)
    }

    /// Writes and sends the next part of a stream, or its result.
    private func continueStream(
        _ token: UInt64, id: [UInt8], _ state: inout ConnectionState, _ buffers: inout LoopBuffers
    ) {
        state.recordStreaming(at: SystemClock.monotonic)
        if let result = streams.writePart(of: token, id: id, for: peer, loop.context.queries, to: &buffers.outgoing) {
            let language = streams.end(token)
            _ = state.complete(token)
            buffers.write(result, id: id, in: language, on: loop)
        }
        send(&state, &buffers)
    }

    /// Ends streams with `timeout` if they produce nothing for the maximal time of a request although the peer reads
    /// everything.
    func watchStreams() {
        if streams.beginWatching() { checkStreams(after: loop.limits.request) }
    }

    private func checkStreams(after delay: Duration) {
        loop.events.schedule(after: delay) { [weak self] in
            // The connection may have moved to another loop since its last stream has ended.
            self?.perform { $0.checkStreams() }
        }
    }

    private func checkStreams() {
        let limit = loop.limits.request
        switch state.streamStall(at: SystemClock.monotonic, limit: limit.wholeNanoseconds) {
        case .unneeded: streams.endWatching()
        case .left(let time): checkStreams(after: .nanoseconds(time))
        case .exhausted(let token):
            let result = RequestResult.failure(QueryLimits.timeoutError(limit))
            if finish(token, with: result, in: streams.end(token), &state, &loop.buffers) { loop.serve(self) }
            checkStreams(after: limit)
        }
    }

    /// The number of times that one event reads the socket.
    private static let maxReceivesPerEvent = 4
    private static let emptyObject = Array("{}".utf8)
}
