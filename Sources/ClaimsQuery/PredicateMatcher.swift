// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel

/// A predicate that is prepared to be tested on decoded records, one at a time.
///
/// Subscriptions and explanations use it; queries run on the columns and indexes of snapshots. It is made once for a
/// predicate, and a test allocates nothing.
public struct PredicateMatcher: Sendable {
    private let root: Step
    /// The indexes of the fields that a test may read, ascending, each once.
    public let fields: [Int]
    /// Whether a test may read the state of the record's unsettled operations.
    public let readsPending: Bool

    /// Prepares `predicate`, whose fields must be those of `definition`.
    public init(_ predicate: Predicate, definition: Definition) {
        root = Step(predicate, searchedFields: definition.searchedFields)
        fields = Set(root.fields).sorted()
        readsPending = root.readsPending
    }

    /// Whether the predicate is true for the record.
    ///
    /// - Parameter record: A record that was decoded by the same definition.
    public func matches(_ record: borrowing DecodedRecord) -> Bool {
        root.isTrue(of: record)
    }

    /// A predicate with its patterns prepared.
    private indirect enum Step: Sendable {
        case constant(Bool)
        case all([Step])
        case any([Step])
        case not(Step)
        case present(Int)
        case codes(Int, [Int])
        case keys(Int, [KeyRange])
        case contains([Int], [SubstringSearch])
        case prefix(Int, [[UInt8]])
        case raw(Int)
        case rawEquals(Int, [[UInt8]])
        case rawContains(Int, [SubstringSearch])
        case rawPrefix(Int, [[UInt8]])
        case pending([PendingState])

        init(_ predicate: Predicate, searchedFields: [Int]) {
            switch predicate {
            case .constant(let value): self = .constant(value)
            case .and(let operands): self = .all(operands.map { Step($0, searchedFields: searchedFields) })
            case .or(let operands): self = .any(operands.map { Step($0, searchedFields: searchedFields) })
            case .not(let operand): self = .not(Step(operand, searchedFields: searchedFields))
            case .present(let field): self = .present(field)
            case .codes(let field, let codes): self = .codes(field, codes)
            case .keys(let field, let ranges): self = .keys(field, ranges)
            case .contains(let field, let patterns): self = .contains([field], patterns.map { SubstringSearch($0) })
            case .prefix(let field, let patterns): self = .prefix(field, patterns)
            case .raw(let field, .present): self = .raw(field)
            case .raw(let field, .equals(let values)): self = .rawEquals(field, values)
            case .raw(let field, .contains(let values)): self = .rawContains(field, values.map { SubstringSearch($0) })
            case .raw(let field, .prefix(let values)): self = .rawPrefix(field, values)
            case .text(let pattern, let fields):
                self = .contains(fields ?? searchedFields, [SubstringSearch(pattern)])
            case .pending(let states): self = .pending(states)
            }
        }

        /// The indexes of the fields that the step reads.
        var fields: [Int] {
            switch self {
            case .constant, .pending: []
            case .all(let steps), .any(let steps): steps.flatMap(\.fields)
            case .not(let step): step.fields
            case .contains(let fields, _): fields
            case .present(let field), .codes(let field, _), .keys(let field, _), .prefix(let field, _),
                .raw(let field), .rawEquals(let field, _), .rawContains(let field, _), .rawPrefix(let field, _):
                [field]
            }
        }

        var readsPending: Bool {
            switch self {
            case .all(let steps), .any(let steps): steps.contains(where: \.readsPending)
            case .not(let step): step.readsPending
            case .pending: true
            case .constant, .present, .codes, .keys, .contains, .prefix, .raw, .rawEquals, .rawContains, .rawPrefix:
                false
            }
        }

        func isTrue(of record: borrowing DecodedRecord) -> Bool {
            switch self {
            case .constant(let value): return value
            case .all(let steps):
                for step in steps where !step.isTrue(of: record) { return false }
                return true
            case .any(let steps):
                for step in steps where step.isTrue(of: record) { return true }
                return false
            case .not(let step): return !step.isTrue(of: record)
            case .present(let field): return record.values[field].isPresent
            case .codes(let field, let codes): return codes.contains(record.values[field].code)
            case .keys(let field, let ranges):
                guard record.values[field].isPresent else { return false }
                let key = record.keys.rawSpan.extracting(record.values[field].key)
                for range in ranges where range.contains(key) { return true }
                return false
            case .contains(let fields, let patterns):
                for field in fields where record.values[field].isPresent {
                    for pattern in patterns where pattern.isIn(record.foldedText(field)) { return true }
                }
                return false
            case .prefix(let field, let prefixes):
                guard record.values[field].isPresent else { return false }
                for prefix in prefixes where record.foldedText(field).hasPrefix(prefix.rawSpan) { return true }
                return false
            case .raw(let field): return record.values[field].raw != nil
            case .pending(let states): return record.pending.map { states.contains($0) } ?? false
            case .rawEquals(let field, let values):
                guard let raw = record.values[field].raw else { return false }
                let bytes = record.keys.rawSpan.extracting(raw)
                for value in values where bytes.compare(value.rawSpan) == 0 { return true }
                return false
            case .rawContains(let field, let patterns):
                guard let raw = record.values[field].raw else { return false }
                for pattern in patterns where pattern.isIn(record.keys.rawSpan.extracting(raw)) { return true }
                return false
            case .rawPrefix(let field, let prefixes):
                guard let raw = record.values[field].raw else { return false }
                let bytes = record.keys.rawSpan.extracting(raw)
                for prefix in prefixes where bytes.hasPrefix(prefix.rawSpan) { return true }
                return false
            }
        }
    }
}

/// Looks for one byte string in others, in time linear in both (Knuth, Morris and Pratt).
struct SubstringSearch: Sendable {
    private let pattern: [UInt8]
    /// The length of the longest match to continue with after a mismatch, for each length of a match so far.
    private let fallback: [Int]

    init(_ pattern: [UInt8]) {
        var fallback = [Int](repeating: 0, count: pattern.count)
        var length = 0
        for index in pattern.indices.dropFirst() {
            while length > 0, pattern[index] != pattern[length] { length = fallback[length - 1] }
            if pattern[index] == pattern[length] { length += 1 }
            fallback[index] = length
        }
        self.pattern = pattern
        self.fallback = fallback
    }

    /// Whether the pattern is in `text`. The empty one is in every text.
    func isIn(_ text: RawSpan) -> Bool {
        guard pattern.count <= text.byteCount else { return false }
        guard !pattern.isEmpty else { return true }
        return unsafe text.withUnsafeBytes { bytes in
            var length = 0
            for index in 0..<bytes.count {
                let byte = unsafe bytes[index]
                while length > 0, byte != pattern[length] { length = fallback[length - 1] }
                if byte == pattern[length] { length += 1 }
                if length == pattern.count { return true }
            }
            return false
        }
    }
}
