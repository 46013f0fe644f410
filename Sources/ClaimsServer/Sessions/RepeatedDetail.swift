// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol

/// The request for one record that a connection has sent before, but for the numbers in it.
///
/// Who asks for one record after the other sends the same line with another id. It is not read again: that its bytes
/// are the same says that it means the same.
struct RepeatedDetail {
    /// What a line of the same shape asks for.
    struct Request {
        /// The id of the request as it came, as a range of the line.
        var id = 0..<0
        /// The id of the record, without quotes.
        var record = 0..<0
        /// Where the line ends.
        var end = 0
    }

    private let shape: JSONShape
    /// Whether there has been one.
    let isKnown: Bool
    private let isRecordFirst: Bool
    private let collection: Int
    /// The version of the catalog that numbers the collections so.
    private let version: UInt64

    /// None yet.
    init() {
        isKnown = false
        shape = JSONShape()
        isRecordFirst = false
        collection = 0
        version = 0
    }

    /// The request that has been answered, if it asked for no more than a record.
    ///
    /// - Parameters:
    ///   - id: the node of the request's id.
    ///   - version: that of the catalog, whose collection `collection` it names.
    init?(
        _ line: RawSpan, _ tape: JSONTape, id: Int, _ arguments: borrowing Arguments, collection: Int, version: UInt64
    ) {
        guard arguments.hasOnly(.collection, .id), let record = arguments.node(.id), tape[record].kind == .string
        else { return nil }
        isRecordFirst = record < id
        let (first, second) = isRecordFirst ? (record, id) : (id, record)
        guard let shape = JSONShape(line, first: tape[first], second: tape[second]) else { return nil }
        self.shape = shape
        isKnown = true
        self.collection = collection
        self.version = version
    }

    /// The number of the collection; nil where the catalog is another by now.
    func collection(version: UInt64) -> Int? { version == self.version ? collection : nil }

    /// What the line that begins at `start` asks for, if it is the same but for the ids.
    @inline(__always)
    func request(in bytes: RawSpan, from start: Int) -> Request? {
        guard let match = shape.matchLine(bytes, from: start) else { return nil }
        let id = isRecordFirst ? match.second : match.first
        let record = isRecordFirst ? match.first : match.second
        guard id.count <= ProtocolVersion.requestIDBytes else { return nil }
        return Request(id: id, record: record.lowerBound &+ 1..<record.upperBound &- 1, end: match.end)
    }
}
