// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsFleet

@Suite struct FleetFileTests {
    private let source = SourceID("units", site: "warsaw")

    private func head(of host: String = "desk-a", in fleet: String = "north") -> FleetHead {
        var entry = headEntry(issuedAt: 10, asOf: 8, next: 20)
        entry.error = HeadEntry.Fault(kind: "http_status", reason: nil, status: 503, at: 9, failures: 2)
        return FleetHead(
            fleet: fleet, host: host, epoch: "e", sources: [source: entry, SourceID("packs"): headEntry(issuedAt: 1)])
    }

    @Test("a head comes back as it was signed") func roundTrip() throws {
        let key = try OpenSSLKey()
        let file = try head().signed(by: key.signing)
        #expect(try FleetHead(file, of: key.leader(), in: "north") == head())
    }

    @Test("openssl verifies the signature of a head with the public key of the file") func opensslVerifies() throws {
        let key = try OpenSSLKey()
        let file = try head().signed(by: key.signing)
        let end = try #require(file.firstIndex(of: ASCII.newline))
        try key.folder.write("signature", try #require(Base64.decode(file[..<end])))
        try key.folder.write("content", Array(file[(end + 1)...]))
        try OpenSSLKey.run([
            "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", key.folder("public"), "-in", key.folder("content"),
            "-sigfile", key.folder("signature"),
        ])
    }

    @Test("no byte of a head can be another one") func everyByteCounts() throws {
        let key = try OpenSSLKey()
        let leader = try key.leader()
        let file = try head().signed(by: key.signing)
        for index in file.indices {
            var forged = file
            forged[index] ^= 1
            #expect(throws: FleetError.self) { try FleetHead(forged, of: leader, in: "north") }
        }
    }

    @Test("a head of another key, host or fleet is refused") func foreignHeads() throws {
        let (key, other) = (try OpenSSLKey(), try OpenSSLKey())
        let leader = try key.leader()
        let forged = try head().signed(by: other.signing)
        #expect(throws: FleetError("no key of desk-a has signed it")) { try FleetHead(forged, of: leader, in: "north") }
        let copied = try head(of: "desk-b").signed(by: key.signing)
        #expect(throws: FleetError("it is of another fleet or host")) { try FleetHead(copied, of: leader, in: "north") }
        let strange = try head(in: "south").signed(by: key.signing)
        #expect(throws: FleetError("it is of another fleet or host")) {
            try FleetHead(strange, of: leader, in: "north")
        }
    }

    @Test("a head with times that no clock shows is refused", arguments: [Int64.max, -1, .min, 253_402_300_800_000])
    func strangeTimes(time: Int64) throws {
        let key = try OpenSSLKey()
        var head = head()
        head.sources = [source: headEntry(issuedAt: time)]
        let file = try head.signed(by: key.signing)
        #expect(throws: FleetError.self) { try FleetHead(file, of: key.leader(), in: "north") }
        head.sources = [source: headEntry(issuedAt: 1, next: time)]
        let next = try FleetHead(head.signed(by: key.signing), of: key.leader(), in: "north")
        #expect(next.sources[source]?.nextRefresh == nil)
    }

    @Test("while a key is changed, heads of both count") func twoKeys() throws {
        let (old, new) = (try OpenSSLKey(), try OpenSSLKey())
        let keys = try [old, new].map { try #require(FleetDefinition.PublicKey($0.publicText)) }
        let leader = FleetDefinition.Leader(host: "desk-a", request: ReadRequest(url: "https://a/"), keys: keys)
        for key in [old, new] {
            let file = try head().signed(by: key.signing)
            #expect(throws: Never.self) { try FleetHead(file, of: leader, in: "north") }
        }
    }

    @Test("a key of another kind is refused with the way to make one") func otherKeys() throws {
        let folder = try TemporaryFolder(prefix: "claims-fleet-key")
        try OpenSSLKey.run(["genpkey", "-algorithm", "x25519", "-out", folder("key")])
        let pem = Array(try folder.read("key").utf8)
        #expect(throws: FleetError.self) { try SigningKey(pem: pem) }
        #expect(throws: FleetError.self) { try SigningKey(pem: Array("no key".utf8)) }
    }

    @Test("a key that is not the one of the file is told") func keyObstacle() throws {
        let (key, other) = (try OpenSSLKey(), try OpenSSLKey())
        let fleet = FleetDefinition(
            name: "north", collections: ["units"], leaders: [try key.leader()], poll: FleetDefinition.defaultPoll)
        #expect(FleetKey.obstacle(key.pem, of: "desk-a", in: fleet) == nil)
        #expect(FleetKey.obstacle(other.pem, of: "desk-a", in: fleet)?.contains("'leaders'") == true)
        #expect(FleetKey.obstacle(Array("no key".utf8), of: "desk-a", in: fleet)?.contains("openssl") == true)
        #expect(FleetKey.obstacle(Array("no key".utf8), of: "depot", in: fleet) == nil)
    }

    @Test("zstd reads a file, whose name is its SHA-256") func zstdReads() throws {
        try FleetLibraries.load()
        let folder = try TemporaryFolder(prefix: "claims-fleet")
        let content = Array("{\"records\":[\(String(repeating: "1,", count: 5000))1]}".utf8)
        let file = try FleetFolder(folder.path).write(content)
        #expect(file.bytes == content.count)
        try OpenSSLKey.run("/usr/bin/zstd", ["-q", "-d", folder(file.sha256), "-o", folder("content")])
        #expect(try Files.readAll(folder("content"), cap: 1 << 20) == content)
        #expect(try folder.permissions(file.sha256) == 0o640)
    }

    @Test("a file that says that it is too large is refused before it is decompressed") func bombs() throws {
        try FleetLibraries.load()
        let bomb = try Zstandard.compress([UInt8](repeating: 0, count: 1 << 20))
        #expect(bomb.count < 1000)
        #expect(throws: FleetError.self) { try Zstandard.decompress(bomb, maxSize: (1 << 20) - 1) }
        #expect(throws: FleetError.self) { try Zstandard.decompress(Array("no frame".utf8), maxSize: 1 << 20) }
        #expect(throws: FleetError.self) { try Zstandard.decompress(bomb.dropLast(3), maxSize: 1 << 20) }
    }

    @Test("each head has a later second than the one before, for the ETag of a web server") func headTimes() throws {
        try FleetLibraries.load()
        let folder = try TemporaryFolder(prefix: "claims-fleet")
        let written = try FleetFolder(folder.path)
        var last: Int64 = 0
        for text in ["a", "b", "c"] {
            try written.write(head: Array(text.utf8))
            let time = try #require(Files.modified(folder("head"))) / 1000
            #expect(time > last)
            last = time
        }
    }

    @Test("an urgent sweep deletes files at once, and never one with another name") func urgentSweep() throws {
        let key = try OpenSSLKey()
        let folder = try TemporaryFolder(prefix: "claims-fleet")
        let written = try FleetFolder(folder.path)
        try written.write(head: head().signed(by: key.signing))
        try folder.write("notes.txt", "mine")
        #expect(written.head(of: try key.leader(), in: "north") == head())
        let file = try written.write(Array("[]".utf8))
        written.sweep(keeping: [], now: SystemClock.wall, isUrgent: true)
        #expect(!Files.exists(folder(file.sha256)))
        #expect(Files.exists(folder("notes.txt")) && Files.exists(folder("head")))
        written.removeHead()
        #expect(written.head(of: try key.leader(), in: "north") == nil)
    }

    @Test("a file that a manifest names stays, and one that none names stays for an hour") func sweeping() throws {
        try FleetLibraries.load()
        let folder = try TemporaryFolder(prefix: "claims-fleet")
        let written = try FleetFolder(folder.path)
        let (named, unnamed) = (try written.write(Array("[1]".utf8)), try written.write(Array("[2]".utf8)))
        let now = SystemClock.wall
        written.sweep(keeping: [named.sha256, unnamed.sha256], now: now - 2 * FleetFolder.keptUnnamed)
        // It was named until now, however old it is.
        written.sweep(keeping: [named.sha256], now: now)
        written.sweep(keeping: [named.sha256], now: now + FleetFolder.keptUnnamed - 1)
        #expect(written.has(named) && written.has(unnamed))
        written.sweep(keeping: [named.sha256], now: now + FleetFolder.keptUnnamed)
        #expect(written.has(named) && !written.has(unnamed))
    }

    @Test("two daemons cannot publish in one folder") func lockedFolder() throws {
        let folder = try TemporaryFolder(prefix: "claims-fleet")
        let first = try FleetFolder(folder.path)
        // A lock of the same process on another open file is refused, too.
        #expect(throws: FleetError.self) { try FleetFolder(folder.path) }
        withExtendedLifetime(first) {}
    }
}

@Suite struct FleetManifestTests {
    private func file(_ digit: String) -> FileReference {
        FileReference(sha256: String(repeating: digit, count: 64), size: 3, bytes: 5)
    }

    @Test("a manifest comes back as it was written") func roundTrip() {
        var manifest = FleetManifest(base: .init(state: "a", records: 7, files: [file("1"), file("2")]))
        manifest.deltas = [.init(from: "a", to: "b", files: [file("3")]), .init(from: "b", to: "c", files: [])]
        manifest.join = .init(state: "j", files: [file("4")])
        #expect(FleetManifest(json: manifest.json) == manifest)
        #expect(FleetManifest(json: Array("{}".utf8)) == nil)
        #expect(FleetManifest(json: Array(#"{"base":{"state":"a","records":1,"files":[["../head",1]]}}"#.utf8)) == nil)
    }

    @Test("a manifest with a file that is too large, or with too many changes, is refused") func bounds() {
        let name = String(repeating: "a", count: 64)
        func isRead(_ size: String, deltas: Int = 0) -> Bool {
            let list = [String](repeating: #"{"from":"a","to":"a","files":[]}"#, count: deltas).joined(separator: ",")
            let text = #"{"base":{"state":"a","records":1,"files":[["\#(name)",\#(size)]]},"deltas":[\#(list)]}"#
            return FleetManifest(json: Array(text.utf8)) != nil
        }
        #expect(isRead("1", deltas: 128) && isRead("\(FileReference.maxSize)"))
        #expect(!isRead("1", deltas: 129))
        for size in ["0", "-1", "\(FileReference.maxSize + 1)", "9223372036854775807"] { #expect(!isRead(size)) }
    }

    @Test("the times of erased ids rise, also where a clock is set back, and their list has a size") func forgetting() {
        var manifest = FleetManifest(base: .init(state: "a", records: 0, files: []))
        manifest.forget([Array("1".utf8)], at: 5_000)
        manifest.forget([Array("2".utf8), Array("3".utf8)], at: 3_000)
        #expect(manifest.forgotten.map(\.at) == [5_000, 5_001, 5_001])
        #expect(FleetManifest.forgotten(stored: FleetManifest.stored(manifest.forgotten)) == manifest.forgotten)
        manifest.forget([], at: 5_000 + FleetManifest.keptForgotten + 1)
        #expect(manifest.forgotten.map(\.id) == ["2", "3"])
        manifest.forget((0..<100_000).map { Array("\"\($0)".utf8) }, at: 9_000)
        #expect(FleetManifest.stored(manifest.forgotten).utf8.count <= FleetManifest.maxForgotten)
        #expect(manifest.forgotten.last?.id == "\"99999")
        #expect(manifest.json.count <= FleetManifest.maxSize)
    }

    @Test("deltas lead from each state to each later one, and nowhere else") func ways() {
        var manifest = FleetManifest(base: .init(state: "a", records: 0, files: []))
        manifest.deltas = [("a", "b"), ("b", "c"), ("c", "d")].map { .init(from: $0.0, to: $0.1, files: []) }
        #expect(manifest.way(from: "a", to: "d")?.map(\.to) == ["b", "c", "d"])
        #expect(manifest.way(from: "b", to: "c")?.map(\.to) == ["c"])
        #expect(manifest.way(from: "d", to: "d")?.isEmpty == true)
        #expect(manifest.way(from: "d", to: "a") == nil)
        #expect(manifest.way(from: "x", to: "d") == nil)
    }
}
