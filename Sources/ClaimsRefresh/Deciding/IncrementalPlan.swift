// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// Decides what to request from a source that supports requests for changes: all its records, or the changes since its
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
        /// The changes since a position, with the value to send.
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
    /// nil if a token names the position.
    private let field: PositionField?
    private let namesDeletions: Bool
    /// The time between two requests for all records, in milliseconds.
    let period: Int64

    /// nil for a source that does not support requests for changes.
    ///
    /// - Parameter share: from 0 to below 1, the same for one machine and source; it spreads the requests of many
    ///   machines.
    init?(_ definition: Definition, share: Double) {
        guard let rules = definition.source.since else { return nil }
        self.rules = rules
        namesDeletions = definition.source.deleted != nil
        if case .field(let index, let overlap) = rules.position {
            field = PositionField(type: definition.fields[index].type, overlap: overlap)
        } else {
            field = nil
        }
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

    /// The value to send for the known position; nil if there is no position of this request.
    func position(of known: SourceRow, key: UInt64) -> JSONValue? {
        guard let position = known.position, position.key == key else { return nil }
        return value(at: position.value)
    }

    /// Whether all records are to be asked for, because of the time.
    private func isFullDue(_ full: SourceRow.FullRequests, _ now: Int64) -> Bool {
        if full.failures > 0, let retryAt = full.retryAt {
            // A clock that was set back makes no wait longer than it can be.
            return retryAt <= now || retryAt - now > max(RefreshSchedule.maxBackoff, RefreshSchedule.maxDemand)
        }
        if full.isOwed, mayRecall(full, now) { return true }
        guard let asOf = full.asOf, asOf - now <= RefreshSchedule.minStep else { return true }
        return now - asOf >= period
    }

    // MARK: - Positions

    /// The time between two requests for all records that are made because a position is ahead, in milliseconds.
    static let recallPause: Int64 = 3_600_000

    /// Whether all records are to be requested at once after an answer with what has changed: the position is ahead of
    /// the upstream's clock, so changes were not requested. The clock had been ahead, or servers with the same name
    /// differ.
    func recallsAll(_ known: SourceRow, at clock: UpstreamClock, now: Int64) -> Bool {
        // After a failure the next request for all records has a time already.
        isAhead(known, at: clock) && known.full.failures == 0 && mayRecall(known.full, now)
    }

    /// Whether all records are to be requested later, because the position is ahead and the hour is not over. A
    /// position that is set back does not bring the changes since the upstream's clock was ahead.
    func owesAll(_ known: SourceRow, at clock: UpstreamClock, now: Int64) -> Bool {
        isAhead(known, at: clock) && !recallsAll(known, at: clock, now: now)
    }

    private func isAhead(_ known: SourceRow, at clock: UpstreamClock) -> Bool {
        guard let field, clock.isKnown, let position = known.position,
            let latest = field.position(at: clock.time + IncrementalRules.maxLead.wholeMilliseconds),
            let (order, limit) = orders(position.value, latest)
        else { return false }
        return order > limit
    }

    /// Whether the hour after the last request for all records out of turn is over.
    private func mayRecall(_ full: SourceRow.FullRequests, _ now: Int64) -> Bool {
        guard let retryAt = full.retryAt else { return true }
        // A clock that was set back makes no wait longer than it can be.
        return retryAt <= now || retryAt - now > Self.recallPause
    }

    /// Returns the position after a good answer; nil if nothing shows the state of the data.
    ///
    /// A field's position is never later than the upstream's clock at the beginning of the walk, so that changes during
    /// a walk are requested again.
    ///
    /// - Parameters:
    ///   - found: the largest value of the field, or the token, that the answer has; nil if it has none.
    ///   - known: the position before, for an answer with what has changed.
    ///   - key: the key of the request for all records.
    func position(
        after found: String?, known: SourceRow.Position?, key: UInt64, clock: UpstreamClock
    ) -> SourceRow.Position? {
        let before = known?.key == key ? known?.value : nil
        var value = found ?? before
        if let field {
            if let found, let before, let (new, old) = orders(found, before), old > new { value = before }
            if let reached = value, let bound = field.position(at: clock.bound),
                let (order, limit) = orders(reached, bound), order > limit
            {
                value = bound
            }
        }
        return value.map { SourceRow.Position(key: key, value: $0) }
    }

    /// The numbers that order two positions of the field; nil if one of the positions is invalid.
    private func orders(_ one: String, _ two: String) -> (Int64, Int64)? {
        guard let one = field?.order(of: one), let two = field?.order(of: two) else { return nil }
        return (one, two)
    }

    /// The value to send for a position; nil if it cannot be one.
    private func value(at position: String) -> JSONValue? {
        if let field { field.value(at: position) } else { try? JSONValue.parse(position) }
    }
}

/// The field whose largest value names the state of an upstream's data: the order of its values, and the value to send.
/// Pure.
///
///     let field = PositionField(type: .instant, overlap: .span(.seconds(300)))
///     field.value(at: #""2026-11-20T08:01:02.999Z""#)  // "2026-11-20T07:56:02Z"
struct PositionField {
    let type: FieldType
    let overlap: IncrementalRules.Overlap

    /// A number that orders positions; nil for an invalid position.
    func order(of position: String) -> Int64? {
        guard let stored = try? JSONValue.parse(position) else { return nil }
        return switch type {
        case .instant: stored.string.flatMap { Instant.parse($0) }?.ms
        case .date: stored.string.flatMap { CivilDate.parse($0) }.map { Int64($0) }
        default: Self.integer(stored)
        }
    }

    /// The position of a moment, in milliseconds since 1970; nil for integers, which are no times.
    func position(at moment: Int64) -> String? {
        let moment = min(max(moment, Instant.range.lowerBound), Instant.range.upperBound)
        switch type {
        case .instant: return "\"\(Instant(ms: moment).text)\""
        case .date:
            let remainder = (moment % Instant.msPerDay + Instant.msPerDay) % Instant.msPerDay
            return "\"\(Self.date(Int((moment - remainder) / Instant.msPerDay)))\""
        default: return nil
        }
    }

    /// The value to send for a position: less the overlap; nil if it cannot be one.
    func value(at position: String) -> JSONValue? {
        guard let stored = try? JSONValue.parse(position) else { return nil }
        switch (type, overlap) {
        case (.instant, .span(let span)):
            return stored.string.flatMap { Instant.parse($0) }.map { .string(Self.text($0.ms, less: span)) }
        case (.date, .span(let span)):
            return stored.string.flatMap { CivilDate.parse($0) }.map { .string(Self.date($0 - Self.days(span))) }
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

    private static func date(_ day: Int) -> String {
        var text: [UInt8] = []
        CivilDate.append(day, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Whole days: at least one, because a day continues after its first change.
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
