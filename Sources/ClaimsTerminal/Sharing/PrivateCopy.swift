// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// The paths of a copy of a file of a record that only this user can read. It has its name when it is whole; a part of
/// it is not left behind.
public final class PrivateCopy {
    /// The path of the part that has come.
    public let part: String
    private let path: String
    private var isFinished = false

    /// Makes the folder of a copy, in `$XDG_RUNTIME_DIR`, which goes with the session, or where that is not this user's
    /// alone in `$TMPDIR`. The same content has the same folder.
    ///
    /// Dangerous characters in the name of the file are replaced, and it ends as its type does.
    public init(_ file: RecordFile, environment: (String) -> String?) throws(SystemError) {
        let folder = try Self.folder(sha256: file.sha256, environment)
        path = Paths.join(folder, SafeName.make(file.name, type: file.type))
        part = Paths.join(folder, ".\(RandomBytes.hexadecimal(8)).part")
    }

    deinit {
        if !isFinished { Files.remove(part) }
    }

    /// Makes the part, which is empty.
    public func create() throws(SystemError) -> FileDescriptor {
        try FileDescriptor.open(part, .create(permissions: 0o600))
    }

    /// Gives the copy its name, and returns the path.
    public func finish() throws(SystemError) -> String {
        try Files.rename(part, to: path)
        isFinished = true
        return path
    }

    private static func folder(
        sha256: String, _ environment: (String) -> String?
    ) throws(SystemError) -> String {
        guard let runtime = Environment.runtimeDirectory(environment, isPrivate: Files.isPrivateDirectory) else {
            return try Directory.temporary(in: environment("TMPDIR") ?? "/tmp", prefix: "claimsctl")
        }
        let own = Paths.join(runtime, "claimsctl")
        try Directory.create(own, permissions: 0o700)
        let folder = Paths.join(own, String(sha256.prefix(16)))
        try Directory.create(folder, permissions: 0o700)
        return folder
    }
}
