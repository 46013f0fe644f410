// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A filter with its types, names, codes and dates resolved: ready to run on records of one definition.
///
/// Fields are indexes into the definition. Except for `not`, no test is true of a record without the field.
public indirect enum Predicate: Sendable, Hashable {
    case constant(Bool)
    case and([Predicate])
    case or([Predicate])
    /// The complement: all records that the operand is not true of.
    case not(Predicate)
    case present(field: Int)
    /// The field's code is one of these indexes into its vocabulary, ascending.
    case codes(field: Int, [Int])
    /// The field's order-preserving key is in one of these ranges. The key of a text is its folded form, so that for
    /// texts too this is all that `=`, `<` and ranges need.
    case keys(field: Int, [KeyRange])
    /// The field's folded text has one of these in it.
    case contains(field: Int, [[UInt8]])
    /// The field's folded text starts with one of these.
    case prefix(field: Int, [[UInt8]])
    /// The value as it came.
    case raw(field: Int, RawMatch)
    /// One of the searched fields has this folded word or phrase in its folded text.
    case text([UInt8])
}
