// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Chooses the grams that get posting lists, and writes which they are.
struct GramSelector: BuildJob {
    let output: SnapshotOutput
    let columns: ColumnIndex
    let rows: Int
    let result = JobResult<GramSelection>()

    func write() throws(StoreError) {
        try result.make { () throws(StoreError) in
            let file = try output.map()
            let selection = GramSelection.make(
                columns.vocabulary, rows: rows, counts: columns.searched.map { columns[$0].postings.counts },
                file.bytes)
            try output.write(.grams, width: 4, selection.numbers.span)
            try output.write(.fewGrams, width: 4, selection.few.span)
            try output.writeTable(.fewStarts, count: selection.fewStarts.count, bound: selection.fewWords.count) {
                selection.fewStarts[$0]
            }
            try output.write(.fewWords, width: 4, selection.fewWords.span)
            return selection
        }
    }
}
