// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Synchronization

/// One peer: its socket, and the loop that serves it. It feeds a ``ConnectionState`` and performs its actions.
///
/// Invariant behind the unchecked conformance: atomics and `home` aside, only the loop's thread touches what changes; a
/// loop that gives it away is done with it before. Tests check it. An actor cannot move to the executor of another loop.
final class Connection: EventHandler, @unchecked Sendable {
    /// Its roles are those of when it connected; each request is judged anew.
    let peer: Peer
    /// The time since which no line came whole and the peer took no bytes, in nanoseconds of the monotonic clock; 0
    /// while a request is in flight.
    let idleSince: Atomic<UInt64>
    /// Whether a whole line ever came.
    let hasAsked = Atomic<Bool>(false)
    /// The number of bytes of answers that the peer has not taken, and may still get.
    let unsentBytes = Atomic<Int>(0)
    /// Whether the connection has subscriptions, so that it is not idle.
    let isSubscribed = Atomic<Bool>(false)

    /// The loop that serves the connection. The loop releases a closed connection, which ends this reference cycle.
    /// Invariant: confined to the loop's thread.
    var loop: ServingLoop
    /// The same loop for other threads; only the serving loop changes it.
    let home: Mutex<ServingLoop>
    private let socket: FileDescriptor
    /// One access to the state covers a whole time slice. Invariant: confined to the loop's thread.
    var state: ConnectionState
    /// The streams in flight, by the tokens of their requests. Invariant: confined to the loop's thread.
    var streams: [UInt64: RecordStream] = [:]
    /// Whether a timer looks after the streams. Invariant: confined to the loop's thread.
    var isWatchingStreams = false
    /// Whether a wake-up is due once memory for answers is free. Invariant: confined to the loop's thread.
    var isAwaitingRelief = false
    /// Invariant: confined to the loop's thread.
    var countedUnread = 0
    /// The way of the lines of its subscriptions; nil before the first one. Invariant: confined to the loop's thread.
    var channel: EventChannel?
    /// Whether the connection waits in the loop's queue; the loop sets it. Invariant: confined to the loop's thread.
    var isQueued = false
    /// The cost of its time slices; the loop updates it. Invariant: confined to the loop's thread.
    var load = ConnectionLoad()

    init(_ socket: consuming FileDescriptor, peer: Peer, loop: ServingLoop) {
        self.socket = socket
        self.peer = peer
        self.loop = loop
        home = Mutex(loop)
        state = ConnectionState(limits: loop.limits)
        idleSince = Atomic(SystemClock.monotonic)
    }

    /// The number of the connection in the registry.
    var token: UInt64 { peer.requester.connection }

    /// The descriptor's number, for registering with the loop.
    var descriptor: Int32 { socket.raw }
    var isOpen: Bool { state.phase != .closed }

    /// Whether nothing ties the connection to its loop. The lines of subscriptions would overtake each other.
    var isMovable: Bool { !isQueued && state.isQuiet && state.subscriptions.count == 0 }

    // MARK: - The loop's thread

    func ready(_ events: EventMask, on _: EventLoop) {
        let loop = confinedLoop
        if events == .read, !isQueued, let start = loop.sliceStart {
            switch serveRepeated(&state, &loop.buffers, on: loop) {
            case .answered: return loop.record(self, since: start)
            case .gathered: return loop.answerGathered(onlyIfFull: true)
            case .remaining: break
            }
        }
        // The gathered requests come first: this event may take longer.
        loop.answerGathered()
        switch take(events, &state, &loop.buffers) {
        case .nothing: break
        case .slice: loop.serve(self)
        case .lastSlice: serveSlice()
        }
    }

    /// Serves one time slice.
    func serveSlice() {
        serve(&state, &loop.buffers)
    }

    /// Answers a request that was gathered with those of other connections.
    ///
    /// - Returns: false where the request is put back into the input, for a time slice.
    func answer(_ request: borrowing FastPath<Connection>.Gathered) -> Bool {
        let loop = loop
        return answer(request, &state, &loop.buffers, on: loop)
    }

    /// Closes the connection at once.
    func close() {
        close(&state, &loop.buffers)
    }

    /// The result of an event.
    private enum Need {
        case nothing
        /// A time slice, when the queue allows.
        case slice
        /// A time slice at once: it is short, because the peer is gone.
        case lastSlice
    }

    private func take(_ events: EventMask, _ state: inout ConnectionState, _ buffers: inout LoopBuffers) -> Need {
        let mayReceive = state.note(events)
        if events.contains(.write) { send(&state, &buffers) }
        // A queued connection is not read: the kernel reports the same events again after its slice.
        if state.phase == .closed || isQueued && !state.isEnding { return .nothing }
        if mayReceive { receive(&state, &buffers) }
        if state.phase == .closed { return .nothing }
        return state.isEnding ? .lastSlice : .slice
    }

    func receive(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
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

    func serve(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        loop.served.refresh()
        var slice = TimeSlice()
        while true {
            if state.mayAnswerRepeated(loop.pressure) { answerRepeated(&state, &buffers) }
            switch state.next(written: buffers.pending, loop.pressure) {
            case .run(let line):
                run(line, &state, &buffers)
                end(&slice, of: &state)
            case .refuseLongLine:
                write(.lineTooLong(maxBytes: loop.limits.line), id: nil, to: &buffers)
                end(&slice, of: &state)
            case .reportCancelled(let id): write(.requestCancelled, id: id, to: &buffers)
            case .continueStream(let token, let id):
                continueStream(token, id: id, &state, &buffers)
                end(&slice, of: &state)
            case .send: send(&state, &buffers)
            case .watch(let events):
                do throws(SystemError) {
                    try loop.events.modify(descriptor, events)
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
        noteActivity(of: &state)
        if state.awaitsRelief { awaitRelief() }
    }

    /// Ends the slice where its time is over, and more lines wait or a stream goes on.
    private func end(_ slice: inout TimeSlice, of state: inout ConnectionState) {
        guard state.phase != .closed, state.input.mayHoldLine || state.hasStream else { return }
        guard slice.isOver(at: SystemClock.monotonic) else { return }
        loop.enqueue(self)
        state.endSlice()
    }

    private func run(_ range: Range<Int>, _ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        hasAsked.store(true, ordering: .relaxed)
        // The array is kept here, so that the line does not move whatever happens to the state.
        let bytes = state.input.bytes
        let line = bytes.rawSpan.extracting(range)
        defer { buffers.router.trim() }
        let request: RequestEnvelope
        do throws(RequestRouter.Refusal) {
            request = try buffers.router.read(line, maxDepth: loop.limits.depth)
        } catch {
            return write(error.error, id: error.id, in: buffers.router.language(in: line), to: &buffers)
        }
        if state.phase == .hungUp, !request.method.hasEffect { return }
        if state.isInFlight(line.extracting(buffers.router.tape[request.id].range)) {
            let id = buffers.router.id(of: request, in: line)
            return write(.duplicateRequestID, id: id, in: buffers.router.language(in: line), to: &buffers)
        }
        let start = buffers.pending
        do throws(RequestError) {
            let disposition = try buffers.router.answer(
                request, in: line, from: peer.judged(by: loop.served.configuration.policy), loop.context,
                to: &buffers.outgoing)
            if case .answered = disposition {
                loop.answers.add(1)
                if request.method == .detail {
                    state.shape.learn(request, in: line, buffers.router.tape, loop.served)
                }
                return
            }
            buffers.outgoing.removeAll(after: start)
            let id = buffers.router.id(of: request, in: line)
            try begin(disposition, id: id, in: buffers.router.language(in: line), &state, &buffers)
        } catch {
            buffers.outgoing.removeAll(after: start)
            let id = buffers.router.id(of: request, in: line)
            write(error, id: id, in: buffers.router.language(in: line), to: &buffers)
        }
    }

    private func begin(
        _ disposition: Disposition, id: [UInt8], in language: String?, _ state: inout ConnectionState,
        _ buffers: inout LoopBuffers
    ) throws(RequestError) {
        switch disposition {
        case .answered: break
        case .later(let cancellation, let start):
            let token = state.begin(id, cancellation.map { .query($0) } ?? .change)
            start { [self] result in complete(token, result, in: language) }
        case .watched(let cancellation, let start):
            let token = state.begin(id, .query(cancellation))
            start(
                { [self] method, members in tell(token, method, members) },
                { [self] result in complete(token, result, in: language) })
        case .stream(let stream):
            let token = state.begin(id, .stream(stream.cancellation))
            streams[token] = stream
            state.noteStreamed(at: SystemClock.monotonic)
            watchStreams()
        case .cancel(let other):
            streams[try state.cancel(other)] = nil
            write(.success(Self.emptyObject), id: id, to: &buffers)
        case .subscribe(let order): write(.success(try subscribe(order, &state)), id: id, to: &buffers)
        case .unsubscribe(let number):
            try unsubscribe(number, &state)
            write(.success(Self.emptyObject), id: id, to: &buffers)
        }
    }

    func send(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.phase != .closed else { return }
        let (waiting, pending) = (state.output.count, state.output.count + buffers.pending)
        do throws(SystemError) {
            guard try buffers.send(descriptor, &state.output) else { return close(&state, &buffers) }
        } catch {
            return close(&state, &buffers)
        }
        state.noteSent(waitingBefore: waiting)
        if state.output.count < waiting, state.hasStream { state.noteStreamed(at: SystemClock.monotonic) }
        if let channel { noteSent(&state, on: channel, before: pending) }
        account(for: state)
    }

    func close(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.close() else { return }
        streams = [:]
        if channel != nil { endSubscriptions(&state) }
        endUploads()
        account(for: state)
        buffers.discard()
        loop.events.remove(descriptor)
        loop.forget(self)
    }

    /// The number of times that one event reads the socket.
    private static let maxReceivesPerEvent = 4
    private static let emptyObject = Array("{}".utf8)
}
