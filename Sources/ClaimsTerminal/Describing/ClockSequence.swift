// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The sequence of a clock, `EPOCH.SEQ` or `EPOCH.SEQ-MORE`: the number of the last change that it knows.
public enum ClockSequence {
    /// The sequence; nil for a text that is no clock.
    public static func of(_ clock: String) -> Int64? {
        guard let dot = clock.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        return Int64(clock[clock.index(after: dot)...].prefix { $0 != "-" })
    }
}
