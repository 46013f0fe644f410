// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The condition of `wait`: filters, and whether records must match each of them. It takes counts and changes with their
/// times, and says whether it holds; it touches nothing else.
///
/// The counts of a moment are the truth. Between them it follows the changes of each commit, so that a moment in which
/// the condition did not hold is never missed.
struct WaitCondition {
    /// The number of records that must match a filter.
    enum Requirement: Equatable {
        case some, none

        func isMet(_ count: Int64) -> Bool { self == .some ? count > 0 : count == 0 }
    }

    /// A filter, and the requirement for it.
    struct Part: Equatable {
        /// The text of the filter; nil for every record.
        let filter: String?
        let requirement: Requirement
    }

    /// The parts, which must all be met at once.
    let parts: [Part]
    /// The time for which they must be met, in nanoseconds.
    private let hold: UInt64
    /// The counts as of the last look at the daemon's data, with the changes since; nil if they are not known.
    private var counts: [Int64]?
    /// The sequence of the counts.
    private var seq: Int64 = 0
    /// The time since which all parts are met, in nanoseconds of the monotonic clock; nil if they are not.
    private var heldSince: UInt64?
    /// Whether the counts have to be asked for again.
    private(set) var isDoubtful = true

    /// Makes a condition of filters as the daemon reads them.
    ///
    /// A filter whose parentheses do not match is the only part, so that the daemon refuses it: beside another one it
    /// could mean something else.
    ///
    /// - Parameters:
    ///   - terms: the filter of the records that the condition is about; nil for all.
    ///   - hold: the time for which it must hold, in nanoseconds.
    init(_ quantity: Quantity, of terms: String?, until expression: String, hold: UInt64 = 0) {
        let both = terms.map { "(\($0)) and (\(expression))" } ?? expression
        let other = terms.map { "(\($0)) and not (\(expression))" } ?? "not (\(expression))"
        self.hold = hold
        if let open = [terms, expression].compactMap(\.self).first(where: { !FilterComposer.isBalanced($0) }) {
            parts = [Part(filter: open, requirement: .some)]
            return
        }
        parts =
            switch quantity {
            case .any: [Part(filter: both, requirement: .some)]
            case .all: [Part(filter: terms, requirement: .some), Part(filter: other, requirement: .none)]
            case .none: [Part(filter: both, requirement: .none)]
            }
    }

    /// The number of records that must match.
    enum Quantity {
        case any, all, none
    }

    /// Records the counts of one moment, in the order of ``parts``.
    mutating func counted(_ counts: [Int64], seq: Int64, at now: UInt64) {
        self.counts = counts
        self.seq = seq
        isDoubtful = false
        evaluate(at: now)
    }

    /// Records that there is no data, or none that is young enough: the condition does not hold.
    mutating func hasNoData() {
        counts = nil
        heldSince = nil
        isDoubtful = false
    }

    /// Records a commit that has arrived as a whole.
    ///
    /// - Parameters:
    ///   - part: the index of the part whose set changes.
    ///   - difference: the number of records that came, less those that went.
    ///   - seq: the sequence of the commit; nil if the set changed without one, as it does in time.
    mutating func changed(_ part: Int, by difference: Int64, seq: Int64?, at now: UInt64) {
        guard let seq, counts != nil, parts.count == 1 else {
            // The sets of several parts change one after the other.
            isDoubtful = true
            if let seq, seq > self.seq, let count = counts?[part] {
                counts?[part] = count + difference
                if !parts[part].requirement.isMet(count + difference) { heldSince = nil }
            }
            return
        }
        guard seq > self.seq else { return }
        counts?[part] += difference
        self.seq = seq
        evaluate(at: now)
    }

    /// Records that something changed that the counts have to be asked for again after.
    mutating func doubt() { isDoubtful = true }

    /// Records that the connection is lost, so that the condition is not known to hold.
    mutating func lost() {
        counts = nil
        heldSince = nil
        isDoubtful = true
    }

    private mutating func evaluate(at now: UInt64) {
        let isMet = counts.map { counts in zip(parts, counts).allSatisfy { $0.requirement.isMet($1) } } ?? false
        heldSince = isMet ? heldSince ?? now : nil
    }

    /// Whether all parts have been met for long enough.
    func holds(at now: UInt64) -> Bool {
        guard let end = holdsAt else { return false }
        return now >= end && !(isDoubtful && parts.count > 1)
    }

    /// Whether it is enough that the condition holds for a moment.
    var isMomentary: Bool { hold == 0 }

    /// The time at which the condition will have held for long enough, in nanoseconds; nil if it does not hold.
    var holdsAt: UInt64? { heldSince.map { $0.addingReportingOverflow(hold).overflow ? .max : $0 + hold } }
}
