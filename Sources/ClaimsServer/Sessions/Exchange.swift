// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Synchronization

/// What has come on one connection and what goes: lines, requests in flight, answers that the peer has not taken.
///
/// Its session hands it every event, and stays out of it until that turn has ended.
struct Exchange: ~Copyable {
    private var input: LineBuffer
    private var output = OutputQueue()
    private var inFlight: [InFlight] = []
    private var streams: [RecordStream] = []
    /// The ids of requests taken back, which wait for their answers.
    private var cancelled: [[UInt8]] = []
    private var nextWork: UInt64 = 1
    /// What was asked last, if it was for one record.
    private var repeated = RepeatedDetail()
    private var hasAskedForRecord = false
    private var hasPeerFinished = false
    private(set) var isClosed = false
    /// The peer reads no more: only what has an effect is still done.
    private(set) var isPeerGone = false
    /// Whether the connection failed, and ends after its turn.
    private var hasFailed = false
    /// What the budgets know of.
    private var countedUnread = 0
    /// Whether a line came whole, or the peer took something, since the last time it was noted.
    private var hasProgressed = false
    private var interest: EventMask = .read

    /// - Parameter longestLine: in bytes.
    init(longestLine: Int) {
        input = LineBuffer(longest: longestLine)
    }

    /// Whether no more is going on than waiting for the next line.
    var isQuiet: Bool {
        !isClosed && !hasPeerFinished && inFlight.isEmpty && output.count == 0 && interest == .read
    }

    /// What an event asks for.
    enum Need {
        case nothing
        /// A turn, when it comes.
        case queue
        /// A turn at once: of who is gone there is little to do, and nobody to wait for it.
        case last
    }

    /// Takes what an event brings; what came is answered in a turn.
    mutating func take(_ events: EventMask, _ session: Session) -> Need {
        if events.contains(.hangUp) { isPeerGone = true }
        if events.contains(.write) { flush(session) }
        if events.contains(.error) { hasFailed = true }
        // What is there is reported again and again until it is taken.
        if isClosed || session.isWaiting && !isPeerGone && !hasFailed { return .nothing }
        if events.contains(.read) || events.contains(.hangUp) { receive(session) }
        if isClosed { return .nothing }
        return isPeerGone || hasFailed ? .last : .queue
    }

    /// Answers what came.
    mutating func takeTurn(_ session: Session) {
        advance(session)
        // Nobody is left to read an answer, and the hang-up would be reported again at once. Of what came before it,
        // and could be started, what has an effect has been done.
        if isPeerGone || hasFailed { close(session) }
    }

    /// Ends the connection because its place is needed.
    ///
    /// It counted as idle, but a request may have come meanwhile: what is there is answered first.
    mutating func makeRoom(_ session: Session) {
        if !isClosed { isPeerGone = UnixSocket.hasHungUp(session.descriptor) }
        if !isClosed { receive(session) }
        if !isClosed { advance(session) }
        close(session)
    }

    /// Stops receiving; the connection ends once what came is answered and sent, also what the kernel still holds.
    mutating func windDown(_ session: Session) {
        receive(session)
        hasPeerFinished = true
        advance(session)
    }

    private mutating func receive(_ session: Session) {
        guard !isClosed, !hasPeerFinished, canStart(session) else { return }
        do throws(SystemError) {
            for _ in 0..<Self.receivesPerTurn {
                switch try session.owner.receive(session.descriptor, into: &input) {
                case .bytes(let count): if count < Responder.receiveBytes { return }
                case .wouldBlock: return
                case .closed:
                    hasPeerFinished = true
                    return
                }
                count(session)
                if input.count > session.limits.line || input.hasLine { return }
            }
        } catch {
            close(session)
        }
    }

    /// Answers lines until there is none, no further one may start, or others should have their turn.
    private mutating func advance(_ session: Session) {
        guard !isClosed else { return }
        session.owner.beginTurn()
        // Counted from the end of the first line: most often no other waits.
        var deadline: UInt64 = 0
        serving: while canStart(session) {
            answerRepeated(session)
            switch input.next() {
            case .incomplete:
                refuseLongLine(session)
                break serving
            case .tooLong:
                session.owner.writeError(
                    RequestError(
                        .tooLarge, "a line is longer than \(session.limits.line) bytes",
                        hint: "split the request; the rest of that line was skipped"), id: nil)
            case .line(let range):
                hasProgressed = true
                answer(range, session)
            }
            if session.owner.pendingOutput >= (session.owner.unsent.isExhausted ? 1 : Self.flushAt) { flush(session) }
            if isClosed { return }
            guard input.mayHoldLine else { continue }
            let now = Clocks.monotonic
            if deadline == 0 {
                deadline = now &+ Self.turn
            } else if now >= deadline {
                session.owner.wait(session)
                break
            }
        }
        continueStreams(session)
        flush(session)
        settle(session)
    }

    /// Gives up a line that has begun where all connections together wait for too much.
    private mutating func refuseLongLine(_ session: Session) {
        guard input.count > BufferBudget.share, session.owner.unread.isExhausted else { return }
        input.abandonLine()
        session.owner.writeError(
            RequestError(
                .busy, "too much waits to be read, and this line is long",
                hint: "send it again later; the rest of it is skipped",
                details: [RequestError.detail("retry_after_ms", 1_000)]), id: nil)
    }

    private mutating func answer(_ range: Range<Int>, _ session: Session) {
        session.hasAsked.store(true, ordering: .relaxed)
        // The array is held here, so that the line stays put whatever the handler does with the session.
        let bytes = input.bytes
        session.owner.answer(bytes.rawSpan.extracting(range), &self, session)
        if !cancelled.isEmpty { answerCancelled(session) }
    }

    // MARK: - The same again

    /// What has been done about what came.
    enum Service {
        case answered
        /// It is answered together with what others ask.
        case gathered
        /// Something is left to do, if only to see that the peer has gone.
        case left
    }

    /// What is asked again and again is answered as it comes, where nothing else is going on.
    mutating func serveRepeated(_ session: Session, _ owner: ServingLoop) -> Service {
        guard repeated.isKnown, isQuiet, !isPeerGone, !hasFailed, input.count == 0, !owner.unsent.isExhausted else {
            return .left
        }
        do throws(SystemError) {
            switch try owner.serve(session, repeated, &input, &output) {
            case .gathered: return .gathered
            case .received(.bytes) where input.count == 0 && output.count == 0: break
            case .received(let transfer):
                if transfer == .closed { hasPeerFinished = true }
                count(session)
                return .left
            }
        } catch {
            close(session)
            return .answered
        }
        session.idleSince.store(owner.loop.now, ordering: .relaxed)
        return .answered
    }

    /// Answers a request that has been gathered; false where its line has to be read.
    mutating func answer(_ request: GatheredRequest, _ session: Session, _ owner: ServingLoop) -> Bool {
        guard !isClosed else { return true }
        do throws(SystemError) {
            guard try owner.answer(request, &input, &output) else { return false }
        } catch {
            close(session)
            return true
        }
        if output.count == 0 {
            session.idleSince.store(owner.loop.now, ordering: .relaxed)
        } else {
            hasProgressed = true
            count(session)
            settle(session)
        }
        return true
    }

    /// Answers the lines that ask once more for what one before asked for, but for another record each.
    private mutating func answerRepeated(_ session: Session) {
        guard repeated.isKnown, input.mayHoldLine, inFlight.isEmpty, !isPeerGone, !session.owner.unsent.isExhausted
        else { return }
        if session.owner.answer(repeated, from: &input) { hasProgressed = true }
    }

    /// Notes a request for one record that has been answered. The first one may be the only one.
    mutating func note(_ request: () -> RepeatedDetail?) {
        if hasAskedForRecord { repeated = request() ?? RepeatedDetail() }
        hasAskedForRecord = true
    }

    // MARK: - Work that goes on elsewhere

    /// Whether a request with that id is not answered yet.
    func isInFlight(_ id: RawSpan) -> Bool {
        !inFlight.isEmpty && inFlight.contains { ByteComparison.areEqual(id, $0.id) }
    }

    /// Notes a request whose answer comes later, and begins the work.
    mutating func begin(
        _ id: [UInt8], cancellation: Cancellation?, _ session: Session,
        start: (@escaping @Sendable (Disposition.Outcome) -> Void) -> Void
    ) {
        let work = nextWork
        nextWork += 1
        inFlight.append(InFlight(id: id, token: work, cancellation: cancellation))
        start { outcome in session.complete(work, outcome) }
    }

    /// Notes a stream, whose parts are sent as the peer takes them.
    mutating func begin(_ stream: RecordStream, id: [UInt8]) {
        let work = nextWork
        nextWork += 1
        inFlight.append(InFlight(id: id, token: work, cancellation: stream.cancellation))
        stream.work = work
        streams.append(stream)
    }

    /// Writes the outcome of work that went on elsewhere.
    ///
    /// - Returns: whether lines that wait may go on.
    mutating func complete(_ work: UInt64, _ outcome: Disposition.Outcome, _ session: Session) -> Bool {
        guard !isClosed, let index = inFlight.firstIndex(where: { $0.token == work }) else { return false }
        let id = inFlight.remove(at: index).id
        session.owner.beginTurn()
        session.owner.write(outcome, id: id)
        flush(session)
        return !isClosed
    }

    /// Takes a request back: it answers `cancelled`.
    mutating func cancel(_ id: [UInt8]) throws(RequestError) {
        guard let index = inFlight.firstIndex(where: { $0.id == id }) else {
            throw RequestError(.notFound, "no request with this id is in flight")
        }
        guard let cancellation = inFlight[index].cancellation else {
            throw RequestError(
                .conflict, "that request is a change that is being written, and cannot be taken back",
                hint: "wait for its answer")
        }
        cancellation.cancel()
        let entry = inFlight.remove(at: index)
        streams.removeAll { $0.work == entry.token }
        cancelled.append(entry.id)
    }

    /// Answers the requests that the one just answered has taken back.
    private mutating func answerCancelled(_ session: Session) {
        for id in cancelled {
            session.owner.write(.failure(RequestError(.cancelled, "the request was cancelled")), id: id)
        }
        cancelled = []
    }

    private mutating func continueStreams(_ session: Session) {
        while let stream = streams.first, unsent(session) < Self.flushAt {
            guard let index = inFlight.firstIndex(where: { $0.token == stream.work }) else {
                streams.removeFirst()
                continue
            }
            if let outcome = session.owner.writePart(of: stream, id: inFlight[index].id) {
                let id = inFlight.remove(at: index).id
                streams.removeFirst()
                session.owner.write(outcome, id: id)
            }
            flush(session)
            if isClosed { return }
        }
    }

    // MARK: - Sending

    private func unsent(_ session: Session) -> Int { output.count + session.owner.pendingOutput }

    private func canStart(_ session: Session) -> Bool {
        if session.owner.unsent.isExhausted { return inFlight.isEmpty && output.count == 0 }
        return inFlight.count < session.limits.inFlight && output.count < session.limits.unsent
    }

    /// Tells the budgets what this connection holds back.
    private mutating func count(_ session: Session) {
        let unsent = isClosed ? 0 : output.count + inFlight.count * BufferBudget.share
        let change = unsent - session.heldBack.exchange(unsent, ordering: .relaxed)
        if change != 0 { session.owner.unsent.change(by: change) }
        if change > 0, session.owner.unsent.isExhausted { session.owner.relieveSoon() }
        let unread = isClosed ? 0 : input.count
        if unread != countedUnread { session.owner.unread.change(by: unread - countedUnread) }
        countedUnread = unread
    }

    private mutating func flush(_ session: Session) {
        guard !isClosed else { return }
        do throws(SystemError) {
            let waiting = output.count
            if try !session.owner.send(session.descriptor, &output) { return close(session) }
            if output.count < waiting { hasProgressed = true }
        } catch {
            return close(session)
        }
        count(session)
    }

    private mutating func settle(_ session: Session) {
        guard !isClosed else { return }
        let hasLines = canStart(session) && input.mayHoldLine
        if hasPeerFinished, !hasLines, inFlight.isEmpty, output.count == 0 { return close(session) }
        var wanted: EventMask = []
        if !hasPeerFinished, canStart(session) { wanted.insert(.read) }
        if output.count > 0 { wanted.insert(.write) }
        if wanted != interest {
            interest = wanted
            do throws(SystemError) {
                try session.owner.loop.modify(session.descriptor, wanted)
            } catch {
                return close(session)
            }
        }
        if !inFlight.isEmpty {
            session.idleSince.store(0, ordering: .relaxed)
        } else if hasProgressed || session.idleSince.load(ordering: .relaxed) == 0 {
            session.idleSince.store(session.owner.loop.now, ordering: .relaxed)
        }
        hasProgressed = false
    }

    /// Ends the connection at once.
    mutating func close(_ session: Session) {
        guard !isClosed else { return }
        isClosed = true
        for request in inFlight { request.cancellation?.cancel() }
        inFlight = []
        streams = []
        count(session)
        session.owner.discardTurn()
        session.owner.loop.remove(session.descriptor)
        session.owner.forget(session)
    }

    /// How many times one event receives, before others have their turn.
    private static let receivesPerTurn = 4
    /// How long one connection is served before others have their turn, in nanoseconds.
    private static let turn: UInt64 = 1_000_000
    /// At how many bytes answers are sent although more lines wait.
    static let flushAt = 1 << 17
}
