// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// The records of a collection's second request: for each key, the values that fill fields of the first.
public struct JoinTable: Sendable {
    private let join: Join
    /// One JSON array per line: the key, then the values in the order of `take`, null for absent ones.
    private(set) var rows: [UInt8] = []
    private var keys = ByteTable()
    /// The range of each key's row in `rows`; for a key with several rows the last one.
    private var rowRanges: [Range<Int>] = []
    private var text: [UInt8] = []

    /// The number of records that were ignored, because they are no objects or have no key.
    public private(set) var ignored = 0

    /// Makes an empty table.
    ///
    /// - Returns: Nil if the definition declares no join.
    public init?(definition: Definition) {
        guard let join = definition.source.join else { return nil }
        self.join = join
    }

    /// Restores a table from the bytes that `stored` gave.
    ///
    /// - Returns: Nil if the definition declares no join, or if the bytes are malformed or hold too few values for the
    ///   join.
    public init?(definition: Definition, stored: [UInt8]) {
        self.init(definition: definition)
        var tape = JSONTape()
        var offset = 0
        while offset < stored.count {
            guard let end = try? tape.parse(stored.rawSpan, from: offset, depth: Self.depth, as: .value),
                tape.count > 1, tape[0].kind == .array, tape[1].kind == .string,
                tape.element(join.take.count, of: 0) != nil, end < stored.count, stored[end] == UInt8(ascii: "\n")
            else { return nil }
            text.removeAll(keepingCapacity: true)
            tape.appendString(1, in: stored.rawSpan, to: &text)
            add(row: offset..<end)
            offset = end + 1
        }
        rows = stored
    }

    /// The table as bytes to be kept, so that after a restart the values of the last good second request are there.
    public var stored: [UInt8] { rows }

    /// Whether each line of ``stored`` has one of these rows. Of several lines for one key only the last has it.
    public func lines(having rows: Set<Int>) -> [Bool] {
        let starts = Set(rows.map { rowRanges[$0].lowerBound })
        var lines: [Bool] = []
        var start = 0
        for (offset, byte) in self.rows.enumerated() where byte == UInt8(ascii: "\n") {
            lines.append(starts.contains(start))
            start = offset + 1
        }
        return lines
    }

    /// The number of different keys.
    public var count: Int { rowRanges.count }

    /// Adds one record of the second answer, which `tape` holds over `bytes`. A record that is no object or has no key
    /// is ignored and counted.
    ///
    /// The last of several records with the same key counts.
    ///
    /// - Returns: Whether the record was added.
    public mutating func add(_ tape: JSONTape, _ bytes: RawSpan) -> Bool {
        let isAdded = append(tape, bytes)
        if !isAdded { ignored += 1 }
        return isAdded
    }

    private mutating func append(_ tape: JSONTape, _ bytes: RawSpan) -> Bool {
        guard tape.count > 0, tape[0].kind == .object, let key = tape.resolve(join.on.pointer, in: bytes) else {
            return false
        }
        text.removeAll(keepingCapacity: true)
        switch tape[key].kind {
        case .string: tape.appendString(key, in: bytes, to: &text)
        case .number: text.append(bytes: bytes.extracting(tape[key].range))
        default: return false
        }
        guard !WhiteSpace.fills(text.rawSpan) else { return false }
        let start = rows.count
        rows.append(UInt8(ascii: "["))
        JSONText.append(text, text.indices, to: &rows)
        for link in join.take {
            rows.append(UInt8(ascii: ","))
            if let node = tape.resolve(link.pointer, in: bytes) {
                tape.appendCompact(node, in: bytes, to: &rows)
            } else {
                rows += "null".utf8
            }
        }
        rows.append(UInt8(ascii: "]"))
        add(row: start..<rows.count)
        rows.append(UInt8(ascii: "\n"))
        return true
    }

    /// Puts a row under the key that is in `text`.
    private mutating func add(row: Range<Int>) {
        let number = keys.insert(text)
        if number == rowRanges.count {
            rowRanges.append(row)
        } else {
            rowRanges[number] = row
        }
    }

    /// A value may be nested as deep as an element of a body, and is inside an array here.
    private static let depth = JSONElements.bodyDepth

    var bytes: RawSpan {
        @_lifetime(borrow self)
        get { rows.rawSpan }
    }

    func row(for key: RawSpan) -> Int? { keys.find(key) }

    /// The node, on `tape`, of a row's value for a field, by its index in `take`.
    func value(_ take: Int, of row: Int, into tape: inout JSONTape) -> Int? {
        guard (try? tape.parse(rows.rawSpan, from: rowRanges[row].lowerBound, depth: Self.depth, as: .value)) != nil
        else { return nil }
        return tape.element(take + 1, of: 0)
    }
}
