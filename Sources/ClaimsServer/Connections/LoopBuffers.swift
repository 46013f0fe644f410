// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// The buffers of a loop, which its connections use one after the other: to receive, to answer and to send.
struct LoopBuffers: ~Copyable {
    /// The answers that are written for the connection that is served now.
    var outgoing = JSONWriter()
    /// The received bytes: the lines of gathered requests, and the bytes of the last receive.
    private var incoming = [UInt8](repeating: 0, count: receiveBytes + FastPath<Connection>.maxGatheredBytes)
    private var router = RequestRouter()
    private var fastPath = FastPath<Connection>()

    /// The number of bytes that are written and not sent.
    var pending: Int { outgoing.bytes.count }

    /// Receives bytes once, and appends them to `input`.
    mutating func receive(_ socket: Int32, into input: inout LineBuffer) throws(SystemError) -> Transfer {
        let start = fastPath.gatheredEnd
        let transfer = try UnixSocket.receive(socket, into: &incoming, at: start)
        if case .bytes(let count) = transfer { input.append(incoming[start..<start + count]) }
        return transfer
    }

    /// Sends the bytes that wait in `queue`, then the written ones; the remaining bytes wait in `queue`.
    ///
    /// - Returns: false if the peer has left.
    mutating func send(_ socket: Int32, _ queue: inout OutputQueue) throws(SystemError) -> Bool {
        var hasLeft = false
        func push(_ bytes: [UInt8], _ start: Int) throws(SystemError) -> Int {
            switch try UnixSocket.send(socket, bytes, from: start) {
            case .bytes(let count): return count
            case .wouldBlock: return 0
            case .closed:
                hasLeft = true
                return 0
            }
        }
        try queue.drain(push)
        var sent = 0
        if queue.count == 0 {
            while sent < pending {
                let count = try push(outgoing.bytes, sent)
                if count == 0 { break }
                sent += count
            }
        }
        if sent < pending { queue.append(outgoing.bytes, from: sent) }
        discard()
        return !hasLeft
    }

    /// Drops the bytes that are written.
    mutating func discard() {
        if outgoing.bytes.capacity > Self.retainedBytes {
            outgoing = JSONWriter()
        } else {
            outgoing.removeAll()
        }
    }

    // MARK: - Requests

    /// A request whose answer does not come at once.
    struct LaterAnswer {
        let disposition: Disposition
        /// The id of the request as it came.
        let id: [UInt8]
        /// The language that the request asks for; nil if it names none.
        let language: String?
    }

    /// Reads a line and writes its answer, or its error.
    ///
    /// - Returns: the request, if its answer comes later.
    mutating func answer(
        _ line: RawSpan, _ state: inout ConnectionState, from peer: Peer, on loop: ServingLoop
    ) -> LaterAnswer? {
        defer { router.trim() }
        let request: RequestEnvelope
        do throws(RequestRouter.Refusal) {
            request = try router.read(line, maxDepth: loop.limits.depth)
        } catch {
            write(.failure(error.error), id: error.id, in: router.language(in: line), on: loop)
            return nil
        }
        if state.phase == .hungUp, !request.method.hasEffect { return nil }
        if state.isInFlight(line.extracting(router.tape[request.id].range)) {
            let id = router.id(of: request, in: line)
            write(.failure(.duplicateRequestID), id: id, in: router.language(in: line), on: loop)
            return nil
        }
        let start = pending
        defer { loop.served.leave() }
        var peer = peer.judged(by: loop.served.configuration.policy)
        peer.purpose = state.purpose
        do throws(RequestError) {
            let disposition = try router.answer(
                request, in: line, from: peer, loop.context, to: &outgoing)
            switch disposition {
            case .answered:
                loop.answers.add(1)
                if request.method == .detail {
                    state.shape.learn(request, in: line, router.tape, loop.served, from: peer)
                }
                return nil
            case .introduced(let purpose):
                loop.answers.add(1)
                state.purpose = purpose
                // The shape has the account of the purpose before.
                state.shape = DetailShape()
                return nil
            default: break
            }
            outgoing.removeAll(after: start)
            let observed = disposition.observed { [peer, catalogs = loop.context.services.catalogs] result in
                if case .failure(let error) = result { peer.record(error, of: request.method, in: catalogs.current()) }
            }
            return LaterAnswer(
                disposition: observed, id: router.id(of: request, in: line), language: router.language(in: line))
        } catch {
            outgoing.removeAll(after: start)
            peer.record(error, of: request.method, in: loop.context.services.catalogs.current())
            write(.failure(error), id: router.id(of: request, in: line), in: router.language(in: line), on: loop)
            return nil
        }
    }

    /// Writes the answer to a request; without an id it is an error about the line, or about the connection.
    ///
    /// - Parameter language: the language that the request asks for, for an error; nil for the language of the
    ///   settings.
    mutating func write(
        _ result: RequestResult, id: [UInt8]?, in language: String? = nil, on loop: ServingLoop
    ) {
        if id != nil { loop.answers.add(1) }
        let language = language ?? loop.served.configuration.language
        RequestRouter.write(result, id: id, in: language, to: &outgoing)
    }

    // MARK: - Requests that repeat the shape of an earlier one

    /// The result of an attempt to answer requests without parsing them.
    enum RepeatedService {
        /// All that came is answered and sent.
        case answered
        /// The request waits to be answered together with those of other connections.
        case gathered
        /// Nothing is answered. There is something left to do, perhaps only to notice that the peer has left.
        case remaining
        /// Something was answered, and bytes are left to be answered or sent.
        case left
        /// The peer has left.
        case hungUp
    }

    /// Receives and answers requests, if the connection does nothing else.
    mutating func serveRepeated(
        _ connection: Connection, _ state: inout ConnectionState, on loop: ServingLoop
    ) throws(SystemError) -> RepeatedService {
        guard state.shape.isKnown, state.isQuiet, state.input.count == 0, !loop.isUnsentExhausted else {
            return .remaining
        }
        // Requests that are gathered belong to one tick.
        if !fastPath.hasGathered { loop.served.refresh() }
        let start = fastPath.gatheredEnd
        let transfer = try UnixSocket.receive(connection.descriptor, into: &incoming, at: start)
        guard case .bytes(let count) = transfer else {
            if transfer == .closed { state.endInput() }
            return .remaining
        }
        // The array is kept here, so that the bytes do not move while the answers are written.
        let bytes = incoming
        let range = start..<start + count
        if loop.events.reports > 1,
            fastPath.gather(range, of: bytes.rawSpan, for: connection, state.shape, loop.served)
        {
            return .gathered
        }
        let answered = fastPath.answer(bytes.rawSpan.extracting(range), state.shape, loop.served, to: &outgoing)
        loop.answers.add(fastPath.consumeAnswered())
        fastPath.recordShown(connection.peer.looks, &state.shape)
        if answered < count { state.input.append(bytes[(start + answered)..<range.upperBound]) }
        guard try send(connection.descriptor, &state.output) else { return .hungUp }
        return state.input.count > 0 || state.output.count > 0 ? .left : .answered
    }

    /// Answers the leading lines of the input that repeat the shape.
    mutating func answerRepeated(_ state: inout ConnectionState, from peer: Peer, on loop: ServingLoop) {
        let count = fastPath.answer(state.input.unread, state.shape, loop.served, to: &outgoing)
        guard count > 0 else { return }
        loop.answers.add(fastPath.consumeAnswered())
        fastPath.recordShown(peer.looks, &state.shape)
        state.input.consume(count)
        state.recordAnswered()
    }

    /// Whether gathered requests are to be answered now.
    ///
    /// - Parameter onlyIfFull: whether to wait for more requests while more can be gathered.
    func hasGathered(onlyIfFull: Bool) -> Bool { onlyIfFull ? fastPath.isFull : fastPath.hasGathered }

    /// Takes the gathered requests out, to be answered now.
    mutating func consumeGathered() -> [FastPath<Connection>.Gathered] { fastPath.consumeGathered() }

    /// Keeps the memory of the requests that ``consumeGathered()`` has returned.
    mutating func recycle(_ requests: consuming [FastPath<Connection>.Gathered]) { fastPath.recycle(requests) }

    /// Answers a gathered request, and sends the answer. With `remaining` it is put back into the input.
    mutating func answer(
        _ request: borrowing FastPath<Connection>.Gathered, for socket: Int32, _ state: inout ConnectionState,
        on loop: ServingLoop
    ) throws(SystemError) -> RepeatedService {
        let bytes = incoming
        guard request.answer(in: bytes.rawSpan, loop.served, &fastPath.shower, to: &outgoing) else {
            state.input.append(bytes[request.line])
            return .remaining
        }
        loop.answers.add(1)
        if state.shape.account != nil {
            state.shape.record(Look(.detail, at: request.record(in: bytes.rawSpan)), request.client.peer.looks)
        }
        guard try send(socket, &state.output) else { return .hungUp }
        return state.output.count == 0 ? .answered : .left
    }

    /// The minimum number of bytes that one receive asks for.
    static let receiveBytes = 1 << 16
    /// The number of bytes of output for which memory is kept.
    private static let retainedBytes = 1 << 20
}
