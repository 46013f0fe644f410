// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// The pauses between attempts to reach a daemon that has gone away.
package struct Reconnection {
    /// The first pause.
    static let minPause: Duration = .milliseconds(50)
    /// The longest pause.
    static let maxPause: Duration = .seconds(2)
    /// The first pause before another host is tried again: each attempt is a login there.
    static let minHostPause: Duration = .milliseconds(250)
    /// The longest pause before another host is tried again.
    static let maxHostPause: Duration = .seconds(30)

    private let isRemote: Bool
    private var pause: Duration

    /// - Parameter isRemote: whether the daemon is on another host.
    package init(isRemote: Bool = false) {
        self.isRemote = isRemote
        pause = isRemote ? Self.minHostPause : Self.minPause
    }

    /// The pause before the next attempt: twice the last one, up to the longest.
    package mutating func nextPause() -> Duration {
        defer { pause = min(pause * 2, isRemote ? Self.maxHostPause : Self.maxPause) }
        return pause
    }

    /// Notes that the daemon has answered.
    package mutating func succeeded() { pause = isRemote ? Self.minHostPause : Self.minPause }
}

extension CommandError {
    /// Whether the daemon may answer the same later: it is gone, silent or busy.
    var isPassing: Bool {
        switch self {
        case .client(.hostFailed(let failure)): failure.isPassing
        case .client(.unreachable), .client(.closed), .client(.timedOut): true
        case .client(.refused(let refusal)): refusal.kind == ErrorKind.busy.rawValue
        case .client(.malformed), .usage, .output, .failed, .invalid: false
        }
    }
}

extension HostFailure {
    /// Whether the host may be reached later: there was no way to it, or no daemon.
    fileprivate var isPassing: Bool {
        switch cause {
        case .ended: true
        case .notStarted, .noise: false
        }
    }
}
