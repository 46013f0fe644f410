// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a posting list is: of a word, or of a gram, in one searched field.
struct ListPlace {
    let column: Int
    let key: Int
    let isGram: Bool

    @inline(__always)
    func lists(_ index: ColumnIndex) -> PostingLists { isGram ? index[column].grams : index[column].postings }
}
