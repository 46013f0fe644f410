// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The entries of a source's quarantine that are in force, while an answer with what has changed is read.
///
/// The answer may overlap with earlier ones: an element that is an entry already adds no entry.
struct EarlierQuarantine: Sendable {
    private var entriesByID: [[UInt8]: [Int64]] = [:]
    private var digests: [Int64: UInt64] = [:]
    private var entriesByDigest: [UInt64: Int64] = [:]
    /// The digests of the answer's own elements.
    private var added: Set<UInt64> = []
    /// The size of the entries, in bytes.
    private(set) var bytes = 0
    /// The number of entries, with those of the answer.
    private(set) var count = 0

    mutating func insert(_ entry: Int64, id: [UInt8]?, digest: UInt64, bytes size: Int) {
        if let id { entriesByID[id, default: []].append(entry) }
        entriesByDigest[digest] = entry
        digests[entry] = digest
        bytes += size
        count += 1
    }

    /// Removes the entries of a record, and returns them: the record has come anew, or is gone.
    ///
    /// - Parameter kept: an entry that stays.
    mutating func release(_ id: [UInt8], except kept: Int64? = nil) -> [Int64] {
        guard !entriesByID.isEmpty, let entries = entriesByID[id] else { return [] }
        let released = entries.filter { $0 != kept }
        entriesByID[id] = entries.count == released.count ? nil : entries.filter { $0 == kept }
        for entry in released {
            count -= 1
            if let digest = digests.removeValue(forKey: entry), entriesByDigest[digest] == entry {
                entriesByDigest[digest] = nil
            }
        }
        return released
    }

    /// The meaning of an element of the answer that is no record.
    enum Novelty {
        case new
        /// An earlier answer had the element, too.
        case known(Int64)
        /// This answer has had the element before.
        case repeated
    }

    /// Records an element of the answer that is no record.
    mutating func observe(_ digest: UInt64) -> Novelty {
        if let entry = entriesByDigest[digest] { return .known(entry) }
        guard added.insert(digest).inserted else { return .repeated }
        count += 1
        return .new
    }
}

extension StateDatabase {
    /// Reads the entries in force of a source, on the calling thread.
    func earlierQuarantine(of row: CollectionRow, _ site: String?) throws(StoreError) -> EarlierQuarantine {
        var earlier = EarlierQuarantine()
        guard row.quarantined > 0 else { return earlier }
        let database = try reader()
        let select = try database.prepare(
            """
            SELECT q.entry, q.id, q.digest, length(q.bytes) FROM \(StateSchema.quarantineInForce)
            WHERE q.collection = ?1 AND q.site = ?2 ORDER BY q.entry
            """, "read the quarantine")
        let name = site ?? ""
        try select.bind(1, row.number)
        try select.bind(2, name)
        while try select.step() {
            earlier.insert(
                select.integer(0), id: select.isNull(1) ? nil : select.bytes(1), digest: select.bits(2),
                bytes: select.count(3))
        }
        return earlier
    }
}
