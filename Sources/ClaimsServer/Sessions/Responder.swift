// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// Reads lines and writes their answers into one buffer: what a loop's connections borrow one after the other.
struct Responder: ~Copyable {
    /// What the connection being served is about to be sent.
    private(set) var outgoing = JSONWriter()
    private var tape = JSONTape()
    /// What has been received and is not taken away yet: the lines of gathered requests, and what came last.
    private var incoming = [UInt8](repeating: 0, count: Responder.receiveBytes + Responder.gatheredBytes)
    private var gathered: [GatheredRequest] = []

    /// How many bytes one receive takes at least, if there are so many.
    static let receiveBytes = 1 << 16
    /// How many bytes the lines of gathered requests may have together.
    private static let gatheredBytes = 1 << 13
    /// How many requests are gathered.
    private static let gatheredMost = 8
    private static let nothing = Array("{}".utf8)
    /// How many bytes of room the buffer keeps.
    private static let kept = 1 << 20
    /// For how many nodes the tape keeps room.
    private static let keptNodes = 1 << 12

    /// How many bytes have been written and not been taken away.
    var pending: Int { outgoing.bytes.count }

    /// Throws away what has been written.
    mutating func discard() {
        if outgoing.bytes.capacity > Self.kept {
            outgoing = JSONWriter()
        } else {
            outgoing.removeAll()
        }
    }

    /// Sends what has been written, after what waits in the queue; what the peer does not take goes to the queue.
    ///
    /// - Returns: false where the peer is gone.
    mutating func send(_ socket: Int32, _ queue: inout OutputQueue) throws(SystemError) -> Bool {
        var isGone = false
        func push(_ bytes: [UInt8], _ start: Int) throws(SystemError) -> Int {
            switch try UnixSocket.send(socket, bytes, from: start) {
            case .bytes(let count): return count
            case .wouldBlock: return 0
            case .closed:
                isGone = true
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
        return !isGone
    }

    /// Answers one line, or begins the work that will.
    mutating func answer(
        _ line: RawSpan, depth: Int, _ exchange: inout Exchange, _ session: Session, _ context: ServingContext
    ) {
        defer {
            if tape.capacity > Self.keptNodes { tape = JSONTape() }
        }
        do throws(JSONError) {
            _ = try tape.parse(line, from: 0, depth: depth, as: .document)
        } catch {
            let hint =
                error.code == .tooDeep ? "at most \(depth) levels" : "send one JSON object a line, in UTF-8"
            return write(
                RequestError(.parseError, "the line is not JSON: \(error.message)", hint: hint), id: nil)
        }
        let envelope: RequestEnvelope
        do throws(RequestEnvelope.Failure) {
            envelope = try RequestEnvelope(tape, line)
        } catch {
            return write(error.error, id: error.id.map { bytes(of: $0, line) })
        }
        if exchange.isPeerGone, !envelope.method.hasEffect { return }
        let id = tape[envelope.id].range
        if exchange.isInFlight(line.extracting(id)) {
            return write(
                RequestError(
                    .invalidRequest, "a request with this id is still in flight",
                    hint: "number the requests: 1, 2, 3"), id: bytes(of: envelope.id, line))
        }
        let start = pending
        do throws(RequestError) {
            let arguments = try Arguments(tape, line, object: envelope.params, method: envelope.method)
            begin(line.extracting(id))
            context.asker = session.asker
            let disposition = try RequestRouter.answer(envelope.method, arguments, session, context, to: &outgoing)
            if case .answered = disposition {
                if envelope.method == .detail {
                    note(line, id: envelope.id, arguments, &exchange, context)
                }
                return outgoing.endLine()
            }
            outgoing.removeAll(after: start)
            switch disposition {
            case .answered: break
            case .later(let cancellation, let begin):
                exchange.begin(bytes(of: envelope.id, line), cancellation: cancellation, session, start: begin)
            case .stream(let stream):
                exchange.begin(stream, id: bytes(of: envelope.id, line))
            case .cancellation(let request):
                try exchange.cancel(request)
                write(.success(Self.nothing), id: bytes(of: envelope.id, line))
            }
        } catch {
            outgoing.removeAll(after: start)
            write(error, id: bytes(of: envelope.id, line))
        }
    }

    /// Answers lines that ask as one before did, but for another record each; the first that does not is left, or one
    /// whose answer takes more than a record.
    ///
    /// - Parameters:
    ///   - bytes: what came, from the beginning of a line on.
    ///   - longest: how long a line may be, in bytes.
    /// - Returns: how many bytes were taken: whole lines.
    mutating func answer(
        _ repeated: borrowing RepeatedDetail, in bytes: RawSpan, longest: Int, _ context: ServingContext
    ) -> Int {
        guard let collection = repeated.collection(version: context.version), let slot = context.slot(collection),
            let snapshot = slot.snapshot
        else { return 0 }
        let archive = slot.archive
        return slot.withEnding(now: context.now) { ending in
            var start = 0
            while start < bytes.byteCount, pending < Exchange.flushAt {
                var requests = InlineArray<8, RepeatedDetail.Request>(repeating: RepeatedDetail.Request())
                var prepared = InlineArray<8, PreparedID>(repeating: PreparedID())
                var count = 0
                var next = start
                while count < requests.count, let request = repeated.request(in: bytes, from: next),
                    request.end &- next <= longest
                {
                    requests[count] = request
                    prepared[count] = snapshot.prepare(forID: bytes.extracting(request.record))
                    count &+= 1
                    next = request.end &+ 1
                }
                if count == 0 { break }
                if count > 1 {
                    for index in 0..<count { snapshot.prefetch(&prepared[index]) }
                }
                for index in 0..<count {
                    let request = requests[index]
                    guard let place = snapshot.place(ofID: bytes.extracting(request.record), prepared[index]),
                        !archive.contains(place.row)
                    else { return start }
                    ending.writeLine(id: bytes.extracting(request.id), snapshot.record(at: place), to: &outgoing)
                    start = request.end &+ 1
                }
            }
            return start
        }
    }

    /// Receives what has come; it is put behind what waits to be read.
    mutating func receive(_ socket: Int32, into input: inout LineBuffer) throws(SystemError) -> Transfer {
        let start = gatheredEnd
        let transfer = try UnixSocket.receive(socket, into: &incoming, at: start)
        if case .bytes(let count) = transfer { input.append(incoming[start..<start + count]) }
        return transfer
    }

    /// Receives what has come where nothing waits, answers those lines that ask as one before did, and sends the answers.
    /// What is left waits in `input` and `output`.
    ///
    /// - Parameter gathers: whether one request alone may wait for those of others, until they are taken out.
    /// - Returns: what was done; what was received is `closed` also where the peer takes no answers any more.
    mutating func serve(
        _ session: Session, _ repeated: borrowing RepeatedDetail, _ input: inout LineBuffer,
        _ output: inout OutputQueue, longest: Int, gathers: Bool, _ context: ServingContext
    ) throws(SystemError) -> Reception {
        let start = gatheredEnd
        let transfer = try UnixSocket.receive(session.descriptor, into: &incoming, at: start)
        guard case .bytes(let count) = transfer else { return .received(transfer) }
        // Held here, so that answering may change all else.
        let bytes = incoming
        let range = start..<start + count
        if gathers, gather(session, repeated, bytes.rawSpan, range, longest: longest, context) { return .gathered }
        let taken = answer(repeated, in: bytes.rawSpan.extracting(range), longest: longest, context)
        if taken < count { input.append(bytes[(start + taken)..<range.upperBound]) }
        return .received(try send(session.descriptor, &output) ? transfer : .closed)
    }

    /// What was done about what came.
    enum Reception {
        /// It was one request, which is answered together with those of others.
        case gathered
        /// What could be answered has been.
        case received(Transfer)
    }

    // MARK: - Requests of several connections

    /// Whether requests have been gathered and wait for their answers.
    var hasGathered: Bool { !gathered.isEmpty }

    /// Whether no more may be gathered before these are answered.
    var hasGatheredEnough: Bool { gathered.count >= Self.gatheredMost }

    private var gatheredEnd: Int { gathered.last?.line.upperBound ?? 0 }

    private mutating func gather(
        _ session: Session, _ repeated: borrowing RepeatedDetail, _ bytes: RawSpan, _ range: Range<Int>, longest: Int,
        _ context: ServingContext
    ) -> Bool {
        guard gathered.count < Self.gatheredMost, range.upperBound <= Self.gatheredBytes,
            let request = repeated.request(in: bytes.extracting(0..<range.upperBound), from: range.lowerBound),
            request.end &+ 1 == range.upperBound, request.end &- range.lowerBound <= longest,
            let collection = repeated.collection(version: context.version), let slot = context.slot(collection),
            let snapshot = slot.snapshot
        else { return false }
        let prepared = snapshot.prepare(forID: bytes.extracting(request.record))
        gathered.append(
            GatheredRequest(
                session: session, slot: slot, snapshot: snapshot, line: range, request: request, prepared: prepared))
        return true
    }

    /// Takes the gathered requests out, to be answered now.
    mutating func takeGathered() -> [GatheredRequest] {
        for index in gathered.indices { gathered[index].snapshot.prefetch(&gathered[index].prepared) }
        var requests: [GatheredRequest] = []
        swap(&requests, &gathered)
        return requests
    }

    /// Gives back the room that `takeGathered()` has handed out.
    mutating func reuse(_ requests: consuming [GatheredRequest]) {
        requests.removeAll(keepingCapacity: true)
        if gathered.isEmpty { gathered = requests }
    }

    /// Answers a gathered request; false where that takes more than a record.
    mutating func answer(_ gathered: GatheredRequest, _ context: ServingContext) -> Bool {
        let bytes = incoming
        let id = bytes.rawSpan.extracting(gathered.request.record)
        guard let place = gathered.snapshot.place(ofID: id, gathered.prepared),
            !gathered.slot.archive.contains(place.row)
        else { return false }
        gathered.slot.withEnding(now: context.now) { ending in
            ending.writeLine(
                id: bytes.rawSpan.extracting(gathered.request.id), gathered.snapshot.record(at: place), to: &outgoing)
        }
        return true
    }

    /// The line of a request that was gathered, newline included.
    func line(of gathered: GatheredRequest) -> ArraySlice<UInt8> { incoming[gathered.line] }

    private func note(
        _ line: RawSpan, id: Int, _ arguments: borrowing Arguments, _ exchange: inout Exchange,
        _ context: ServingContext
    ) {
        exchange.note {
            guard let slot = context.recent, let collection = slot.number,
                arguments.isString(.collection, slot.name)
            else { return nil }
            return RepeatedDetail(
                line, tape, id: id, arguments, collection: collection, version: context.version)
        }
    }

    /// Writes the answer of work that went on elsewhere.
    mutating func write(_ outcome: Disposition.Outcome, id: [UInt8]) {
        switch outcome {
        case .success(let result):
            begin(id.rawSpan)
            outgoing.raw(result)
            outgoing.endLine()
        case .failure(let error): write(error, id: id)
        }
    }

    /// Writes an error; without an id it answers a line that was no request.
    mutating func write(_ error: RequestError, id: [UInt8]?) {
        outgoing.beginValue()
        outgoing.raw(error.line(id: id))
    }

    /// Writes the next part of a stream.
    ///
    /// - Returns: the outcome to answer with, once the stream has ended.
    mutating func writePart(of stream: RecordStream, id: [UInt8], _ context: ServingContext) -> Disposition.Outcome? {
        let start = pending
        outgoing.beginValue()
        do throws(RequestError) {
            switch try stream.next(context, id: id, to: &outgoing) {
            case .part:
                outgoing.newline()
                return nil
            case .end(let result): return .success(result)
            }
        } catch {
            outgoing.removeAll(after: start)
            return .failure(error)
        }
    }

    private func bytes(of node: Int, _ line: RawSpan) -> [UInt8] {
        var out: [UInt8] = []
        tape.appendSource(node, in: line, to: &out)
        return out
    }

    private mutating func begin(_ id: RawSpan) {
        outgoing.frame("{\"jsonrpc\":\"2.0\",\"id\":", id, ",\"result\":")
    }
}
