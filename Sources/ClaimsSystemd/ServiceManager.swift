// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
import ClaimsPlatform

/// The messages of a service to the service manager that started it (sd_notify(3)).
///
/// Every message returns whether it was sent. Without a service manager it does nothing and returns false. No failure
/// needs an action of the caller.
///
/// ```swift
/// ServiceManager.ready(status: "3 collections")
/// ```
public enum ServiceManager {
    /// Informs the manager that the service answers requests. `status` is one sentence for people.
    @discardableResult
    public static func ready(status: String) -> Bool { send("READY=1\n\(line(status))") }

    /// Shows the service's activity to people; `status` is one sentence.
    @discardableResult
    public static func status(_ status: String) -> Bool { send(line(status)) }

    /// Informs the manager that the configuration is being read again. ``ready(status:)`` must follow, whether or not
    /// that succeeds.
    @discardableResult
    public static func reloading() -> Bool {
        send("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonic / 1000)")
    }

    /// Informs the manager that the service is about to end. `status` is one sentence for people.
    @discardableResult
    public static func stopping(status: String) -> Bool { send("STOPPING=1\n\(line(status))") }

    /// Feeds the watchdog. It is due twice in each ``Watchdog/interval``.
    @discardableResult
    public static func alive() -> Bool { send("WATCHDOG=1") }

    /// Extends the time that the unit allows for starting or stopping to at least `duration` from now.
    @discardableResult
    public static func extendTimeout(_ duration: Duration) -> Bool {
        send("EXTEND_TIMEOUT_USEC=\(duration.wholeNanoseconds / 1000)")
    }

    /// Stores a copy of a descriptor with the manager, which passes it to the service's next run as an
    /// ``InheritedDescriptor``.
    ///
    /// `name` has at most 255 printable characters and no colon. The manager drops the copy unless the unit allows it
    /// (`FileDescriptorStoreMax=`, systemd.service(5)).
    @discardableResult
    public static func store(_ fd: Int32, name: String) -> Bool {
        unsafe withUnsafePointer(to: fd) { pointer in
            unsafe systemd_notify_with_fds("FDSTORE=1\nFDNAME=\(name)", pointer, 1) > 0
        }
    }

    /// Removes all descriptors that were stored under `name` from the manager.
    @discardableResult
    public static func forget(name: String) -> Bool { send("FDSTOREREMOVE=1\nFDNAME=\(name)") }

    /// Whether systemd is the init of this machine (sd_booted(3)).
    public static var isRunning: Bool { systemd_booted() == 1 }

    private static func send(_ state: String) -> Bool {
        unsafe systemd_notify(state) > 0
    }

    /// A status is one line.
    private static func line(_ status: String) -> String {
        "STATUS=" + String(status.map { $0.isNewline ? " " : $0 })
    }
}

/// The manager's watchdog over this process (sd_watchdog_enabled(3)).
public enum Watchdog {
    /// The time without ``ServiceManager/alive()`` after which the manager kills the process; nil without a watchdog.
    public static var interval: Duration? {
        var microseconds: UInt64 = 0
        guard unsafe systemd_watchdog_enabled(&microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }
}
