// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The status that a monitoring plug-in reports. The raw value is its exit code.
enum PluginStatus: Int32, CaseIterable, Sendable {
    case ok, warning, critical, unknown

    /// The word on the plug-in's first line.
    var word: String {
        switch self {
        case .ok: "OK"
        case .warning: "WARNING"
        case .critical: "CRITICAL"
        case .unknown: "UNKNOWN"
        }
    }

    /// How bad it is: a problem that is certain goes before one that may be none, and that before what is not known.
    private var severity: Int {
        switch self {
        case .ok: 0
        case .unknown: 1
        case .warning: 2
        case .critical: 3
        }
    }

    static func isWorse(_ one: PluginStatus, than other: PluginStatus) -> Bool { one.severity > other.severity }

    /// The worst of several, in the order of the exit codes 2, 1, 3, 0; ok for none.
    static func worst(of all: [PluginStatus]) -> PluginStatus {
        all.reduce(.ok) { isWorse($1, than: $0) ? $1 : $0 }
    }
}
