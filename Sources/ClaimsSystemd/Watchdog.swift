// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// The manager's watchdog over this process (sd_watchdog_enabled(3)).
public enum Watchdog {
    /// How long the manager waits for `ServiceManager.alive` before it kills; nil where it does not.
    public static var interval: Duration? {
        var microseconds: UInt64 = 0
        guard unsafe systemd_watchdog_enabled(&microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }
}
