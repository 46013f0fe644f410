// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsPlatform

/// A program of a few lines of shell, such as one in the place of ssh; it goes with this object.
public final class ShellProgram: Sendable {
    private let folder: TemporaryFolder
    public let path: String

    public init(_ script: String) throws {
        folder = try TemporaryFolder()
        path = Paths.join(folder.path, "program")
        try Self.write(path, "#!/bin/sh\n\(script)\n")
    }

    /// Makes an executable file. Another process does: a descriptor for writing of this one could be inherited by a
    /// child that another test starts at that moment, and execve(2) refuses a file that is open for writing.
    static func write(_ path: String, _ text: String) throws {
        let outcome = try ControlProgram.run(
            "/bin/sh", ["-c", #"cat >"$1" && chmod 755 "$1""#, "sh", path], input: text)
        guard outcome.code == 0 else { throw TestFailure("no program: \(outcome.error)") }
    }

    /// A host that this program reaches.
    public func host(_ text: String = "depot") throws -> RemoteHost {
        guard var host = RemoteHost(text) else { throw TestFailure("'\(text)' is no host") }
        host.program = path
        return host
    }
}
