// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The daemon as a conversation uses it: requests whose errors are printed, the changes of the shown list between two
/// lines of input, and the way back after a loss.
final class PlainDaemon {
    private let console: PlainConsole
    /// The changes of the shown list.
    private var feed = PlainChanges()
    /// The connection of their subscription, whether that has ended or not; another one has none of it.
    private var connection: ClientConnection?
    private var reconnection = Reconnection(.person)

    private var context: CommandContext { console.context }
    private var now: Int64 { context.surroundings.now() }

    init(_ console: PlainConsole) { self.console = console }

    // MARK: - Requests

    /// The result of a request about a list; nil if it has none, and the reason is printed.
    func asking(about list: PlainList, _ body: () throws(CommandError) -> AnswerValue) -> AnswerValue? {
        do throws(CommandError) {
            let answer = try body()
            if reconnection.answered() { console.print(console.messages.daemonBack) }
            return answer
        } catch {
            if case .client(.refused(let refusal)) = error,
                let text = PlainListText.refusal(refusal, of: list.collection, console.time)
            {
                console.print(text)
            } else {
                console.verbs.report(error, filter: list.filter)
            }
            return nil
        }
    }

    /// All that is known of a record; nil if there is none, and the reason is printed.
    func detail(_ id: String, of list: PlainList) -> AnswerValue? {
        asking(about: list) { () throws(CommandError) in
            try console.verbs.call(.detail, detailParameters(id, of: list))
        }
    }

    /// The request for all that is known of a record.
    func detailParameters(_ id: String, of list: PlainList) -> DetailParameters {
        var parameters = DetailParameters()
        parameters.collection = list.collection.name
        parameters.id = RecordID(id)
        parameters.language = context.language
        return parameters
    }

    // MARK: - Changes

    /// The records that a command here changes, which are no news.
    func expect(_ ids: [String]) { feed.expect(ids) }

    /// Follows no list until one is shown, or the shown one as it is now.
    func stopFollowing() { feed.stop() }

    /// Subscribes to the changes of the shown list, unless that was done.
    func follow(_ changes: SubscribeParameters?) {
        if !feed.isFollowing, !reconnection.isAway { subscribe(changes) }
    }

    /// The descriptor that is readable when something has come; nil for none.
    var descriptor: Int32? {
        !reconnection.isAway && connection != nil ? context.openConnection?.descriptor : nil
    }

    /// The time until which nothing has to be done, of the monotonic clock; nil for ever.
    var deadline: UInt64? {
        if reconnection.isAway { return reconnection.retryAt }
        guard let dueAt = feed.news.dueAt else { return nil }
        return SystemClock.monotonic + UInt64(max(0, dueAt - now)) * 1_000_000
    }

    /// Subscribes from the answer of the list on, or from the last change that came. Where that is refused, there is no
    /// news.
    private func subscribe(_ changes: SubscribeParameters?) {
        unsubscribe()
        guard let parameters = feed.begin(changes), let answer = try? context.call(.subscribe, parameters) else {
            return
        }
        feed.subscribed(answer)
        connection = context.openConnection
    }

    private func unsubscribe() {
        defer { connection = nil }
        guard let connection, connection === context.openConnection, let number = feed.subscription else { return }
        var parameters = UnsubscribeParameters()
        parameters.subscription = number
        _ = try? context.call(.unsubscribe, parameters)
    }

    /// Finds a connection that a request has lost, or that another one has replaced: it brings no news any more.
    func checkConnection() {
        if context.openConnection == nil {
            if !reconnection.isAway { _ = lose() }
        } else if connection != nil, connection !== context.openConnection {
            connection = nil
            feed.lost()
        }
    }

    /// Reads what has come, and tries again to reach a daemon that was lost.
    ///
    /// - Returns: the line that is to be printed; nil for none.
    func advance(_ list: PlainList, changes: SubscribeParameters?) -> String? {
        if reconnection.isAway { return reconnect(changes) }
        do throws(ClientError) {
            if let connection = context.openConnection {
                guard try connection.receive() else { throw connection.loss() }
                readNotifications()
            }
        } catch {
            context.dropConnection()
            return lose() ? console.messages.daemonLost(since: console.time.clock(now)) : nil
        }
        return feed.nextLine(at: now, of: list.title, console.messages)
    }

    /// Reads the events that have come with the answers to other requests.
    func readNotifications() {
        guard let connection = context.openConnection else { return }
        while let line = connection.lineAtHand() {
            guard let root = try? connection.document(of: line).root,
                root["method"]?.string == EventNotification.method, let parameters = root["params"]
            else { continue }
            feed.read(FeedEvent(parameters))
        }
    }

    private func reconnect(_ changes: SubscribeParameters?) -> String? {
        reconnection.attempted(at: SystemClock.monotonic)
        do throws(CommandError) {
            _ = try context.call(.ping, PingParameters())
        } catch {
            context.dropConnection()
            _ = lose()
            return nil
        }
        reconnection.answered()
        subscribe(changes)
        return console.messages.daemonBack
    }

    /// Records that the daemon does not answer; true for the first time.
    private func lose() -> Bool {
        connection = nil
        feed.lost()
        return reconnection.lost(at: SystemClock.monotonic)
    }
}
