// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// Uploads to a real daemon whose host is the truth of `papers`.
@Suite struct AttachmentTests {
    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess(site: ["collections.d/papers.json5": Self.papers])
        try daemon.start()
    }

    private static let papers = """
        {
            title: "Papers", singular: "paper",
            fields: {
                id: { type: "id", from: ["/id"] },
                title: { type: "text", from: ["/title"] },
                files: { type: "json", from: ["/files"] },
            },
            writes: {
                to: "local",
                fields: { title: { required: true } },
                create: {}, update: {}, delete: {},
                attachments: { field: "files", types: ["image/png", "application/pdf"], size: "4M" },
            },
        }
        """

    private static func pdf(_ count: Int) -> [UInt8] {
        Array("%PDF-1.7\n".utf8) + (9..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    }

    private func first(_ data: [UInt8], size: Int, name: String = "paper.pdf") -> String {
        #"{"collection":"papers","name":"\#(name)","size":\#(size),"data":"\#(Base64.encode(data))"}"#
    }

    /// Uploads a file in parts of at most 600 KiB.
    private func upload(_ bytes: [UInt8], _ client: LineClient) throws -> JSONValue {
        let partSize = 600 << 10
        var answer = try client.request("attach", first(Array(bytes.prefix(partSize)), size: bytes.count))
        while let received = answer.at("result", "received")?.integer, received < bytes.count {
            let upload = try #require(answer.at("result", "upload")?.string)
            let data = Base64.encode(Array(bytes.dropFirst(Int(received)).prefix(partSize)))
            answer = try client.request(
                "attach", #"{"upload":"\#(upload)","offset":\#(received),"data":"\#(data)"}"#)
        }
        return answer
    }

    private func kept() throws -> [String] {
        let folder = daemon.folder("state/attachments")
        return Files.isDirectory(folder) ? try Directory.list(folder).filter { $0 != "uploads" } : []
    }

    private var notes: [String] { (try? Directory.list(daemon.folder("state/attachments/uploads"))) ?? [] }

    @Test func `a file of several megabytes arrives whole, and is the daemon's alone`() throws {
        let bytes = Self.pdf(3_500_000)
        let answer = try upload(bytes, try daemon.connect())
        let digest = SHA256.hexadecimal(of: bytes.rawSpan)
        #expect(answer.at("result", "sha256")?.string == digest && answer.at("result", "type") == "application/pdf")
        #expect(try kept() == [digest])
        #expect(try Files.readAll(daemon.folder("state/attachments/\(digest)"), cap: 1 << 24) == bytes)
        #expect(try daemon.folder.permissions("state/attachments/\(digest)") == 0o600)
        #expect(try daemon.folder.permissions("state/attachments") == 0o700)
    }

    @Test func `killed between parts, nothing of a file is left; killed after the last, all of it is`() throws {
        let bytes = Self.pdf(2000)
        let client = try daemon.connect()
        let whole = try upload(bytes, client)
        let half = try client.request("attach", first(Array(Self.pdf(3000).prefix(1000)), size: 3000))
        #expect(half.at("result", "received")?.integer == 1000)
        daemon.kill()
        #expect(try kept().count == 2)
        try daemon.start()
        #expect(try kept() == [SHA256.hexadecimal(of: bytes.rawSpan)])
        #expect(notes == [whole.at("result", "upload")?.string])
        let upload = try #require(half.at("result", "upload")?.string)
        let next = try daemon.connect().request("attach", #"{"upload":"\#(upload)","offset":1000,"data":"AAAA"}"#)
        #expect(next.errorKind == "not_found")
    }

    @Test func `killed at any moment, every acknowledged file is there and no other`() throws {
        var acknowledged: Set<String> = []
        for round in 0..<6 {
            let client = try daemon.connect()
            for number in 0..<round {
                let bytes = Self.pdf(5000 + 100 * round + number)
                if try upload(bytes, client).at("result", "sha256") != nil {
                    acknowledged.insert(SHA256.hexadecimal(of: bytes.rawSpan))
                }
            }
            // The last one is under way when the daemon is killed.
            let bytes = Self.pdf(1_000_000 + round)
            let open = first(Array(bytes.prefix(500_000)), size: bytes.count)
            try client.send(#"{"id":"open","method":"attach","params":\#(open)}"#)
            daemon.kill()
            try daemon.start()
            #expect(try Set(kept()) == acknowledged)
            #expect(notes.count == acknowledged.count)
        }
    }

    @Test func `a submitted file is its record's, also after the daemon is killed`() throws {
        let bytes = Self.pdf(1_200_000)
        let client = try daemon.connect()
        let whole = try upload(bytes, client)
        let name = try #require(whole.at("result", "upload")?.string)
        let digest = try #require(whole.at("result", "sha256")?.string)
        let made = try client.request(
            "submit", #"{"collection":"papers","action":"create","fields":{"title":"a"},"attach":["\#(name)"]}"#)
        let id = try #require(made.at("result", "id")?.string, "\(String(decoding: made.compactBytes, as: UTF8.self))")
        #expect(made.at("result", "record", "files", "0", "sha256")?.string == digest)
        #expect(notes.isEmpty)
        daemon.kill()
        try daemon.start()
        let other = try daemon.connect()
        var read: [UInt8] = []
        while true {
            let part = try other.request(
                "fetch_attachment",
                #"{"collection":"papers","id":"\#(id)","sha256":"\#(digest)","offset":\#(read.count)}"#)
            let data = try #require(part.at("result", "data")?.string)
            read += try #require(Base64.decode(data.utf8))
            if part.at("result", "eof") == true || data.isEmpty { break }
        }
        #expect(read == bytes)
    }

    @Test func `the files of a record go within seconds of its deletion, or of being taken away`() throws {
        let client = try daemon.connect()
        var digests: [String] = []
        var ids: [String] = []
        for size in [100, 200] {
            let upload = try upload(Self.pdf(size), client)
            digests.append(try #require(upload.at("result", "sha256")?.string))
            let name = try #require(upload.at("result", "upload")?.string)
            let made = try client.request(
                "submit", #"{"collection":"papers","action":"create","fields":{"title":"a"},"attach":["\#(name)"]}"#)
            ids.append(try #require(made.at("result", "id")?.string))
        }
        #expect(try Set(kept()) == Set(digests))
        let detached = try client.request(
            "submit", #"{"collection":"papers","action":"update","id":"\#(ids[0])","detach":["\#(digests[0])"]}"#)
        #expect(detached.at("result", "state") == "done", "\(detached)")
        try waitUntil(client) { try kept() == [digests[1]] }
        let deleted = try client.request(
            "submit", #"{"collection":"papers","action":"delete","id":"\#(ids[1])"}"#)
        #expect(deleted.at("result", "state") == "done", "\(deleted)")
        try waitUntil(client) { try kept().isEmpty }
    }

    @Test func `who wrote a record is told, also of one that was folded, and over a restart`() throws {
        let client = try daemon.connect()
        let made = try client.request(
            "submit", #"{"collection":"papers","action":"create","fields":{"title":"a"}}"#)
        let id = try #require(made.at("result", "id")?.string)
        let asked = #"{"collection":"papers","id":"\#(id)"}"#
        // The same request again and again takes the fast path, where there is one.
        for _ in 0..<4 {
            let provenance = try client.request("detail", asked).at("result", "provenance")
            #expect(provenance?["submitted_by"]?.string == Accounts.userName(UInt32(ProcessUser.number)))
            #expect(provenance?["op"] == made.at("result", "op"))
        }
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        let again = try daemon.connect()
        for _ in 0..<4 {
            let provenance = try again.request("detail", asked).at("result", "provenance")
            #expect(provenance?["op"] == made.at("result", "op"), "\(String(describing: provenance))")
            #expect(provenance?["submitted_at"] == provenance?["changed_at"])
        }
    }

    private func waitUntil(_ client: LineClient, _ isTrue: () throws -> Bool) throws {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while try !isTrue() {
            try #require(SystemClock.monotonic < deadline, "it does not come true")
            _ = try client.request("ping")
        }
    }

    @Test func `an unfinished upload goes with its connection, a finished one does not`() throws {
        let client = try daemon.connect()
        _ = try upload(Self.pdf(100), client)
        _ = try client.request("attach", first(Self.pdf(50), size: 100))
        #expect(try kept().count == 2)
        try client.leave()
        let other = try daemon.connect()
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while try kept().count != 1, SystemClock.monotonic < deadline { _ = try other.request("ping") }
        #expect(try kept() == [SHA256.hexadecimal(of: Self.pdf(100).rawSpan)] && notes.count == 1)
    }

    @Test func `the bounds of the settings hold after a reload`() throws {
        let client = try daemon.connect()
        _ = try upload(Self.pdf(2000), client)
        try daemon.configure("claimsd.json5", #"{ limits: { attachments: "4K", uploads: 2 } }"#)
        daemon.signal(SIGHUP)
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while try client.request("hello").at("result", "limits", "attachments")?.integer != 4096 {
            try #require(SystemClock.monotonic < deadline, "the reload does not end")
        }
        #expect(try client.request("attach", first([], size: 2097)).errorKind == "storage_full")
        #expect(try client.request("attach", first([], size: 2096))["result"] != nil)
        #expect(try client.request("attach", first([], size: 0)).errorKind == "busy")
    }

    @Test func `an upload that lies costs nobody else anything`() throws {
        var chance = SeededGenerator(seed: 7)
        let client = try daemon.connect()
        let witness = try daemon.connect()
        var uploads = ["", "x", String(repeating: "0", count: 32)]
        let sizes = ["0", "-1", "10", "100", "9223372036854775807", "1e9", "99999999999999999999", "5000000"]
        let parts = [#""""#, #""JVBERi0xLjcK""#, #""!!!!""#, #""AAAA=""#, "null", #""JVBERi0xLjcKAAAAAAAAAAAA""#]
        let names = [#""a.pdf""#, #""../../etc/passwd""#, #""a\u0000b""#, #""""#, "7", "null"]
        for _ in 0..<300 {
            let size = sizes.randomElement(using: &chance) ?? ""
            let data = parts.randomElement(using: &chance) ?? ""
            let upload = uploads.randomElement(using: &chance) ?? ""
            let name = names.randomElement(using: &chance) ?? ""
            let isFirst = Bool.random(using: &chance)
            let answer = try client.request(
                "attach",
                isFirst
                    ? #"{"collection":"papers","name":\#(name),"size":\#(size),"data":\#(data)}"#
                    : #"{"upload":"\#(upload)","offset":\#(size),"data":\#(data)}"#)
            #expect(answer["result"] != nil || answer.errorKind != "internal")
            if let upload = answer.at("result", "upload")?.string { uploads.append(upload) }
        }
        #expect(try witness.request("ping")["result"] != nil)
        #expect(try kept().allSatisfy { $0.hasSuffix(".part") } && kept().count <= 32)
        try client.leave()
    }
}
