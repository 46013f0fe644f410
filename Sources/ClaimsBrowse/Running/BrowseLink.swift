// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol

/// The connection to the daemon, which never waits, and which is made anew when it is lost.
///
/// A connection counts as standing when the daemon has answered a first `ping`, and as lost when it is silent although
/// requests wait for answers.
final class BrowseLink {
    /// The one that an answer is for.
    enum Recipient: Hashable {
        case model(BrowseRequest.Tag)
        case file(TransferNumber)
        /// Nobody: a `ping`, a `cancel`, or a request that was cancelled.
        case nobody
    }

    /// Something that has come.
    enum Arrival {
        case connected
        case lost
        case answer(Recipient, Result<AnswerValue, Refusal>)
        case notification(AnswerValue)
    }

    /// The pauses before the next attempt to connect, in nanoseconds.
    static let minPause: UInt64 = 200_000_000
    static let maxPause: UInt64 = 5_000_000_000
    /// The time without a byte after which the daemon is asked whether it is there, in nanoseconds.
    static let probeTime: UInt64 = 5_000_000_000
    /// The time without a byte after which it counts as lost, while something waits for an answer.
    static let maxSilence: UInt64 = 15_000_000_000
    /// The maximum number of lines that are taken before keys are looked at again.
    private static let maxLines = 64

    private let connect: () throws(ClientError) -> ClientConnection
    private var connection: ClientConnection?
    private var recipients: [ClientConnection.RequestNumber: Recipient] = [:]
    private var hasUnsent = false
    /// Whether the daemon has answered on this connection.
    private(set) var isStanding = false
    private var lastArrival: UInt64 = 0
    private var isProbed = false
    private var pause = BrowseLink.minPause
    private var retryAt: UInt64 = 0

    /// - Parameters:
    ///   - connection: one on which the daemon has answered.
    ///   - connect: makes a new one, and asks nobody for a password.
    init(
        _ connection: ClientConnection, at now: UInt64, connect: @escaping () throws(ClientError) -> ClientConnection
    ) {
        self.connect = connect
        self.connection = connection
        isStanding = true
        lastArrival = now
    }

    /// The descriptor of the socket, and whether there is something to send; nil while there is no connection.
    var watched: (descriptor: Int32, hasUnsent: Bool)? { connection.map { ($0.descriptor, hasUnsent) } }

    /// The time at which ``tend(at:)`` has something to do.
    var nextTime: UInt64 {
        guard connection != nil else { return retryAt }
        if recipients.isEmpty { return .max }
        return lastArrival + (isProbed || !isStanding ? Self.maxSilence : Self.probeTime)
    }

    /// Sends a request; without a connection it is dropped, and ``Arrival/lost`` has told so.
    func ask(_ method: Method, _ parameters: any MethodParameters, for recipient: Recipient) {
        guard let connection, isStanding else { return }
        send(method, parameters, for: recipient, on: connection)
    }

    private func send(
        _ method: Method, _ parameters: any MethodParameters, for recipient: Recipient,
        on connection: ClientConnection
    ) {
        recipients[connection.request(method, parameters)] = recipient
        hasUnsent = true
    }

    /// Tells the daemon that an answer is not wanted any more, and drops it if it comes.
    func cancel(_ recipient: Recipient) {
        guard let number = recipients.first(where: { $0.value == recipient })?.key else { return }
        recipients[number] = .nobody
        var parameters = CancelParameters()
        parameters.request = RequestID(json: Array(String(number).utf8))
        ask(.cancel, parameters, for: .nobody)
    }

    /// Does what is due: connects again, or looks whether a silent daemon is still there.
    func tend(at now: UInt64) -> [Arrival] {
        guard now >= nextTime else { return [] }
        guard let connection else {
            reconnect(at: now)
            return []
        }
        if isStanding, !isProbed, now < lastArrival + Self.maxSilence {
            isProbed = true
            send(.ping, PingParameters(), for: .nobody, on: connection)
            return []
        }
        return lose(at: now)
    }

    private func reconnect(at now: UInt64) {
        retryAt = now + pause
        pause = min(pause * 2, Self.maxPause)
        guard let new = try? connect() else { return }
        connection = new
        lastArrival = now
        send(.ping, PingParameters(), for: .nobody, on: new)
    }

    private func lose(at now: UInt64) -> [Arrival] {
        // Its end must not keep the keys waiting.
        connection?.giveUp()
        connection = nil
        recipients = [:]
        hasUnsent = false
        isProbed = false
        retryAt = now + pause
        defer { isStanding = false }
        return isStanding ? [.lost] : []
    }

    /// Sends what can be sent, reads once, and returns what has come.
    func exchange(at now: UInt64, canRead: Bool) -> [Arrival] {
        guard let connection else { return [] }
        var arrivals: [Arrival] = []
        do throws(ClientError) {
            if hasUnsent { hasUnsent = try !connection.sendSome() }
            let isOpen = try canRead ? connection.receive() : true
            if canRead { (lastArrival, isProbed) = (now, false) }
            var count = 0
            while count < Self.maxLines || !isOpen, let line = connection.lineAtHand() {
                count += 1
                try take(try connection.document(of: line).root, &arrivals)
            }
            hasLines = count == Self.maxLines
            return isOpen ? arrivals : arrivals + lose(at: now)
        } catch {
            return arrivals + lose(at: now)
        }
    }

    /// Whether lines that were read may not have been taken yet.
    private(set) var hasLines = false

    private func take(_ root: AnswerValue, _ arrivals: inout [Arrival]) throws(ClientError) {
        if root["method"] != nil { return arrivals.append(.notification(root)) }
        // An error without a request ends the connection.
        guard let number = root["id"]?.integer, let recipient = recipients.removeValue(forKey: number) else {
            if root["id"] != nil { return }
            throw .refused(Refusal(root["error"]))
        }
        if !isStanding {
            isStanding = true
            pause = Self.minPause
            arrivals.append(.connected)
        }
        if recipient == .nobody { return }
        if let result = root["result"] {
            arrivals.append(.answer(recipient, .success(result)))
        } else {
            arrivals.append(.answer(recipient, .failure(Refusal(root["error"]))))
        }
    }
}
