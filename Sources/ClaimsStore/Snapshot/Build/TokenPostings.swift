// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The words of each row of one field, as they lie in the file.
struct TokenPostings: PostingSource {
    let tokens: TokenTable

    @inline(__always)
    func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void) {
        let units = tokens.units(item, bytes)
        var index = 0
        while index < units.count {
            body(TokenUnits.next(&index) { units[$0, bytes] })
        }
    }
}
