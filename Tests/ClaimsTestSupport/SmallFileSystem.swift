// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A real file system of a few megabytes over a folder, unmounted with this object. Needs root.
public final class SmallFileSystem: Sendable {
    public static var isPossible: Bool { getuid() == 0 && (try? SmallFileSystem(megabytes: 1)) != nil }

    public let folder: TemporaryFolder

    public init(megabytes: Int) throws {
        folder = try TemporaryFolder()
        guard unsafe mount("none", folder.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw TestFailure("nothing can be mounted")
        }
    }

    deinit {
        unsafe umount2(folder.path, Int32(MNT_DETACH))
    }

    /// Uses up all the room there is.
    public func fill() throws {
        let file = try FileDescriptor.open(folder("filler"), .append(permissions: 0o600))
        let block = [UInt8](repeating: 1, count: 4096)
        while (try? file.write(block)) != nil {}
    }

    /// Uses up all the room but some pages of 4 KiB.
    public func fill(leaving pages: Int) throws {
        clear()
        try fill()
        let file = try FileDescriptor.open(folder("filler"), .append(permissions: 0o600))
        try file.truncate(to: max(0, file.size() - pages * 4096))
    }

    /// Gives the room back.
    public func clear() {
        Files.remove(folder("filler"))
    }
}
