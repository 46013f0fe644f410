// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A person's decision about an operation that is on its way to an upstream.
///
/// ``DecisionFacts`` says which decisions an operation allows.
public enum OperationDecision: Sendable, CaseIterable {
    /// To send it at once, as it is.
    case retry
    /// Not to send it until further notice.
    case hold
    /// To give it up.
    case drop
    /// To send it with other values.
    case correct
    /// To send it over what is served now, after a conflict.
    case resolveMine
    /// To consider it done: the upstream has it.
    case resolveDone
    /// To send it once more, although it may have been done.
    case resolveAgain
}

/// The facts about an operation that say which decisions it allows: the one table of states and decisions. Pure.
///
///     DecisionFacts(operation).allows(.retry)
///     DecisionFacts(.conflict, wasSent: true).allowed  // resolveMine, drop
///
/// A client sees fewer facts than the daemon. What it does not see counts as absent, so that it may offer a decision that
/// the daemon refuses.
public struct DecisionFacts: Sendable, Equatable {
    public var state: OperationState
    /// The reason why it is held.
    public var reason: OperationReason?
    /// Whether a request of it was ever sent.
    public var wasSent: Bool
    /// Whether it was ever uncertain: then the upstream may have done it, whatever it answered later.
    public var wasUncertain: Bool
    /// Whether an administrator decides.
    public var isAdmin: Bool

    public init(
        _ state: OperationState, reason: OperationReason? = nil, wasSent: Bool, wasUncertain: Bool = false,
        isAdmin: Bool = true
    ) {
        self.state = state
        self.reason = reason
        self.wasSent = wasSent
        self.wasUncertain = wasUncertain
        self.isAdmin = isAdmin
    }

    public init(_ operation: Operation, isAdmin: Bool = true) {
        self.init(
            operation.state, reason: operation.reason, wasSent: operation.delivery.attempts > 0,
            wasUncertain: operation.delivery.wasUncertain, isAdmin: isAdmin)
    }

    /// The decisions that the operation allows, with the values that they need.
    public var allowed: Set<OperationDecision> {
        switch state {
        case .queued: sendable.union([.hold, .drop])
        case .sending, .accepted: []
        case .held:
            switch reason {
            case .damaged: [.drop]
            case .guard where !isAdmin: [.drop]
            case .forbidden where wasUncertain: Self.doubtful
            default: sendable.union([.drop])
            }
        case .uncertain: Self.doubtful
        case .conflict: wasUncertain ? [.resolveMine, .resolveDone, .drop] : [.resolveMine, .drop]
        case .rejected: wasUncertain ? Self.doubtful : [.retry, .correct, .drop]
        case .unconfirmed: wasUncertain ? Self.doubtful : sendable.union([.resolveDone, .drop])
        case .confirmed, .done, .dropped: []
        }
    }

    public func allows(_ decision: OperationDecision) -> Bool { allowed.contains(decision) }

    /// The decisions that go on with an operation that may have been done, where it is not retried for that reason; empty
    /// for any other.
    public var resolutions: [OperationDecision] {
        let allowed = allowed
        guard allowed.contains(.resolveDone), !allowed.contains(.retry) else { return [] }
        return [.resolveMine, .resolveDone, .resolveAgain].filter { allowed.contains($0) }
    }

    /// The decisions about an operation that is sent again at a person's word. Other values are for one of which the
    /// upstream has seen nothing.
    private var sendable: Set<OperationDecision> { wasSent ? [.retry] : [.retry, .correct] }

    /// The decisions about an operation that may have been done.
    private static let doubtful: Set<OperationDecision> = [.resolveDone, .resolveAgain, .drop]
}
