// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How much a log line matters, as syslog(3) numbers it.
public enum LogPriority: Int, Comparable, Sendable {
    case emergency, alert, critical, error, warning, notice, info, debug

    /// What a reader of the plain form sees; nothing for what is as usual.
    var label: String? {
        switch self {
        case .emergency, .alert, .critical: "CRITICAL"
        case .error: "ERROR"
        case .warning: "WARNING"
        case .notice, .info: nil
        case .debug: "DEBUG"
        }
    }

    /// The more urgent one is the smaller.
    public static func < (a: LogPriority, b: LogPriority) -> Bool { a.rawValue < b.rawValue }
}
