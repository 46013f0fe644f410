// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The junctions between the words of each row of one field.
struct JunctionPostings: PostingSource {
    let tokens: TokenTable
    let classes: JunctionClasses

    @inline(__always)
    func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void) {
        let units = tokens.units(item, bytes)
        guard units.count > 0 else { return }
        var index = 0
        var last = classes[TokenUnits.next(&index) { units[$0, bytes] }]
        while index < units.count {
            let next = classes[TokenUnits.next(&index) { units[$0, bytes] }]
            body(classes.key(last, next))
            last = next
        }
    }
}
