// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

struct AttachHandlerTests {
    private static let image = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 92)
    private static let digest = SHA256.hexadecimal(of: image.rawSpan)

    private let folder: TemporaryFolder
    private let store: AttachmentStore
    private let shelf: ServedShelf

    init() throws {
        folder = try TemporaryFolder()
        let store = try AttachmentStore(directory: folder.path, now: ServedShelf.now)
        self.store = store
        let file = #"{"name":"a.png","type":"image/png","size":100,"sha256":"\#(Self.digest)"}"#
        let listed = #"[\#(file),"https://x.example/",7]"#
        var others: [CollectionView] = []
        for (index, definition) in Self.definitions.enumerated() {
            let fixture = try SnapshotFixture(
                [#"{"id":"1","files":\#(listed)}"#, #"{"id":"2","files":null}"#, #"{"id":"3","files":"none"}"#],
                definition)
            var row = CollectionRow(number: Int64(10 + index), name: definition.name)
            row.generation = 1
            others.append(
                CollectionView(
                    definition: definition, snapshot: fixture.snapshot, archive: ArchiveOverlay(),
                    condition: CollectionCondition(row: row)))
        }
        var limits = ServingLimits()
        limits.uploads = 2
        limits.attachments = 10_000
        shelf = try ServedShelf(limits: limits, others: others, attachments: store)
    }

    /// `papers` takes files, `mails` are an upstream's, `forms` name their own writers, `stamps` take no files.
    private static let definitions: [Definition] = {
        func definition(_ name: String, _ writes: WriteRules) -> Definition {
            Definition(
                name: name, singular: String(name.dropLast()), source: Source(),
                fields: [
                    Field(name: "id", type: .id, from: [JSONPointer(tokens: [Array("id".utf8)])]),
                    Field(name: "files", type: .json, from: [JSONPointer(tokens: [Array("files".utf8)])]),
                ], deal: LocalizedText("{id}"), writes: writes)
        }
        let create = WriteAction(name: "create", kind: .create, takesFiles: true)
        let files = AttachmentRules(field: 1, types: ["image/png"], maxSize: 1000)
        return [
            definition("papers", WriteRules(to: .local, actions: [create], attachments: files)),
            definition("mails", WriteRules(to: .upstream, actions: [create], attachments: files)),
            definition(
                "forms",
                WriteRules(
                    to: .local, role: RoleSettings.Members(groups: ["clerks"]), actions: [create], attachments: files)),
            definition(
                "stamps",
                WriteRules(to: .local, actions: [WriteAction(name: "create", kind: .create)], attachments: files)),
        ]
    }()

    private func first(
        _ data: [UInt8] = image, size: Int = 100, name: String = #""scan.png""#, collection: String = "papers"
    ) -> String {
        #"{"collection":"\#(collection)","name":\#(name),"size":\#(size),"data":"\#(Base64.encode(data))"}"#
    }

    private func next(_ upload: String, _ offset: Int, _ data: [UInt8]) -> String {
        #"{"upload":"\#(upload)","offset":\#(offset),"data":"\#(Base64.encode(data))"}"#
    }

    /// The error that a request is answered with, as JSON.
    private func error(_ method: String, _ params: String, roles: RoleSet = .all) async throws -> JSONValue {
        do {
            let result = try await shelf.ask(method, params, roles: roles)
            throw TestFailure("no error: \(String(decoding: result.compactBytes, as: UTF8.self))")
        } catch let error as RequestError {
            let line = try JSONValue.parse(error.line(id: nil, in: "en"))
            return try #require(line["error"]?["data"])
        }
    }

    @Test func `a file comes in parts, and is told with the last`() async throws {
        let begun = try await shelf.ask("attach", first(Array(Self.image.prefix(40)), collection: "paper"))
        let upload = try #require(begun["upload"]?.string)
        #expect(begun["received"] == 40 && begun["type"] == nil && begun["sha256"] == nil)
        let again = try await shelf.ask("attach", next(upload, 40, []))
        #expect(again["received"] == 40)
        let whole = try await shelf.ask("attach", next(upload, 40, Array(Self.image.dropFirst(40))))
        #expect(whole["received"] == 100 && whole["upload"]?.string == upload)
        #expect(whole["type"] == "image/png" && whole["sha256"]?.string == Self.digest)
        #expect(try store.claim([upload], uid: 1000, collection: "papers").map(\.sha256) == [Self.digest])
    }

    @Test func `a further part needs the role as the first did`() async throws {
        let begun = try await shelf.ask("attach", first(Array(Self.image.prefix(40))))
        let rest = next(try #require(begun["upload"]?.string), 40, Array(Self.image.dropFirst(40)))
        #expect(await shelf.refusal("attach", rest, roles: [.read, .archive]) == .forbidden)
        #expect(try await shelf.ask("attach", rest)["received"] == 100)
    }

    @Test func `a part that begins elsewhere is a conflict that tells where to go on`() async throws {
        let begun = try await shelf.ask("attach", first(Array(Self.image.prefix(40))))
        let error = try await error("attach", next(try #require(begun["upload"]?.string), 39, [1]))
        #expect(error["kind"] == "conflict" && error["received"] == 40)
    }

    @Test(arguments: [
        ("", 100, ["name"]), ("a/b", 100, ["name"]), (#"a\u0000"#, 100, ["name"]), (#"a\nb"#, 100, ["name"]),
        (String(repeating: "x", count: 256), 100, ["name"]), ("a", 1001, ["size"]), ("../x", 2000, ["name", "size"]),
    ])
    func `name and size are refused before a byte is taken, all problems at once`(
        name: String, size: Int, kinds: [String]
    ) async throws {
        let error = try await error("attach", first(size: size, name: "\"\(name)\""))
        #expect(error["kind"] == "invalid")
        #expect(error["errors"]?.array?.compactMap { $0["kind"]?.string } == kinds)
        #expect(error["errors"]?.array?.allSatisfy { $0["field"] == "files" } == true)
    }

    @Test func `a type is refused by its bytes, not by its name`() async throws {
        let error = try await error("attach", first(Array("#!/bin/sh\necho a longer script".utf8)))
        #expect(error["kind"] == "invalid" && error["errors"]?.array?.first?["kind"] == "format")
        #expect(error["errors"]?.array?.first?["hint"]?.string?.contains("image/png") == true)
        let longer = try await self.error("attach", first(size: 99))
        #expect(longer["kind"] == "invalid" && longer["errors"]?.array?.first?["kind"] == "size")
    }

    @Test(arguments: [
        #"{"data":""}"#, #"{"collection":"papers","data":""}"#, #"{"collection":"papers","name":"a","data":""}"#,
        #"{"collection":"papers","name":"a","size":-1,"data":""}"#, #"{"upload":"x","data":""}"#,
        #"{"upload":"x","offset":-1,"data":""}"#, #"{"collection":"papers","name":"a","size":1}"#,
        #"{"collection":"papers","name":"a","size":1,"data":"?"}"#, #"{"upload":"x","offset":0,"data":7}"#,
        #"{"collection":"papers","name":"a","size":1e3,"data":""}"#,
    ])
    func `parameters that say nothing usable are refused`(params: String) async throws {
        #expect(try await error("attach", params)["kind"] == "bad_params")
    }

    @Test func `only who may write uploads, and only where files are taken`() async throws {
        #expect(await shelf.refusal("attach", first(), roles: [.read, .archive]) == .forbidden)
        #expect(await shelf.refusal("attach", first(collection: "forms"), roles: [.read, .write]) == .forbidden)
        for collection in ["mails", "stamps", "shelf", "notes"] {
            #expect(await shelf.refusal("attach", first(collection: collection)) == .notAllowed)
        }
        #expect(await shelf.refusal("attach", first(collection: "nothing")) == .unknownCollection)
        #expect(await shelf.refusal("attach", first(collection: "forms")) == nil)
    }

    @Test func `uploads have a bound for each user, and files for the host`() async throws {
        for _ in 0..<2 { _ = try await shelf.ask("attach", first()) }
        let error = try await error("attach", first())
        #expect(error["kind"] == "busy" && error["retry_after_ms"] != nil)
    }

    @Test func `an unknown upload is not found`() async throws {
        #expect(await shelf.refusal("attach", next("0123", 0, [1])) == .notFound)
    }

    @Test func `a file that a record lists is answered in parts`() async throws {
        _ = try await shelf.ask("attach", first())
        var bytes: [UInt8] = []
        while true {
            let part = try await shelf.ask(
                "fetch_attachment",
                #"{"collection":"papers","id":"1","sha256":"\#(Self.digest)","offset":\#(bytes.count),"length":33}"#)
            bytes += try #require(Base64.decode(Array((part["data"]?.string ?? "").utf8)))
            #expect(part["size"] == 100 && part["type"] == "image/png" && part["name"] == "a.png")
            if part["eof"] == true { break }
            #expect(bytes.count % 33 == 0 && bytes.count < 100)
        }
        #expect(bytes == Self.image)
        let end = try await shelf.ask(
            "fetch_attachment", #"{"collection":"papers","id":"1","sha256":"\#(Self.digest)","offset":9999}"#)
        #expect(end["data"] == "" && end["eof"] == true)
    }

    @Test func `a kept file of another size than the record lists is not told as whole`() async throws {
        _ = try await shelf.ask("attach", first())
        let path = Paths.join(folder.path, "attachments/\(Self.digest)")
        for bytes in [Array(Self.image.dropLast()), Self.image + [7]] {
            try Files.writeAtomically(path, bytes)
            let fetch = #"{"collection":"papers","id":"1","sha256":"\#(Self.digest)"}"#
            #expect(try await error("fetch_attachment", fetch)["kind"] == "internal")
        }
    }

    @Test func `a file is answered to those who name a record that has it`() async throws {
        func refusal(_ id: String, _ digest: String, _ collection: String = "papers") async -> ErrorKind? {
            await shelf.refusal(
                "fetch_attachment", #"{"collection":"\#(collection)","id":"\#(id)","sha256":"\#(digest)"}"#)
        }
        // Listed, and not there.
        #expect(await refusal("1", Self.digest) == .notFound)
        _ = try await shelf.ask("attach", first())
        #expect(await refusal("1", Self.digest) == nil)
        for id in ["2", "3", "4"] { #expect(await refusal(id, Self.digest) == .notFound) }
        for digest in ["", "../state.db", Self.digest.uppercased(), "https://x.example/"] {
            #expect(await refusal("1", digest) == .notFound)
        }
        // An upstream's list names no files of this host.
        #expect(await refusal("1", Self.digest, "mails") == .notFound)
        #expect(await refusal("1", Self.digest, "shelf") == .notFound)
    }
}
