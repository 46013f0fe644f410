// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a walk over one value reports, in the order of the bytes.
protocol JSONSink {
    /// An object or an array begins at `start`.
    mutating func begin(_ kind: JSONKind, at start: Int)

    /// The innermost container ends before `end`. Returns whether the one around it is an object.
    mutating func finish(before end: Int) -> Bool

    /// A string, number or literal, quotes included; the name of a member is a string too.
    mutating func leaf(_ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool)

    /// No more may come: a walk ends with an error.
    var isFull: Bool { get }

    /// There is white space directly inside the innermost container.
    mutating func space()
}
