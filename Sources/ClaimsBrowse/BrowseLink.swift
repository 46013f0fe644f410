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
    /// The receiver of an answer.
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
        /// Nothing has come since a time although something waits for it; the connection still stands.
        case silent(since: UInt64)
        /// Something has come again.
        case answering
        case answer(Recipient, Result<AnswerValue, Refusal>)
        case notification(AnswerValue)
    }

    /// The pauses before the next attempt to connect, in nanoseconds.
    static let minPause: UInt64 = 200_000_000
    static let maxPause: UInt64 = 5_000_000_000
    // Times without a byte while something waits for an answer, in nanoseconds.

    /// After it a `ping` is sent, which the daemon answers whatever else it does.
    static let probeTime: UInt64 = 1_000_000_000
    /// After it the silence is told.
    static let tellTime: UInt64 = 3_000_000_000
    /// After it the connection counts as lost.
    static let maxSilence: UInt64 = 15_000_000_000
    /// The maximum number of lines that are taken before keys are looked at again.
    private static let maxLines = 64

    private let connect: () throws(ClientError) -> ClientConnection
    private var connection: ClientConnection?
    private var recipients: [ClientConnection.RequestNumber: Recipient] = [:]
    private var hasUnsent = false
    /// Whether the daemon has answered on this connection.
    private(set) var isStanding = false
    /// The time from which on something waits and no byte has come; nil while nothing waits.
    private var silentSince: UInt64?
    private var isProbed = false
    /// Whether the silence was told.
    private var isToldSilent = false
    private var pause = BrowseLink.minPause
    private var retryAt: UInt64 = 0

    /// - Parameters:
    ///   - connection: one on which the daemon has answered.
    ///   - connect: makes a new one, without a question for a password.
    init(
        _ connection: ClientConnection, connect: @escaping () throws(ClientError) -> ClientConnection
    ) {
        self.connect = connect
        self.connection = connection
        isStanding = true
    }

    /// The descriptor of the socket, and whether there is something to send; nil while there is no connection.
    var watched: (descriptor: Int32, hasUnsent: Bool)? { connection.map { ($0.descriptor, hasUnsent) } }

    /// The time at which ``tend(at:)`` has something to do.
    var nextTime: UInt64 {
        guard connection != nil else { return retryAt }
        guard let silentSince else { return recipients.isEmpty ? .max : 0 }
        let isDecided = !isStanding || isToldSilent
        return silentSince + (isDecided ? Self.maxSilence : isProbed ? Self.tellTime : Self.probeTime)
    }

    /// Begins the silence anew, as after a time in which this process was stopped.
    func restartSilence() { (silentSince, isProbed) = (nil, false) }

    /// Notes that something waits, or that something has come.
    private func noteSilence(at now: UInt64, hasArrived: Bool) {
        if hasArrived { restartSilence() }
        if recipients.isEmpty { silentSince = nil } else { silentSince = silentSince ?? now }
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
        noteSilence(at: now, hasArrived: false)
        guard now >= nextTime else { return [] }
        guard let connection else {
            reconnect(at: now)
            return []
        }
        guard isStanding, let silentSince, now < silentSince + Self.maxSilence else { return lose(at: now) }
        guard isProbed else {
            isProbed = true
            send(.ping, PingParameters(), for: .nobody, on: connection)
            return []
        }
        isToldSilent = true
        return [.silent(since: silentSince)]
    }

    private func reconnect(at now: UInt64) {
        retryAt = now + pause
        pause = min(pause * 2, Self.maxPause)
        guard let new = try? connect() else { return }
        connection = new
        send(.ping, PingParameters(), for: .nobody, on: new)
    }

    private func lose(at now: UInt64) -> [Arrival] {
        // Its end must not keep the keys waiting.
        connection?.giveUp()
        connection = nil
        recipients = [:]
        hasUnsent = false
        restartSilence()
        isToldSilent = false
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
            // Lines that have come are taken first, so that a flood of short ones is not gathered.
            let isOpen = try canRead && !hasLines ? connection.receive() : true
            if canRead, isOpen, isToldSilent {
                isToldSilent = false
                arrivals.append(.answering)
            }
            var count = 0
            while count < Self.maxLines || !isOpen, let line = connection.lineAtHand() {
                count += 1
                try take(try connection.document(of: line).root, &arrivals)
            }
            hasLines = count == Self.maxLines
            noteSilence(at: now, hasArrived: canRead)
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
