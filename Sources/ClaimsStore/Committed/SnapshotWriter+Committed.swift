// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot

extension SnapshotWriter {
    /// Appends a recent record; returns its number.
    mutating func append(_ entry: RecentRecords.Entry) throws(StoreError) -> Int {
        try append(entry.record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
    }

    /// Appends the committed record of a row; returns its number. If the writer has a base, it must be the base of
    /// these records.
    mutating func append(_ row: Int, of committed: CommittedRecords) throws(StoreError) -> Int {
        let record = committed.record(row)
        if record.snapshot === committed.file { return try carry(record.row, from: record.snapshot) }
        return try absorb(record.row, from: record.snapshot)
    }
}

extension CommittedRecords {
    /// The ids that are gone according to the recent records and the files from a role on.
    func gone(from role: StackRole) -> Set<[UInt8]> {
        var gone = recent?.contents.gone ?? []
        for layer in files.layers where layer.role >= role {
            for number in 0..<layer.snapshot.goneCount { gone.insert(layer.snapshot.gone(number).array) }
        }
        return gone
    }
}

extension StackPlan {
    /// The sizes of the files that would take what lies over the files of a stack.
    ///
    /// - Parameter bytes: the bytes of the records that come in addition.
    init(_ committed: CommittedRecords, bytes: Int) {
        let files = committed.files
        let (middle, young) = (files[.middle]?.snapshot, files[.young]?.snapshot)
        base = files.base.count
        self.young = files[.young]?.entries ?? 0
        self.middle = files[.middle].map { $0.entries - $0.repeated } ?? 0
        youngBytes = (young?.fileSize ?? 0) + bytes
        if let young, let middle {
            for row in 0..<young.count where !middle.mentions(young.id(row)) { self.middle += 1 }
            for number in 0..<young.goneCount where !middle.mentions(young.gone(number)) { self.middle += 1 }
        } else {
            self.middle += self.young
        }
        guard let contents = committed.recent?.contents else { return }
        youngBytes += contents.bytes
        for ids in [Array(contents.records.keys), Array(contents.gone)] {
            for id in ids where young?.mentions(id.rawSpan) != true {
                self.young += 1
                if middle?.mentions(id.rawSpan) != true { self.middle += 1 }
            }
        }
    }
}
