// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// The pauses between attempts to reach a daemon that has gone away.
struct Reconnection {
    /// The first pause.
    static let minPause: Duration = .milliseconds(50)
    /// The longest pause.
    static let maxPause: Duration = .seconds(2)

    private var pause = minPause

    /// The pause before the next attempt: twice the last one, up to ``maxPause``.
    mutating func nextPause() -> Duration {
        defer { pause = min(pause * 2, Self.maxPause) }
        return pause
    }

    /// Notes that the daemon has answered.
    mutating func succeeded() { pause = Self.minPause }
}

extension CommandError {
    /// Whether the daemon may answer the same later: it is gone, silent or busy.
    var isPassing: Bool {
        switch self {
        case .client(.unreachable), .client(.closed), .client(.timedOut): true
        case .client(.refused(let refusal)): refusal.kind == ErrorKind.busy.rawValue
        case .client(.malformed), .usage, .output, .failed: false
        }
    }
}
