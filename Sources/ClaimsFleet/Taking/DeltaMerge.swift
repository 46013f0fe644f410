// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

/// Merges the files of several deltas into the pages of one answer: the last word on an id counts.
///
/// The files are read from the newest to the oldest, one page each, so that little is in memory.
struct DeltaMerge {
    private static let root = JSONPointer(tokens: [Array("records".utf8)])
    private static let list = JSONPointer(tokens: [Array("deleted".utf8)])

    private var decoder: RecordDecoder
    private var record = DecodedRecord()
    private var tape = JSONTape()
    /// Hashes of 128 bits of the ids, under a key of its own: the ids of millions of records would be large.
    private var known: Set<SIMD2<UInt64>> = []
    private let hashes = [
        SipHash(key0: RandomBytes.integer(), key1: RandomBytes.integer()),
        SipHash(key0: RandomBytes.integer(), key1: RandomBytes.integer()),
    ]
    private var records: [UInt8] = []
    private var deleted: [UInt8] = []

    init(_ definition: Definition) {
        // Ids are compared as the source names them, without a site.
        decoder = RecordDecoder(definition: definition, joined: nil)
    }

    /// The size of the page so far, in bytes.
    var size: Int { records.count + deleted.count }

    /// Ends a page, which has the records and deletions of the files since the page before.
    mutating func readPage() -> [UInt8] {
        defer { (records, deleted) = ([], []) }
        return Array("{\"records\":[".utf8) + records + Array("],\"deleted\":[".utf8) + deleted + Array("]}".utf8)
    }

    /// Adds the records and deletions of a file whose ids no file before has. The file is older than the files before.
    mutating func add(_ file: [UInt8]) throws(FleetError) {
        var added: [SIMD2<UInt64>] = []
        try forEach(Self.root, of: file) { merge, range, id in
            if let id {
                if merge.known.contains(id) { return }
                added.append(id)
            }
            merge.append(file[range], to: \.records)
        }
        try forEach(Self.list, of: file) { merge, range, id in
            guard let id, !merge.known.contains(id) else { return }
            added.append(id)
            merge.append(file[range], to: \.deleted)
        }
        known.formUnion(added)
    }

    /// The page with the records of a base whose ids no file before has.
    ///
    /// - Parameter count: the records of the file are added to it.
    mutating func rest(of file: [UInt8], counting count: inout Int) throws(FleetError) -> [UInt8] {
        records = []
        var number = 0
        try forEach(Self.root, of: file) { merge, range, id in
            number += 1
            if let id, merge.known.contains(id) { return }
            merge.append(file[range], to: \.records)
        }
        count += number
        return Array("{\"records\":[".utf8) + records + Array("]}".utf8)
    }

    /// The elements of a file's records, one a line.
    static func lines(of file: [UInt8]) throws(FleetError) -> [UInt8] {
        var lines: [UInt8] = []
        var tape = JSONTape()
        do throws(JSONRootError) {
            var elements = try JSONElements(file.rawSpan, root: root)
            while let element = try next(&elements, into: &tape) { lines += file[element.range] + [ASCII.newline] }
        } catch { throw FleetError("a file has no records") }
        return lines
    }

    /// Calls `body` with each element of a list: its range in the file, and its id; nil if it has none.
    private mutating func forEach(
        _ list: JSONPointer, of file: [UInt8], _ body: (inout Self, Range<Int>, SIMD2<UInt64>?) -> Void
    ) throws(FleetError) {
        do throws(JSONRootError) {
            var elements = try JSONElements(file.rawSpan, root: list)
            while let element = try Self.next(&elements, into: &tape) {
                body(&self, element.range, id(of: element, in: file.rawSpan, isBare: list == Self.list))
            }
        } catch { throw FleetError("a file has not the lists that it should have") }
    }

    private static func next(
        _ elements: inout JSONElements, into tape: inout JSONTape
    ) throws(JSONRootError) -> JSONElements.Element? {
        do throws(JSONError) { return try elements.next(into: &tape) } catch { throw .notJSON(error) }
    }

    private mutating func id(of element: JSONElements.Element, in bytes: RawSpan, isBare: Bool) -> SIMD2<UInt64>? {
        guard case .value = element else { return nil }
        if isBare {
            guard tape.count > 0, decoder.identify(bare: tape, bytes, into: &record) else { return nil }
        } else {
            guard case .accepted = decoder.identify(tape, bytes, into: &record) else { return nil }
        }
        return SIMD2(hashes[0].tag(record.id), hashes[1].tag(record.id))
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, to list: WritableKeyPath<Self, [UInt8]>) {
        if !self[keyPath: list].isEmpty { self[keyPath: list].append(ASCII.comma) }
        self[keyPath: list] += bytes
    }
}
