// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
public import ClaimsPlatform
import Glibc

/// A descriptor that the service manager handed over: a socket it listens at for us, or one that an earlier run stored.
public struct InheritedDescriptor: Equatable, Sendable {
    /// `FileDescriptorName=` of the socket unit (by default the unit's name), or the name it was stored under.
    public let name: String
    private let raw: Int32

    /// All that were handed over, in the manager's order; empty where none were (sd_listen_fds_with_names(3)).
    ///
    /// They are close-on-exec from then on. Each is somebody's to `take` once, or is leaked.
    public static func all() -> [InheritedDescriptor] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe systemd_listen_fds(&names)
        defer {
            if let names = unsafe names {
                for index in 0..<max(0, Int(count)) { unsafe free(names[index]) }
                unsafe free(names)
            }
        }
        guard count > 0 else { return [] }
        return (0..<Int(count)).map { index in
            var name = ""
            if let names = unsafe names, let text = unsafe names[index] { name = unsafe String(cString: text) }
            return InheritedDescriptor(name: name, raw: systemd_listen_start() + Int32(index))
        }
    }

    /// True for a stream Unix socket that listens.
    public var isListener: Bool { systemd_is_listener(raw, nil) == 1 }

    /// True for a listener that was bound to `path`; whether clients still find it there is another question.
    public func isListener(at path: String) -> Bool { unsafe systemd_is_listener(raw, path) == 1 }

    /// Takes the descriptor over; to be called once.
    public func take() -> FileDescriptor { FileDescriptor(owning: raw) }
}
