// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// Decides what a source is asked for that can tell what has changed: all its records, or the changes since its
/// position. Pure.
///
///     let plan = IncrementalPlan(definition, share: 0.3)
///     if case .changes(let since) = plan.request(known, key: requests.records.key, options, .init(now: now)) {
///         target = target.setting(plan.target, to: since)
///     }
struct IncrementalPlan {
    /// The request to make.
    enum Request: Equatable {
        case all
        /// The changes, with the value that says since when.
        case changes(JSONValue)
    }

    /// The moment of a decision.
    struct Moment {
        /// Milliseconds since 1970.
        var now: Int64
        /// Whether a delete that the upstream has accepted is still to be seen.
        var awaitsDeletion = false
    }

    private let rules: IncrementalRules
    private let type: FieldType?
    private let namesDeletions: Bool
    /// The time between two requests for all records, in milliseconds.
    let period: Int64

    /// nil for a source that does not tell what has changed.
    ///
    /// - Parameter share: from 0 to below 1, the same for one machine and source; it spreads the requests of many
    ///   machines.
    init?(_ definition: Definition, share: Double) {
        guard let rules = definition.source.since else { return nil }
        self.rules = rules
        namesDeletions = definition.source.deleted != nil
        if case .field(let field, _) = rules.position { type = definition.fields[field].type } else { type = nil }
        period = RefreshSchedule(interval: rules.full, offset: share).period
    }

    /// The parameter that carries the position.
    var target: ParameterTarget { rules.to }

    /// Returns the request to make now.
    ///
    /// - Parameters:
    ///   - key: of the request for all records, to which a position belongs.
    func request(
        _ known: SourceRow, key: UInt64, _ options: RefreshOptions, _ moment: Moment
    ) -> Request {
        guard let position = known.position, position.key == key, known.held == nil, !options.force, !options.accept,
            !(moment.awaitsDeletion && !namesDeletions), !isFullDue(known.full, moment.now),
            let value = value(at: position.value)
        else { return .all }
        return .changes(value)
    }

    /// Whether all records are to be asked for, because of the time.
    private func isFullDue(_ full: SourceRow.FullRequests, _ now: Int64) -> Bool {
        if full.failures > 0, let retryAt = full.retryAt {
            // A clock that was set back makes no wait longer than it can be.
            return retryAt <= now || retryAt - now > max(RefreshSchedule.maxBackoff, RefreshSchedule.maxDemand)
        }
        guard let asOf = full.asOf, asOf - now <= RefreshSchedule.minStep else { return true }
        return now - asOf >= period
    }

    // MARK: - Positions

    /// Returns the position after a good answer; nil where nothing says in which state the data is.
    ///
    /// - Parameters:
    ///   - found: the largest value of the field, or the token, that the answer has; nil where it has none.
    ///   - known: the position before, for an answer with what has changed.
    ///   - key: of the request for all records.
    func position(
        after found: String?, known: SourceRow.Position?, key: UInt64
    ) -> SourceRow.Position? {
        guard let known, known.key == key else { return found.map { SourceRow.Position(key: key, value: $0) } }
        guard let found else { return known }
        guard case .field = rules.position else { return SourceRow.Position(key: key, value: found) }
        guard let (old, new) = order(of: known.value).flatMap({ old in order(of: found).map { (old, $0) } }) else {
            return SourceRow.Position(key: key, value: found)
        }
        return new > old ? SourceRow.Position(key: key, value: found) : known
    }

    /// A number that orders positions.
    private func order(of position: String) -> Int64? {
        guard let stored = try? JSONValue.parse(position) else { return nil }
        return switch type {
        case .instant: stored.string.flatMap { Instant.parse($0) }?.ms
        case .date: stored.string.flatMap { CivilDate.parse($0) }.map { Int64($0) }
        default: Self.integer(stored)
        }
    }

    /// The value to send for a position; nil where it cannot be one.
    private func value(at position: String) -> JSONValue? {
        guard let stored = try? JSONValue.parse(position) else { return nil }
        guard case .field(_, let overlap) = rules.position else { return stored }
        switch (type, overlap) {
        case (.instant, .span(let span)):
            return stored.string.flatMap { Instant.parse($0) }.map { .string(Self.text($0.ms, less: span)) }
        case (.date, .span(let span)):
            guard let day = stored.string.flatMap({ CivilDate.parse($0) }) else { return nil }
            var text: [UInt8] = []
            CivilDate.append(day - Self.days(span), to: &text)
            return .string(String(decoding: text, as: UTF8.self))
        case (.integer, .number(let number)):
            guard let value = Self.integer(stored) else { return nil }
            let (difference, overflow) = value.subtractingReportingOverflow(Int64(number))
            return .number("\(overflow ? Int64.min : difference)")
        default: return nil
        }
    }

    /// The instant in whole seconds, rounded down (RFC 3339, UTC).
    private static func text(_ ms: Int64, less span: Duration) -> String {
        let earlier = ms.subtractingReportingOverflow(span.wholeMilliseconds).partialValue
        let remainder = (earlier % 1000 + 1000) % 1000
        return String(Instant(ms: earlier - remainder).text.dropLast(".000Z".count)) + "Z"
    }

    /// Whole days: at least one, because a day goes on after its first change.
    private static func days(_ span: Duration) -> Int {
        max(1, Int(clamping: (span.wholeMilliseconds + Instant.msPerDay - 1) / Instant.msPerDay))
    }

    /// A whole number, however it is spelled.
    private static func integer(_ value: JSONValue) -> Int64? {
        guard let text = value.number ?? value.string else { return nil }
        if let number = Int64(text) { return number }
        guard let number = Double(text), number.magnitude < 9e15, number == number.rounded() else { return nil }
        return Int64(number)
    }
}
