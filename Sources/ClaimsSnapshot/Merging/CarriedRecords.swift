// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The records that a new snapshot takes over from an earlier one. They are numbered after the new records.
struct CarriedRecords: Sendable {
    let old: Snapshot
    /// The row of each record in the earlier snapshot, in the order of arrival.
    let rows: [UInt32]
    /// The number of new records, which is also the number of the first carried one.
    let first: Int

    /// The maximal share of the earlier snapshot's terms that may be in no record any more, in hundredths: merging
    /// keeps them.
    private static let maxUnusedTerms = 25

    /// Whether merging the new records into the earlier sections takes less time than building all sections.
    var isWorthMerging: Bool { first <= rows.count / 4 && !hasManyUnusedTerms }

    private var hasManyUnusedTerms: Bool {
        let bytes = old.bytes
        let lists = old.columnIndex.searched.map { old.columnIndex[$0].postings }
        let unused = (0..<old.dictionary.count).count { term in
            lists.allSatisfy { $0.view(bytes).count(term) == 0 }
        }
        return unused > 1000 + old.dictionary.count * Self.maxUnusedTerms / 100
    }
}

/// Renumbers the terms of an earlier snapshot for the one being built.
struct CarriedTerms {
    /// The number here of each earlier term number, plus 1; 0 if it is not known yet.
    private var numbers: [UInt32] = []
    private var units: [UInt16] = []

    /// The number here of term `number` of `old`.
    ///
    /// - Throws: `damaged` if `old` has no such term.
    mutating func number(of number: Int, in old: Snapshot, _ table: inout TermTable) throws(StoreError) -> Int {
        let dictionary = old.dictionary
        if numbers.isEmpty { numbers = [UInt32](repeating: 0, count: max(dictionary.count, 1)) }
        guard number < numbers.count else { throw StoreError(.damaged, "carry a record", detail: "words") }
        if numbers[number] != 0 { return Int(numbers[number]) - 1 }
        units.removeAll(keepingCapacity: true)
        try table.append(dictionary.term(number), to: &units)
        guard !units.isEmpty else { throw StoreError(.damaged, "carry a record", detail: "words") }
        var index = 0
        let here = TokenUnits.next(&index) { $0 < units.count ? units[$0] : 0 }
        numbers[number] = UInt32(truncatingIfNeeded: here + 1)
        return here
    }
}

/// Appends the values of records of an earlier snapshot to those that were gathered of new ones.
struct CarriedValues {
    private let old: Snapshot
    /// Distinguishes texts of this snapshot from texts of others with the same ordinals.
    private let source: UInt64
    private var terms = CarriedTerms()
    /// The entry here of each ordinal in the earlier snapshot, plus 1, by column; 0 if there is none yet.
    private var entries: [[UInt32]]
    private var tokens: [UInt16] = []

    /// - Parameters:
    ///   - columns: the number of columns.
    ///   - source: a number that no other snapshot has whose values are appended.
    init(_ old: Snapshot, columns: Int, source: Int) {
        self.old = old
        self.source = UInt64(source) << 32
        entries = [[UInt32]](repeating: [], count: columns)
    }

    /// Appends the values of all records of `carried`, in their order.
    static func append(_ carried: CarriedRecords, to gatherer: inout ValueGatherer) throws(StoreError) {
        var values = CarriedValues(carried.old, columns: gatherer.columns.count, source: 0)
        for row in carried.rows { try values.append(Int(row), to: &gatherer) }
    }

    /// Appends the values of the record in a row.
    mutating func append(_ row: Int, to gatherer: inout ValueGatherer) throws(StoreError) {
        var key: [UInt8] = []
        KeyEncoding.natural(old.id(row), into: &key)
        try gatherer.append(idKey: key.rawSpan)
        for index in gatherer.columns.indices where gatherer.columns[index].column.isGathered {
            try append(row, column: index, to: &gatherer)
        }
    }

    private mutating func append(
        _ row: Int, column index: Int, to gatherer: inout ValueGatherer
    ) throws(StoreError) {
        // The bytes are borrowed from this constant, not from `self`.
        let old = old
        let kind = gatherer.columns[index].column
        let column = old.column(kind.columnID)
        let ordinal = column.ordinal(row)
        guard ordinal < column.distinct else { return try gatherer.columns[index].append(code: -1) }
        if kind.isCoded { return try gatherer.columns[index].append(code: ordinal) }
        if entries[index].isEmpty { entries[index] = [UInt32](repeating: 0, count: column.distinct) }
        let known = entries[index][ordinal]
        if known != 0 { return try gatherer.columns[index].append(entry: Int(known) - 1) }
        tokens.removeAll(keepingCapacity: true)
        if kind.isSearched {
            let source = column.tokens.units(row)
            var next = 0
            while next < source.count {
                let number = TokenUnits.next(&next) { source[$0] }
                TokenUnits.append(try terms.number(of: number, in: old, &gatherer.terms), to: &tokens)
            }
        }
        // No two ordinals have the same value; if their folded keys are equal, the texts themselves decide.
        let entry = try gatherer.columns[index].enter(
            key: column.key(ordinal), tieHash: source | UInt64(ordinal), tokens: tokens.span)
        entries[index][ordinal] = UInt32(truncatingIfNeeded: entry + 1)
    }
}

/// The records that a new snapshot takes from other snapshots than the one that it is merged with. They are numbered
/// after the new records, in the order in which they were added.
struct AbsorbedRecords {
    private(set) var sources: [Snapshot] = []
    /// The index of each record's snapshot, and its row there.
    private(set) var rows: [(source: UInt32, row: UInt32)] = []

    var count: Int { rows.count }

    mutating func append(_ row: Int, of snapshot: Snapshot) {
        if sources.last !== snapshot, !sources.contains(where: { $0 === snapshot }) { sources.append(snapshot) }
        let source = sources.last === snapshot ? sources.count - 1 : sources.firstIndex { $0 === snapshot } ?? 0
        rows.append((UInt32(truncatingIfNeeded: source), UInt32(truncatingIfNeeded: row)))
    }

    /// Appends the values of all of them to the values that were gathered from new records.
    func append(to gatherer: inout ValueGatherer) throws(StoreError) {
        var values = sources.indices.map { index in
            CarriedValues(sources[index], columns: gatherer.columns.count, source: index + 1)
        }
        for (source, row) in rows { try values[Int(source)].append(Int(row), to: &gatherer) }
    }
}

extension SharedFiles {
    /// The files that the snapshot after `base` shares with it; nil if it is better to write all records anew.
    init?(after base: Snapshot) {
        guard let records = base.recordsToShare else { return nil }
        self.init(records: records, paths: base.shared.parts.indices.map { base.partPath($0) } + [base.path])
    }
}
