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
        /// The number of records being served whose ids the body does not have.
        public var missing: Int
        public var quarantined: Int
        /// The change of the source's address since the data being served came; nil if it is the same.
        public var move: Move?
        public var bodyHash: String

        public init(
            before: Int, after: Int, missing: Int, quarantined: Int, move: Move? = nil, bodyHash: String
        ) {
            self.before = before
            self.after = after
            self.missing = missing
            self.quarantined = quarantined
            self.move = move
            self.bodyHash = bodyHash
        }
    }

    /// A change of the address of a source, without query and user.
    public struct Move: Sendable, Equatable {
        public var from: String
        public var to: String

        /// nil if the earlier address is unknown, or the same.
        public init?(from: String?, to: String) {
            guard let from, from != to else { return nil }
            self.from = from
            self.to = to
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
        let hasNothing = candidate.before > 0 && candidate.after == 0
        if all > 0 && Double(candidate.quarantined) > settings.quarantine * Double(all) {
            return message(
                candidate, "\(candidate.quarantined)", "\(all)", key: .heldQuarantined,
                afterMove: .heldQuarantinedElsewhere)
        }
        let maxLoss = settings.loss * Double(candidate.before)
        let hasShrunk = candidate.after < candidate.before && Double(candidate.before - candidate.after) > maxLoss
        let hasLostIDs = candidate.missing > 0 && Double(candidate.missing) > maxLoss
        guard hasNothing || hasShrunk || hasLostIDs else { return nil }
        let (missing, before) = ("\(candidate.missing)", "\(candidate.before)")
        if candidate.move != nil || !hasNothing && !hasShrunk {
            return message(candidate, missing, before, key: .heldMissing, afterMove: .heldMissingElsewhere)
        }
        if all == 0 { return Message(.heldEmpty, before) }
        return Message(.heldShrunk, "\(candidate.after)", before)
    }

    /// The reason for that key; after a move the reason with the addresses, too.
    private func message(
        _ candidate: Candidate, _ number: String, _ all: String, key: MessageKey, afterMove: MessageKey
    ) -> Message {
        guard let move = candidate.move else { return Message(key, number, all) }
        return Message(afterMove, number, all, move.from, move.to)
    }
}
