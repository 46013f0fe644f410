// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// Answers repeated `detail` requests without parsing them, and several connections' requests together.
///
/// A client that asks for one record after the other sends the same line with other ids. `DetailShape` recognises such
/// a line by its bytes, so that no JSON is parsed; the lookups of several requests are prefetched together, so that they
/// wait for memory once; and each answer is copied in one piece. This is what `claims-bench` measures as detail 1x1,
/// 16x1, 64x1 and 16x16 (connections x requests). A loop owns one fast path, and has three calls: ``answer`` for lines
/// of one connection, ``gather`` and ``consumeGathered()`` for single lines of several. Every request that it does not
/// recognise goes to `DetailHandler`, which gives the same answer: without it requests would only be slower.
///
/// `Client` is the type of a connection; the fast path uses nothing of it. It is a class, so that a gathered request
/// has a fixed layout, and is copied without looking up its type.
struct FastPath<Client: AnyObject>: ~Copyable {
    /// A request for one record that waits for those of other connections.
    struct Gathered {
        let client: Client
        let collection: ServedCollection
        let snapshot: Snapshot
        /// The line with its newline, as a range of the bytes that the loop has received.
        let line: Range<Int>
        /// The parts of the line, as ranges of the same bytes.
        let request: DetailShape.Request
        fileprivate(set) var prepared: PreparedID

        /// The id of the record among the bytes that the loop has received.
        @_lifetime(copy bytes)
        func record(in bytes: RawSpan) -> RawSpan { bytes.extracting(request.record) }

        /// Writes the answer.
        ///
        /// - Returns: false if the snapshot does not have the record as it is served, or it is archived; then nothing
        ///   is written.
        func answer(
            in bytes: RawSpan, _ served: ServedCatalog, _ shower: inout ShownMembers.Shower, to writer: inout JSONWriter
        ) -> Bool {
            guard let location = snapshot.location(ofID: bytes.extracting(request.record), prepared),
                !collection.exceptions.contains(location.row)
            else { return false }
            collection.withDetail(now: served.now) { detail in
                FastPath.writeLine(
                    id: bytes.extracting(request.id), snapshot.record(at: location), members: collection.shown,
                    with: &detail, shower: &shower, to: &writer)
            }
            return true
        }
    }

    private var gathered: [Gathered] = []
    /// The number of requests that ``answer`` has answered since the last call of ``consumeAnswered()``.
    private var answered = 0
    /// The records that were shown since the last call of ``recordShown(to:)``, if the collection is journaled.
    private var shown = ShownIDs()
    /// Makes records of which a rule hides or masks fields.
    var shower = ShownMembers.Shower()

    /// The number of bytes that the lines of gathered requests may have together.
    static var maxGatheredBytes: Int { 1 << 13 }
    /// The number of requests that are gathered.
    private static var maxGathered: Int { 8 }

    /// Whether requests wait to be answered.
    var hasGathered: Bool { !gathered.isEmpty }

    /// Whether no further request can be gathered.
    var isFull: Bool { gathered.count >= Self.maxGathered }

    /// The end of the gathered lines in the bytes that the loop has received.
    private(set) var gatheredEnd = 0

    /// Answers leading lines of one connection that have a known shape.
    ///
    /// It stops at the first line of another shape, and at the first record that the snapshot does not have as it is
    /// served, or that is archived.
    ///
    /// - Parameter bytes: the bytes that were received, from the beginning of a line on.
    /// - Returns: the number of bytes that are answered: whole lines.
    mutating func answer(
        _ bytes: RawSpan, _ shape: borrowing DetailShape, _ served: ServedCatalog, to writer: inout JSONWriter
    ) -> Int {
        guard let collection = shape.collection(in: served), let snapshot = collection.snapshot,
            !collection.view.isWithheld(now: served.now)
        else { return 0 }
        let exceptions = collection.exceptions
        let isJournaled = shape.account != nil
        let members = collection.shown
        let maxLine = served.configuration.limits.line
        return collection.withDetail(now: served.now) { detail in
            var start = 0
            while start < bytes.byteCount, writer.bytes.count < BufferBudget.sendThreshold {
                var requests = InlineArray<8, DetailShape.Request>(repeating: DetailShape.Request())
                var prepared = InlineArray<8, PreparedID>(repeating: PreparedID())
                var count = 0
                var next = start
                while count < requests.count, let request = shape.request(in: bytes, from: next),
                    request.end &- next <= maxLine
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
                    guard let location = snapshot.location(ofID: bytes.extracting(request.record), prepared[index]),
                        !exceptions.contains(location.row)
                    else { return start }
                    Self.writeLine(
                        id: bytes.extracting(request.id), snapshot.record(at: location), members: members,
                        with: &detail, shower: &shower, to: &writer)
                    if isJournaled { shown.append(bytes.extracting(request.record)) }
                    start = request.end &+ 1
                    answered &+= 1
                }
            }
            return start
        }
    }

    /// Writes a response line.
    ///
    /// - Parameter members: the members of the record that a rule shows; nil: all.
    @inline(__always)
    private static func writeLine(
        id: RawSpan, _ record: borrowing SnapshotRecord, members: ShownMembers?, with detail: inout DetailWriter,
        shower: inout ShownMembers.Shower, to writer: inout JSONWriter
    ) {
        guard let members else { return detail.writeLine(id: id, record, to: &writer) }
        shower.withObject(record.document, members) { shown in
            detail.writeLine(id: id, record, as: shown, to: &writer)
        }
    }

    /// The number of requests that ``answer`` has answered since the last call.
    mutating func consumeAnswered() -> Int {
        defer { answered = 0 }
        return answered
    }

    /// Counts the records that ``answer`` has shown since the last call, if the collection is journaled.
    mutating func recordShown(_ looks: PeerLooks?, _ shape: inout DetailShape) {
        guard shown.count > 0 else { return }
        shape.record(Look(.detail, requests: shown.count, shown: shown), looks)
        shown.removeAll()
    }

    /// Keeps a single request for ``consumeGathered()``.
    ///
    /// - Parameters:
    ///   - range: the received bytes among `bytes`; they must stay there until the request is answered.
    /// - Returns: false if they are not exactly one line of a known shape, or too many requests wait.
    mutating func gather(
        _ range: Range<Int>, of bytes: RawSpan, for client: Client, _ shape: borrowing DetailShape,
        _ served: ServedCatalog
    ) -> Bool {
        guard gathered.count < Self.maxGathered, range.upperBound <= Self.maxGatheredBytes,
            let request = shape.request(in: bytes.extracting(0..<range.upperBound), from: range.lowerBound),
            request.end &+ 1 == range.upperBound,
            request.end &- range.lowerBound <= served.configuration.limits.line,
            let collection = shape.collection(in: served), let snapshot = collection.snapshot,
            !collection.view.isWithheld(now: served.now)
        else { return false }
        let prepared = snapshot.prepare(forID: bytes.extracting(request.record))
        gathered.append(
            Gathered(
                client: client, collection: collection, snapshot: snapshot, line: range, request: request,
                prepared: prepared))
        gatheredEnd = range.upperBound
        return true
    }

    /// Takes the gathered requests out, prefetched, to be answered now.
    mutating func consumeGathered() -> [Gathered] {
        for index in gathered.indices { gathered[index].snapshot.prefetch(&gathered[index].prepared) }
        var requests: [Gathered] = []
        swap(&requests, &gathered)
        gatheredEnd = 0
        return requests
    }

    /// Keeps the memory of the requests that ``consumeGathered()`` has returned.
    mutating func recycle(_ requests: consuming [Gathered]) {
        requests.removeAll(keepingCapacity: true)
        if gathered.isEmpty { gathered = requests }
    }
}

/// The shape of a connection's last request for one record: the line without its two ids.
///
/// A line of the same shape means the same request for another record, and need not be parsed. A shape is learnt from
/// the second such request on, because the first one is often the only one.
struct DetailShape {
    /// The parts of a line that has the shape.
    struct Request {
        /// The id of the request as it came, as a range of the line's bytes.
        var id = 0..<0
        /// The id of the record, without quotes.
        var record = 0..<0
        /// The end of the line, before its newline.
        var end = 0
    }

    private var shape = JSONShape()
    /// Whether a shape has been learnt.
    private(set) var isKnown = false
    private var hasSeenRequest = false
    private var isRecordFirst = false
    /// The index of the collection in the catalog that the peer sees.
    private var collection = 0
    private var scope = ScopeStamp()
    /// The account of the peer in the journal of who looked, while the shape holds; nil: nothing is counted.
    private(set) var account: LookAccount?

    /// Counts the records that were shown in answer to requests of the shape.
    mutating func record(_ look: Look, _ looks: PeerLooks?) {
        if let account, let looks { self.account = looks.journal.record(look, on: account) }
    }

    /// Learns the shape of a request that `DetailHandler` has answered.
    ///
    /// Only a request with exactly a collection and a string id is learnt; any other makes the shape unknown. So does a
    /// request about records that are written here, because a worker looks up the user.
    mutating func learn(
        _ request: RequestEnvelope, in line: RawSpan, _ tape: borrowing JSONTape, _ served: ServedCatalog,
        from peer: Peer
    ) {
        guard hasSeenRequest else {
            hasSeenRequest = true
            return
        }
        isKnown = false
        guard let params = request.params, let recent = served.recent, let index = recent.index,
            let record = Self.record(in: params, line, tape, collection: recent.name),
            !recent.view.isLocal
        else { return }
        isRecordFirst = record < request.id
        let (first, second) = isRecordFirst ? (record, request.id) : (request.id, record)
        guard let shape = JSONShape(line, first: tape[first], second: tape[second]) else { return }
        self.shape = shape
        collection = index
        scope = served.scopeStamp
        account = peer.account(of: recent.view.definition)
        isKnown = true
    }

    /// The node of the record's id, if `params` has nothing else but a collection of that name.
    private static func record(
        in params: Int, _ line: RawSpan, _ tape: borrowing JSONTape, collection: [UInt8]
    ) -> Int? {
        // Two members, each with a value of one node.
        let end = tape[params].next
        guard params + 2 < end, tape[params + 2].next == params + 3, params + 4 < end, tape[params + 4].next == end,
            let named = tape.member(Parameter<String>.collection.name, of: params, in: line),
            tape[named].kind == .string,
            line.extracting(tape[named].start + 1..<tape[named].end - 1).equals(collection.rawSpan),
            let record = tape.member(DetailParameters.id.name, of: params, in: line), tape[record].kind == .string
        else { return nil }
        return record
    }

    /// The collection that the shape names; nil if the catalog, or the part that the peer sees, has changed since.
    func collection(in served: ServedCatalog) -> ServedCollection? { served.collection(at: collection, scope) }

    /// The parts of the line that begins at `start`, if it has the shape.
    @inline(__always)
    func request(in bytes: RawSpan, from start: Int) -> Request? {
        guard let match = shape.matchLine(bytes, from: start) else { return nil }
        let id = isRecordFirst ? match.second : match.first
        let record = isRecordFirst ? match.first : match.second
        guard id.count <= ProtocolVersion.maxRequestIDBytes else { return nil }
        return Request(id: id, record: record.lowerBound &+ 1..<record.upperBound &- 1, end: match.end)
    }
}
