// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsProtocol

/// Finds out why an answer does not come, while a command waits for it.
///
/// After a while it sends a `ping` on the same connection: a daemon that answers that is well, and only the request
/// takes long.
struct SilenceWatch {
    private let connection: ClientConnection
    private let limit: UInt64
    private let isLong: Bool
    private let start = SystemClock.monotonic
    private var ping: (number: ClientConnection.RequestNumber, sentAt: UInt64)?
    private var isDone = false

    /// The time that an answer to a ping may take, in nanoseconds.
    private static let maxPingTime: UInt64 = 500_000_000

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - limit: the time without an answer after which the reason is looked for.
    ///   - isLong: whether the answer may take long while the daemon is well. Nothing is said of it then.
    init(_ connection: ClientConnection, limit: Duration, isLong: Bool) {
        self.connection = connection
        self.limit = limit.wholeNanoseconds
        self.isLong = isLong
    }

    /// Looks whether it is time to say something; called again and again while nothing arrives.
    ///
    /// - Returns: the reason for the silence, once; nil before and after.
    mutating func inspect(_ messages: Messages) -> String? {
        let now = SystemClock.monotonic
        guard !isDone, now - start >= limit else { return nil }
        guard let ping else {
            let number = connection.request(.ping, PingParameters())
            // A connection that breaks is found by the answer that is waited for.
            _ = try? connection.sendSome()
            self.ping = (number, now)
            return nil
        }
        let isWell = connection.hasAnswer(to: ping.number)
        guard isWell || now - ping.sentAt >= Self.maxPingTime else { return nil }
        isDone = true
        if isWell { return isLong ? nil : messages.requestTakesLong }
        switch connection.address {
        case .socket(let path): return ListeningProcess(connection.descriptor).reason(path, messages)
        case .host(let host): return messages.nothingYet(from: host.text)
        }
    }
}

/// The process that listens at a socket.
struct ListeningProcess {
    private let pid: Int32?

    /// The listener of a connected socket.
    init(_ descriptor: Int32) {
        let peer = try? PeerCredentials(of: descriptor, withGroups: false)
        pid = peer.flatMap { $0.pid > 0 ? $0.pid : nil }
    }

    /// The likely reason why nothing is answered at the socket.
    func reason(_ path: String, _ messages: Messages) -> String {
        guard let pid, let state = ProcessState(pid) else {
            return messages.silentListener(at: path)
        }
        if state.isManager {
            return messages.systemdListens(at: path)
        }
        if state.isStopped {
            return messages.processStopped(pid, at: path)
        }
        return messages.processSilent(pid, at: path)
    }
}
