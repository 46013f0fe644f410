// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
public import ClaimsPlatform
import Glibc

/// A descriptor that the service manager passed to this process: a listening socket of a socket unit, or a descriptor
/// that an earlier run stored.
public struct InheritedDescriptor: Equatable, Sendable {
    /// The name of the descriptor: `FileDescriptorName=` of the socket unit, by default the unit's name, or the name
    /// that it was stored under.
    public let name: String
    private let raw: Int32

    /// All descriptors that were passed, in the manager's order; empty if there are none (sd_listen_fds_with_names(3)).
    ///
    /// The call makes them close-on-exec. The caller must ``take()`` each one once; otherwise it stays open.
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

    /// Whether the descriptor is a stream Unix socket that listens.
    public var isListener: Bool { systemd_is_listener(raw, nil) == 1 }

    /// Whether the descriptor is a listener that was bound to `path`. The path may have been removed or replaced since.
    public func isListener(at path: String) -> Bool { unsafe systemd_is_listener(raw, path) == 1 }

    /// Becomes the owner of the descriptor, which is closed with the returned value. It must be called once only.
    public func take() -> FileDescriptor { FileDescriptor(owning: raw) }
}
