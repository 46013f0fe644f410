// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension CommandContext {
    /// Runs something that needs a connection, again with a new one each time one is lost.
    ///
    /// A daemon that is away at the start is an error; one that goes away later is waited for.
    ///
    /// - Parameters:
    ///   - deadline: the time of the monotonic clock after which it gives up; nil for none.
    ///   - first: the time of that clock until which the daemon has to answer for the first time; nil for `deadline`.
    ///   - lost: called when a connection is lost and when an attempt has failed, before the next attempt, with whether
    ///     the daemon was there before.
    ///   - body: works with a connection, and calls its second argument once the daemon has answered as it should; that
    ///     returns whether the daemon was away before.
    /// - Throws: the error of `body` that no new connection mends; `ClientError.timedOut` after the deadline.
    func following<Result>(
        until deadline: UInt64? = nil, firstAnswerBy first: UInt64? = nil, lost: (_ isNew: Bool) -> Void,
        _ body: (FeedConnection, _ answered: () -> Bool) throws(CommandError) -> Result
    ) throws(CommandError) -> Result {
        var reconnection = Reconnection(invocation.host == nil ? .daemon : .host)
        var hasAnswered = false
        while true {
            let end = hasAnswered ? deadline : first ?? deadline
            do throws(CommandError) {
                let connection = try open(before: end, isAgain: hasAnswered)
                connection.end = end
                return try body(connection) {
                    hasAnswered = true
                    connection.end = deadline
                    return reconnection.answered()
                }
            } catch {
                if let end, SystemClock.monotonic >= end { timedOut() }
                guard hasAnswered, error.isPassing else { throw error }
                lost(reconnection.lost(at: SystemClock.monotonic))
            }
            let next = min(reconnection.retryAt, deadline ?? .max)
            _ = try FeedConnection.wait(for: nil, reader: reader, before: next)
            if let deadline, SystemClock.monotonic >= deadline { throw .client(.timedOut(.zero)) }
            reconnection.attempted(at: SystemClock.monotonic)
        }
    }

    private func open(before deadline: UInt64?, isAgain: Bool) throws(CommandError) -> FeedConnection {
        do throws(ClientError) {
            let remaining = deadline.map { Duration.nanoseconds($0 - min($0, SystemClock.monotonic)) }
            let limit = min(remaining ?? FeedConnection.maxAnswerTime, FeedConnection.maxAnswerTime)
            return FeedConnection(try newConnection(timeout: limit, isAgain: isAgain), reader: reader)
        } catch {
            throw .client(error)
        }
    }

    /// The time of the monotonic clock at which `--timeout` ends; nil without one.
    var writtenDeadline: UInt64? {
        guard let span = invocation.timeout?.duration, span < TimeSpan.infinity else { return nil }
        return SystemClock.monotonic(after: span)
    }

    /// The descriptor whose reader is watched: that of standard output.
    private var reader: Int32? { console.output.watchedDescriptor }

    /// The feed of the command line: the records that its terms, filter and view select.
    ///
    /// Records the filter, so that an error can point into it.
    func feedParameters() -> FeedParameters {
        let selection = selection(filteredBy: invocation.terms)
        var feed = FeedParameters()
        feed.filter = selection.filter
        feed.view = selection.view
        feed.archived = selection.archived
        feed.timeZone = selection.timeZone
        if !invocation.fields.isEmpty { feed.fields = NameList(invocation.fields) }
        return feed
    }
}
