// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

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
    /// The index of the collection in the catalog of `version`.
    private var collection = 0
    private var version: UInt64 = 0

    /// Learns the shape of a request that `DetailHandler` has answered.
    ///
    /// Only a request with exactly a collection and a string id is learnt; any other makes the shape unknown. So does one
    /// about records that are written here: a worker looks up the user.
    mutating func learn(
        _ request: RequestEnvelope, in line: RawSpan, _ tape: borrowing JSONTape, _ served: ServedCatalog
    ) {
        guard hasSeenRequest else {
            hasSeenRequest = true
            return
        }
        isKnown = false
        guard let params = request.params, let recent = served.recent, let index = recent.index,
            let record = Self.record(in: params, line, tape, collection: recent.name),
            !recent.view.definition.isLocal
        else { return }
        isRecordFirst = record < request.id
        let (first, second) = isRecordFirst ? (record, request.id) : (request.id, record)
        guard let shape = JSONShape(line, first: tape[first], second: tape[second]) else { return }
        self.shape = shape
        collection = index
        version = served.version
        isKnown = true
    }

    /// The node of the record's id, where `params` has nothing else but a collection of that name.
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

    /// The collection that the shape names; nil where the catalog has changed since.
    func collection(in served: ServedCatalog) -> ServedCollection? {
        served.version == version ? served.collection(at: collection) : nil
    }

    /// The parts of the line that begins at `start`, where it has the shape.
    @inline(__always)
    func request(in bytes: RawSpan, from start: Int) -> Request? {
        guard let match = shape.matchLine(bytes, from: start) else { return nil }
        let id = isRecordFirst ? match.second : match.first
        let record = isRecordFirst ? match.first : match.second
        guard id.count <= ProtocolVersion.maxRequestIDBytes else { return nil }
        return Request(id: id, record: record.lowerBound &+ 1..<record.upperBound &- 1, end: match.end)
    }
}
