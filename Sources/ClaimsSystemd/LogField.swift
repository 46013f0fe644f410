// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One structured field of a log entry: upper-case name, value for machines. Never record text, never a credential.
package struct LogField: Equatable, Sendable {
    package let name: String
    package let value: String

    /// A field of ours: `name` without the prefix `CLAIMSD_` (upper case, digits and `_`).
    package init(_ name: String, _ value: String) {
        self.name = "CLAIMSD_\(name)"
        self.value = value
    }

    package static func collection(_ name: String) -> LogField { LogField("COLLECTION", name) }
    /// Where data comes from: upstream, cache or bundle; or a URL without user, password and query.
    package static func source(_ source: String) -> LogField { LogField("SOURCE", source) }
    package static func generation(_ number: UInt64) -> LogField { LogField("GENERATION", "\(number)") }
    package static func httpStatus(_ status: Int) -> LogField { LogField("HTTP_STATUS", "\(status)") }
    package static func records(_ count: Int) -> LogField { LogField("RECORDS", "\(count)") }
    package static func quarantined(_ count: Int) -> LogField { LogField("QUARANTINED", "\(count)") }
    /// The kind of a failure, as the protocol names it.
    package static func failure(_ kind: String) -> LogField { LogField("FAILURE", kind) }
    /// The words of a failure.
    package static func reason(_ text: String) -> LogField { LogField("REASON", text) }
    static let reasonName = "CLAIMSD_REASON"
    package static func peerUID(_ uid: UInt32) -> LogField { LogField("PEER_UID", "\(uid)") }
    package static func peerPID(_ pid: Int32) -> LogField { LogField("PEER_PID", "\(pid)") }
    package static func path(_ path: String) -> LogField { LogField("PATH", path) }
    package static func milliseconds(_ count: Int64) -> LogField { LogField("DURATION_MS", "\(count)") }
    package static func version(_ version: String) -> LogField { LogField("VERSION", version) }
}
