// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import Synchronization

/// The numbers of subscriptions of each user and in all, for their bounds. Safe on any thread.
final class SubscriptionCounts: Sendable {
    private struct State {
        var total = 0
        var perUser: [UInt32: Int] = [:]
        var maxTotal: Int
        var maxPerUser: Int
    }

    private let state: Mutex<State>

    init(_ limits: ServingLimits) {
        state = Mutex(State(maxTotal: limits.subscriptionsAll, maxPerUser: limits.subscriptionsPerUser))
    }

    /// The number of subscriptions in all.
    var total: Int { state.withLock { $0.total } }

    /// Changes the bounds; subscriptions beyond them stay.
    func setBounds(_ limits: ServingLimits) {
        state.withLock { state in
            state.maxTotal = limits.subscriptionsAll
            state.maxPerUser = limits.subscriptionsPerUser
        }
    }

    /// Counts a new subscription of a user.
    ///
    /// - Throws: `busy` if a bound is reached.
    func add(for uid: UInt32) throws(RequestError) {
        let refusal = state.withLock { state -> RequestError? in
            let own = state.perUser[uid, default: 0]
            if own >= state.maxPerUser { return .tooManySubscriptions(of: .user, max: state.maxPerUser) }
            if state.total >= state.maxTotal { return .tooManySubscriptions(of: .everybody, max: state.maxTotal) }
            state.perUser[uid] = own + 1
            state.total += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Subtracts `count` subscriptions of a user.
    func remove(_ count: Int, of uid: UInt32) {
        state.withLock { state in
            let left = state.perUser[uid, default: count] - count
            state.perUser[uid] = left > 0 ? left : nil
            state.total -= count
        }
    }
}

extension RequestError {
    /// The owner of subscriptions that a bound counts.
    enum SubscriptionOwner {
        case connection, user, everybody
    }

    /// The error if a bound on subscriptions is reached.
    static func tooManySubscriptions(of owner: SubscriptionOwner, max: Int) -> RequestError {
        let (text, hint, setting) =
            switch owner {
            case .connection:
                (
                    TranslatedText(
                        en: "this connection has \(max) subscriptions already",
                        pl: "to połączenie ma już tyle subskrypcji: \(max)"),
                    TranslatedText(
                        en: "end one with unsubscribe, or use another connection",
                        pl: "zakończ jedną metodą unsubscribe albo użyj innego połączenia"),
                    "limits.subscriptions"
                )
            case .user:
                (
                    TranslatedText(
                        en: "your user has \(max) subscriptions already",
                        pl: "Twój użytkownik ma już tyle subskrypcji: \(max)"),
                    TranslatedText(
                        en: "end one with unsubscribe, or close connections that are no longer needed",
                        pl: "zakończ jedną metodą unsubscribe albo zamknij niepotrzebne połączenia"),
                    "limits.subscriptions_per_user"
                )
            case .everybody:
                (
                    TranslatedText(
                        en: "there are \(max) subscriptions already", pl: "jest już tyle subskrypcji: \(max)"),
                    TranslatedText(en: "try again later", pl: "spróbuj ponownie później"),
                    "limits.subscriptions_all"
                )
            }
        return RequestError(
            .busy, text, hint: hint,
            details: [RequestError.detail("retry_after_ms", 1_000), RequestError.detail("setting", setting)])
    }
}
