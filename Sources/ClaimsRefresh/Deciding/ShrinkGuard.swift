// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// Decides whether a body may replace the current generation, or is held because it has lost too many records. Pure.
public struct ShrinkGuard: Sendable, Equatable {
    /// The numbers of records before and after a body.
    public struct Candidate: Sendable, Equatable {
        /// The number of records being served.
        public var before: Int
        public var after: Int
        public var quarantined: Int
        public var bodyHash: String

        public init(before: Int, after: Int, quarantined: Int, bodyHash: String) {
            self.before = before
            self.after = after
            self.quarantined = quarantined
            self.bodyHash = bodyHash
        }
    }

    /// A body that the guard has held before.
    public struct Sighting: Sendable, Equatable {
        public var bodyHash: String
        /// The time at which the body was first seen, in milliseconds since 1970.
        public var since: Int64

        public init(bodyHash: String, since: Int64) {
            self.bodyHash = bodyHash
            self.since = since
        }
    }

    public enum Verdict: Sendable, Equatable {
        case pass
        /// Held since `since`; the same body passes `wait` milliseconds from now.
        case hold(since: Int64, wait: Int64, reason: Message)
    }

    public let settings: GuardSettings

    public init(_ settings: GuardSettings) {
        self.settings = settings
    }

    /// Judges a body that would replace a generation of an upstream; the first one has no guard.
    ///
    /// - Parameters:
    ///   - held: the body that is held now, if any. The same body passes once `confirm` is over.
    ///   - now: milliseconds since 1970.
    public func verdict(_ candidate: Candidate, held: Sighting?, now: Int64) -> Verdict {
        guard let reason = reason(candidate) else { return .pass }
        let confirm = max(0, settings.confirm.wholeMilliseconds)
        guard let held, held.bodyHash == candidate.bodyHash, held.since <= now else {
            return .hold(since: now, wait: confirm, reason: reason)
        }
        let wait = held.since + confirm - now
        return wait <= 0 ? .pass : .hold(since: held.since, wait: wait, reason: reason)
    }

    private func reason(_ candidate: Candidate) -> Message? {
        let all = candidate.after + candidate.quarantined
        if candidate.before > 0 && candidate.after == 0 && candidate.quarantined == 0 {
            return Message(.heldEmpty, "\(candidate.before)")
        }
        if all > 0 && Double(candidate.quarantined) > settings.quarantine * Double(all) {
            return Message(.heldQuarantined, "\(candidate.quarantined)", "\(all)")
        }
        let lost = candidate.before - candidate.after
        let isGone = candidate.before > 0 && candidate.after == 0
        if isGone || lost > 0 && Double(lost) > settings.loss * Double(candidate.before) {
            return Message(.heldShrunk, "\(candidate.after)", "\(candidate.before)")
        }
        return nil
    }
}
