// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The readers of what others send, each as a function of some bytes.
///
/// `make fuzz` runs every one under libFuzzer; `make test` runs the seeds of each.
enum FuzzTarget: String, CaseIterable, Sendable {
    case cursor
    case definition
    case filter
    case json
    case json5
    case lines
    case order
    case query
    case record
    case request
    case snapshot
    case tree

    /// Reads the bytes, and what can be read further.
    ///
    /// - Throws: `FuzzFinding` where a promise of the reader's is broken. Bad input is no finding.
    func check(_ input: [UInt8]) throws {
        switch self {
        case .cursor: try CursorTarget.check(input)
        case .definition: try DefinitionTarget.check(input)
        case .filter: try FilterTarget.check(text: input)
        case .json: try JSONTarget.check(input)
        case .json5: try JSON5Target.check(input)
        case .lines: try LinesTarget.check(input)
        case .order: try OrderTarget.check(input)
        case .query: try QueryTarget.check(input)
        case .record: try RecordTarget.check(input)
        case .request: try RequestTarget.check(input)
        case .snapshot: try SnapshotTarget.check(input)
        case .tree: try FilterTarget.check(tree: input)
        }
    }
}
