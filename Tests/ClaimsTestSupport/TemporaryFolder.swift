// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A folder of the test's own, removed with this object.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init(prefix: String = "claimsd-test") throws {
        path = try Directory.temporary(prefix: prefix)
    }

    deinit {
        try? Directory.remove(path)
    }

    /// The path of `name` in the folder.
    public func callAsFunction(_ name: String) -> String { Paths.join(path, name) }

    /// Replaces a file of the folder at once, making the folders on the way to it.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = self(name)
        try Directory.create(Paths.parent(path))
        try Files.writeAtomically(path, bytes)
        return path
    }

    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    /// A file of the folder as text.
    public func read(_ name: String) throws -> String { try Files.readText(self(name), cap: 1 << 30) }

    /// The permissions of a file or folder in it, as chmod(1) takes them.
    public func permissions(_ name: String) throws -> UInt32 {
        var status = stat()
        guard unsafe stat(self(name), &status) == 0 else { throw TestFailure("there is no \(name)") }
        return status.st_mode & 0o7777
    }
}
