// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The subscription to the list, and the state of the connection between two lines of input.
struct PlainLink {
    /// The number of the subscription on the connection; nil for none.
    var subscription: Int64?
    /// The connection of the subscription; another one has none of it.
    var connection: ClientConnection?
    /// Whether a subscription to the list was asked for since it was shown.
    var isFollowing = false
    /// The time since which the daemon does not answer, in milliseconds since 1970; nil while it does.
    var lostAt: Int64?
    /// The time of the next attempt to reach it, of the monotonic clock.
    var nextTry: UInt64 = 0
    private var pace = ReconnectionPace(.person)

    /// The descriptor that tells of news; nil for none.
    func descriptor(_ context: CommandContext) -> Int32? {
        lostAt == nil && subscription != nil ? context.openConnection?.descriptor : nil
    }

    /// The time until which nothing has to be done, of the monotonic clock; nil for ever.
    func deadline(_ news: PlainNews, now: Int64) -> UInt64? {
        if lostAt != nil { return nextTry }
        guard let dueAt = news.dueAt else { return nil }
        return SystemClock.monotonic + UInt64(max(0, dueAt - now)) * 1_000_000
    }

    /// Notes that the daemon does not answer; true for the first time.
    mutating func lose(at now: Int64) -> Bool {
        (subscription, connection) = (nil, nil)
        isFollowing = false
        let isFirst = lostAt == nil
        if isFirst {
            lostAt = now
            pace.succeeded()
        }
        nextTry = SystemClock.monotonic(after: pace.next())
        return isFirst
    }

    /// Notes that the daemon answers; true if it did not before.
    mutating func find() -> Bool {
        defer { lostAt = nil }
        return lostAt != nil
    }
}

// News of the list, between two lines of input.

extension PlainBrowser {
    /// Subscribes to the changes of the list from its answer on. Where that is refused, there is no news.
    func subscribe() {
        unsubscribe()
        link.isFollowing = true
        news.clear()
        guard outbox == nil, let parameters = list.feed(zone: context.zoneParameter),
            let answer = try? context.call(.subscribe, parameters)
        else { return }
        link.subscription = answer[SubscribeResult.subscription]
        link.connection = context.openConnection
    }

    private func unsubscribe() {
        let isOpen = link.connection === context.openConnection
        guard let number = link.subscription else { return }
        (link.subscription, link.connection) = (nil, nil)
        guard isOpen else { return }
        var parameters = UnsubscribeParameters()
        parameters.subscription = number
        _ = try? context.call(.unsubscribe, parameters)
    }

    /// Notes a connection that a request has lost, or that another one has replaced: it brings no news any more.
    func noteConnection() {
        if context.openConnection == nil {
            if link.lostAt == nil { _ = link.lose(at: context.surroundings.now()) }
        } else if link.subscription != nil, link.connection !== context.openConnection {
            (link.subscription, link.connection) = (nil, nil)
            link.isFollowing = false
        }
    }

    /// Takes what has come, and tries again to reach a daemon that was lost; returns the line that is to be told.
    func follow() -> String? {
        if link.lostAt != nil { return reconnect() }
        do throws(ClientError) {
            if let connection = context.openConnection {
                guard try connection.receive() else { throw connection.loss() }
                takeNotifications()
            }
        } catch {
            context.dropConnection()
            let now = context.surroundings.now()
            return link.lose(at: now) ? messages.daemonLost(since: time.clock(now)) : nil
        }
        let now = context.surroundings.now()
        guard let dueAt = news.dueAt, dueAt <= now else { return nil }
        return news.takeLine(at: now, of: list.title, messages)
    }

    /// Takes the events that have come with the answers to other requests.
    func takeNotifications() {
        guard let connection = context.openConnection else { return }
        while let line = connection.lineAtHand() {
            if let document = try? connection.document(of: line) { take(document.root) }
        }
    }

    func take(_ notification: AnswerValue) {
        guard notification["method"]?.string == EventNotification.method, let event = notification["params"],
            event[EventNotification.subscription] == link.subscription
        else { return }
        news.take(event)
    }

    private func reconnect() -> String? {
        do throws(CommandError) {
            _ = try context.call(.ping, PingParameters())
        } catch {
            context.dropConnection()
            _ = link.lose(at: context.surroundings.now())
            return nil
        }
        _ = link.find()
        subscribe()
        return messages.daemonBack
    }
}
