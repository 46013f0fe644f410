// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A snapshot's columns by field.
struct ColumnIndex: Sendable {
    let vocabulary: Vocabulary
    let grams: GramIndex
    private let fields: [Column]
    private let raws: [Column]
    /// The searched fields' columns.
    let searched: [Int]

    init(_ definition: Definition, _ sections: SectionIndex, rows: Int) {
        let vocabulary = Vocabulary(sections)
        self.vocabulary = vocabulary
        grams = GramIndex(sections)
        let kinds = ColumnKind.columns(of: definition)
        fields = definition.fields.indices.map { index in
            let kind = kinds.first { $0.field == index && !$0.isRaw } ?? ColumnKind.none(index)
            return Column(kind, sections, vocabulary, rows: rows)
        }
        raws = definition.fields.indices.map { index in
            let kind = kinds.first { $0.field == index && $0.isRaw } ?? ColumnKind.none(index)
            return Column(kind, sections, vocabulary, rows: rows)
        }
        searched = kinds.filter(\.isSearched).map(\.field)
    }

    /// The column of a field, or with `ColumnKind.rawBit` that of its raw values.
    @inline(__always)
    subscript(_ owner: Int) -> Column {
        owner & ColumnKind.rawBit == 0 ? fields[owner] : raws[owner & ~ColumnKind.rawBit]
    }
}
