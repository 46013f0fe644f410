// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The records of an earlier snapshot that go on as they are. In a build they come after the new ones.
struct CarriedRecords: Sendable {
    let old: Snapshot
    /// In the order of arrival: the record's row in the earlier snapshot.
    let rows: [UInt32]
    /// How many new records there are: the number of the first carried one.
    let first: Int

    /// The most of an earlier snapshot's words, in hundredths, that may be in no record any more: what is merged keeps
    /// them.
    private static let unusedWordsMax = 25

    /// Whether merging the new records into what was indexed before saves work.
    var isWorthMerging: Bool { first <= rows.count / 4 && !hasManyUnusedWords }

    private var hasManyUnusedWords: Bool {
        let bytes = old.bytes
        let lists = old.columns.searched.map { old.column($0).postings }
        let unused = (0..<old.vocabulary.count).count { word in lists.allSatisfy { $0.count(word, bytes) == 0 } }
        return unused > 1000 + old.vocabulary.count * Self.unusedWordsMax / 100
    }
}
