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
        // The name is there only once nobody has it open for writing, which execve(2) would refuse.
        try folder.write("program", Array("#!/bin/sh\n\(script)\n".utf8))
        try Files.setPermissions(path, 0o755)
    }

    /// A host that this program reaches.
    public func host(_ text: String = "depot") throws -> RemoteHost {
        guard var host = RemoteHost(text) else { throw TestFailure("'\(text)' is no host") }
        host.program = path
        return host
    }
}
