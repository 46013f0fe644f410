// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One structured field of a log entry: upper-case name, value for machines. Never record text, never a credential.
public struct LogField: Equatable, Sendable {
    public let name: String
    public let value: String

    /// A field of ours: `name` without the prefix `CLAIMSD_` (upper case, digits and `_`).
    public init(_ name: String, _ value: String) {
        self.name = "CLAIMSD_\(name)"
        self.value = value
    }

    public static func collection(_ name: String) -> LogField { LogField("COLLECTION", name) }
    /// Where data comes from: upstream, cache or bundle; or a URL without user, password and query.
    public static func source(_ source: String) -> LogField { LogField("SOURCE", source) }
    public static func generation(_ number: UInt64) -> LogField { LogField("GENERATION", "\(number)") }
    public static func httpStatus(_ status: Int) -> LogField { LogField("HTTP_STATUS", "\(status)") }
    public static func records(_ count: Int) -> LogField { LogField("RECORDS", "\(count)") }
    public static func quarantined(_ count: Int) -> LogField { LogField("QUARANTINED", "\(count)") }
    /// The kind of a failure, as the protocol names it.
    public static func failure(_ kind: String) -> LogField { LogField("FAILURE", kind) }
    /// The words of a failure.
    public static func reason(_ text: String) -> LogField { LogField("REASON", text) }
    static let reasonName = "CLAIMSD_REASON"
    public static func peerUID(_ uid: UInt32) -> LogField { LogField("PEER_UID", "\(uid)") }
    public static func peerPID(_ pid: Int32) -> LogField { LogField("PEER_PID", "\(pid)") }
    public static func path(_ path: String) -> LogField { LogField("PATH", path) }
    public static func milliseconds(_ count: Int64) -> LogField { LogField("DURATION_MS", "\(count)") }
    public static func version(_ version: String) -> LogField { LogField("VERSION", version) }
}
