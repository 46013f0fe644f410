// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
package import ClaimsProtocol

/// A connection to the daemon that never waits, and that is made anew when it is lost.
///
/// The daemon counts as connected when it has answered a first `ping`, and as lost when it is silent although
/// requests wait for answers. Each request has a recipient, which its answer comes back with.
///
/// ```swift
/// let link = FollowedConnection<Int>(connection) { () throws(ClientError) in try connectAgain() }
/// link.ask(.count, parameters, for: 1)
/// // poll(2) on link.watched, until link.nextTime; then
/// for arrival in link.exchange(at: now, canRead: isReadable) + link.tend(at: now) { … }
/// ```
package final class FollowedConnection<Recipient: Hashable> {
    /// Something that has come.
    package enum Arrival {
        case connected
        case lost
        /// Nothing has come since a time although something waits for it; the connection still stands.
        case silent(since: UInt64)
        /// Something has come again.
        case answering
        case answer(Recipient, Result<AnswerValue, Refusal>)
        case notification(AnswerValue)
    }

    // Times without a byte while something waits for an answer, in nanoseconds.

    /// After it a `ping` is sent, which the daemon answers whatever else it does.
    package static var probeTime: UInt64 { 1_000_000_000 }
    /// After it the silence is reported.
    package static var reportTime: UInt64 { 3_000_000_000 }
    /// After it the connection counts as lost.
    package static var maxSilence: UInt64 { 15_000_000_000 }
    /// The maximum number of lines that are read in one exchange.
    private static var maxLines: Int { 64 }

    private let connect: () throws(ClientError) -> ClientConnection
    private var connection: ClientConnection?
    /// The recipients of the requests under way; nil for one whose answer nobody waits for.
    private var recipients: [ClientConnection.RequestNumber: Recipient?] = [:]
    private var hasUnsent = false
    private var reconnection = Reconnection(.person)
    /// Whether the daemon has answered on this connection.
    package var isConnected: Bool { !reconnection.isAway }
    /// The time from which on something waits and no byte has come; nil while nothing waits.
    private var silentSince: UInt64?
    private var isProbed = false
    /// Whether the silence was reported.
    private var isReportedSilent = false

    /// - Parameters:
    ///   - connection: one on which the daemon has answered.
    ///   - connect: makes a new one, without a question for a password.
    package init(
        _ connection: ClientConnection, connect: @escaping () throws(ClientError) -> ClientConnection
    ) {
        self.connect = connect
        self.connection = connection
    }

    /// The descriptor of the socket, and whether there is something to send; nil while there is no connection.
    package var watched: (descriptor: Int32, hasUnsent: Bool)? { connection.map { ($0.descriptor, hasUnsent) } }

    /// The time at which ``tend(at:)`` has something to do.
    package var nextTime: UInt64 {
        guard connection != nil else { return reconnection.retryAt }
        guard let silentSince else { return recipients.isEmpty ? .max : 0 }
        let isDecided = !isConnected || isReportedSilent
        return silentSince + (isDecided ? Self.maxSilence : isProbed ? Self.reportTime : Self.probeTime)
    }

    /// Begins the silence anew, as after a time in which this process was stopped.
    package func restartSilence() { (silentSince, isProbed) = (nil, false) }

    /// Begins or ends a silence: something waits, or something has come.
    private func updateSilence(at now: UInt64, hasArrived: Bool) {
        if hasArrived { restartSilence() }
        if recipients.isEmpty { silentSince = nil } else { silentSince = silentSince ?? now }
    }

    /// Sends a request; without a connection it is dropped, and ``Arrival/lost`` has reported that.
    package func ask(_ method: Method, _ parameters: any MethodParameters, for recipient: Recipient) {
        guard let connection, isConnected else { return }
        send(method, parameters, for: recipient, on: connection)
    }

    private func send(
        _ method: Method, _ parameters: any MethodParameters, for recipient: Recipient?,
        on connection: ClientConnection
    ) {
        recipients[connection.request(method, parameters)] = recipient
        hasUnsent = true
    }

    /// Tells the daemon that an answer is not wanted any more, and drops it if it comes.
    package func cancel(_ recipient: Recipient) {
        guard let number = recipients.first(where: { $0.value == recipient })?.key else { return }
        recipients[number] = .some(nil)
        var parameters = CancelParameters()
        parameters.request = RequestID(json: Array(String(number).utf8))
        if let connection, isConnected { send(.cancel, parameters, for: nil, on: connection) }
    }

    /// Does what is due: connects again, or looks whether a silent daemon is still there.
    package func tend(at now: UInt64) -> [Arrival] {
        updateSilence(at: now, hasArrived: false)
        guard now >= nextTime else { return [] }
        guard let connection else {
            reconnect(at: now)
            return []
        }
        guard isConnected, let silentSince, now < silentSince + Self.maxSilence else { return lose(at: now) }
        guard isProbed else {
            isProbed = true
            send(.ping, PingParameters(), for: nil, on: connection)
            return []
        }
        isReportedSilent = true
        return [.silent(since: silentSince)]
    }

    private func reconnect(at now: UInt64) {
        reconnection.attempted(at: now)
        guard let new = try? connect() else { return }
        connection = new
        send(.ping, PingParameters(), for: nil, on: new)
    }

    private func lose(at now: UInt64) -> [Arrival] {
        // Its end must not keep the keys waiting.
        connection?.giveUp()
        connection = nil
        recipients = [:]
        hasUnsent = false
        restartSilence()
        isReportedSilent = false
        return reconnection.lost(at: now) ? [.lost] : []
    }

    /// Sends what can be sent, reads once, and returns what has come.
    package func exchange(at now: UInt64, canRead: Bool) -> [Arrival] {
        guard let connection else { return [] }
        var arrivals: [Arrival] = []
        do throws(ClientError) {
            if hasUnsent { hasUnsent = try !connection.sendSome() }
            // Lines that have come are read first, so that a flood of short ones is not gathered.
            let isOpen = try canRead && !hasLines ? connection.receive() : true
            if canRead, isOpen, isReportedSilent {
                isReportedSilent = false
                arrivals.append(.answering)
            }
            var count = 0
            while count < Self.maxLines || !isOpen, let line = connection.lineAtHand() {
                count += 1
                try read(try connection.document(of: line).root, &arrivals)
            }
            hasLines = count == Self.maxLines
            updateSilence(at: now, hasArrived: canRead)
            return isOpen ? arrivals : arrivals + lose(at: now)
        } catch {
            return arrivals + lose(at: now)
        }
    }

    /// Whether lines may be at hand that were not read yet.
    package private(set) var hasLines = false

    private func read(_ root: AnswerValue, _ arrivals: inout [Arrival]) throws(ClientError) {
        if root["method"] != nil { return arrivals.append(.notification(root)) }
        // An error without a request ends the connection.
        guard let number = root["id"]?.integer, let recipient = recipients.removeValue(forKey: number) else {
            if root["id"] != nil { return }
            throw .refused(Refusal(root["error"]))
        }
        if reconnection.answered() { arrivals.append(.connected) }
        guard let recipient else { return }
        if let result = root["result"] {
            arrivals.append(.answer(recipient, .success(result)))
        } else {
            arrivals.append(.answer(recipient, .failure(Refusal(root["error"]))))
        }
    }
}
