// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What decoding needs to know of a field, without a reference in it: ranges lead into the decoder's tables.
struct FieldPlan: Sendable {
    let type: FieldType
    let isRequired: Bool
    /// Whether a number counts as the text of its digits: what other records are looked up by is an id, and ids are
    /// text, whatever JSON type they come in.
    let acceptsNumber: Bool
    /// In `DecoderTables.paths`.
    let paths: Range<Int>
    /// In `DecoderTables.pieces`: `,"name":`.
    let label: Range<Int>
    /// In `DecoderTables.pieces`: `,"name.raw":`.
    let rawLabel: Range<Int>
    /// The index of the vocabulary, or -1.
    let vocabulary: Int
    /// In `DecoderTables.codes`: where the field's codes begin.
    let firstCode: Int
    /// The place among what the join takes, or -1.
    let joined: Int
}
