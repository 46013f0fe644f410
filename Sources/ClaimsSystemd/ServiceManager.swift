// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
import ClaimsPlatform

/// What a service tells the service manager that started it (sd_notify(3)).
///
/// Where none did, nothing happens and `false` comes back; nothing here can fail in a way worth acting on.
public enum ServiceManager {
    /// The service answers. `status` is one sentence for people.
    @discardableResult
    public static func ready(status: String) -> Bool { send("READY=1\n\(line(status))") }

    /// What the service is doing, as one sentence for people.
    @discardableResult
    public static func status(_ status: String) -> Bool { send(line(status)) }

    /// The configuration is being read again; `ready` must follow, whether that went well or not.
    @discardableResult
    public static func reloading() -> Bool {
        send("RELOADING=1\nMONOTONIC_USEC=\(Clocks.monotonic / 1000)")
    }

    /// The service is about to end.
    @discardableResult
    public static func stopping(status: String) -> Bool { send("STOPPING=1\n\(line(status))") }

    /// A sign of life; due twice per `Watchdog.interval`.
    @discardableResult
    public static func alive() -> Bool { send("WATCHDOG=1") }

    /// Starting, or stopping, takes at least this much longer from now on than the unit allows.
    @discardableResult
    public static func extendTimeout(_ duration: Duration) -> Bool {
        send("EXTEND_TIMEOUT_USEC=\(duration.wholeNanoseconds / 1000)")
    }

    /// Leaves a copy of a descriptor with the manager, for the service's next run (`InheritedDescriptor`).
    ///
    /// `name` has at most 255 printable characters and no colon. The unit must allow it (`FileDescriptorStoreMax=`).
    @discardableResult
    public static func store(_ fd: Int32, name: String) -> Bool {
        unsafe withUnsafePointer(to: fd) { pointer in
            unsafe systemd_notify_with_fds("FDSTORE=1\nFDNAME=\(name)", pointer, 1) > 0
        }
    }

    /// Has the manager forget what was stored under that name.
    @discardableResult
    public static func forget(name: String) -> Bool { send("FDSTOREREMOVE=1\nFDNAME=\(name)") }

    /// True where systemd is this machine's init.
    public static var isRunning: Bool { systemd_booted() == 1 }

    private static func send(_ state: String) -> Bool {
        unsafe systemd_notify(state) > 0
    }

    /// A status is one line.
    private static func line(_ status: String) -> String {
        "STATUS=" + String(status.map { $0.isNewline ? " " : $0 })
    }
}
