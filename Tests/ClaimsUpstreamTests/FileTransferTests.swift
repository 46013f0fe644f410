// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Glibc
import Testing

struct FileTransferTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ url: String, cap: Int = 64 << 20) throws(HTTPError) -> FetchedBody {
        try FileTransfer.read(url, limits: TransferLimits(body: cap), spoolDirectory: folder.path)
    }

    @Test(arguments: ["file://", "FILE://", "file://localhost"])
    func `a file is read`(prefix: String) throws {
        try folder.write("a b%.json", Fixture.records)
        let body = try read(prefix + folder("a%20b%25.json"))
        #expect(body.text == Fixture.records)
        #expect(body.digest == FetchedBody(Array(Fixture.records.utf8)).digest)
    }

    @Test func `a large file is a mapped copy, which its owner cannot cut short`() throws {
        try folder.write("large", [UInt8](repeating: 0x20, count: 3_000_000))
        let body = try read("file://" + folder("large"))
        try folder.write("large", "")
        #expect(body.isMapped)
        #expect(body.count == 3_000_000)
    }

    @Test func `a file over the cap is too large`() throws {
        try folder.write("file", "12345")
        #expect(failure { () throws(HTTPError) in _ = try read("file://" + folder("file"), cap: 4) }?.kind == .tooLarge)
        #expect(try read("file://" + folder("file"), cap: 5).count == 5)
    }

    @Test(arguments: ["missing", "missing/file", ""])
    func `what is not there, or no file, is named`(name: String) throws {
        let error = failure { () throws(HTTPError) in _ = try read("file://" + folder.path + "/" + name) }
        #expect(error?.kind == .file)
        #expect(error?.detail.isEmpty == false)
    }

    @Test func `a pipe is not waited for`() throws {
        #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
        #expect(failure { () throws(HTTPError) in _ = try read("file://" + folder("pipe")) }?.kind == .file)
    }

    @Test(arguments: [
        "file:relative", "file://host/path", "file:///a%zz", "file:///a%0", "file:///a%00b", "/etc/passwd",
    ])
    func `what names no file of this machine is no URL`(url: String) throws {
        #expect(failure { () throws(HTTPError) in _ = try read(url) }?.kind == .invalidURL)
    }
}
