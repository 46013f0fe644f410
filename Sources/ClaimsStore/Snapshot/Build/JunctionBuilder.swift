// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes, for one searched field, the rows that have each junction of words.
struct JunctionBuilder: BuildJob {
    let input: BuildInput
    let column: Column
    let classes: JunctionClasses

    func write() throws(StoreError) {
        let file = try input.output.map()
        let source = JunctionPostings(tokens: column.tokens, classes: classes)
        try PostingBuilder(items: input.rows.count, keys: classes.junction.keys, source: source).write(
            file.bytes, starts: .junctionStarts, counts: .junctionCounts, lists: .junctions, owner: column.kind.owner,
            to: input.output)
    }
}
