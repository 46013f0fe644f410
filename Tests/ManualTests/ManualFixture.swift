// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import claims_manual

/// The reference of the repository and what its manual pages say.
enum ManualFixture {
    static let folder = Paths.join(Repository.root, "Sources/claimsd/Documentation.docc")

    static func catalog() throws -> MessageCatalog {
        try MessageCatalog(Files.readText(Paths.join(Repository.root, "systemd/claimsd.catalog"), cap: 1 << 20))
    }

    static func reference() throws -> Reference {
        Reference(folder: folder, parts: GeneratedParts(catalog: try catalog()))
    }

    /// A manual page without roff's spellings of letters and fonts, for looking for words.
    static func words(_ name: String) throws -> String {
        guard let manual = ManualPage.all.first(where: { $0.fileName == name }) else {
            throw TestFailure("there is no page \(name)")
        }
        var text = try reference().roff(manual)
        for (roff, plain) in [
            ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""),
            ("\\(ti", "~"), ("\\(ha", "^"), ("\\(ga", "`"), ("\\e", "\\"),
        ] {
            text = text.replacing(roff, with: plain)
        }
        return text
    }

    /// Runs a program of the machine to its end; nil where it is not installed.
    static func run(_ program: String, _ arguments: [String], input: String = "") throws -> (code: Int32, text: String)?
    {
        let folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        guard let path = folders.map({ Paths.join(String($0), program) }).first(where: Files.exists) else { return nil }
        let source = try FileDescriptor.temporary(in: "/tmp")
        try source.write(Array(input.utf8))
        lseek(source.raw, 0, SEEK_SET)
        let output = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess(
            path, arguments, input: source.raw, output: output.raw, error: output.raw)
        guard try process.hasEnded(within: .seconds(60)) else { throw TestFailure("\(program) does not end") }
        let code = process.wait().code
        return (code, String(decoding: try output.read(output.size(), at: 0), as: UTF8.self))
    }
}
