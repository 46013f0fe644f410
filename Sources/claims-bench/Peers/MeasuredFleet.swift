// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import Glibc

/// A fleet of two hosts with the same definition: a leader, and a follower that takes what the leader publishes.
final class MeasuredFleet {
    let leader: MeasuredDaemon
    let follower: MeasuredDaemon
    private let web: FleetWeb
    private let home: String
    private let openssl: String
    private let publicKey: String

    /// The time between two reads of the address by the follower.
    static let poll = Duration.seconds(2)
    private static let name = "north"
    private static let maxRun = Duration.seconds(60)

    /// Makes both hosts, and starts the web server alone.
    ///
    /// - Parameter folder: a folder that is served, too.
    /// - Returns: nil if nginx or openssl is not installed.
    init?(home: String, program: String, serving folder: String) throws {
        try Directory.create(home)
        self.home = home
        leader = try MeasuredDaemon(home: Paths.join(home, "leader"), program: program)
        follower = try MeasuredDaemon(home: Paths.join(home, "follower"), program: program)
        guard let openssl = InstalledProgram.path("openssl"),
            let web = try FleetWeb(
                home: Paths.join(home, "web"), folders: [leader.published, leader.published, folder])
        else { return nil }
        self.openssl = openssl
        self.web = web
        let log = Paths.join(home, "openssl")
        try InstalledProgram.mustRun(
            openssl, ["genpkey", "-algorithm", "ed25519", "-out", Paths.join(home, "key")], log: log,
            within: Self.maxRun)
        let pem = try InstalledProgram.mustRun(
            openssl, ["pkey", "-in", Paths.join(home, "key"), "-pubout"], log: log, within: Self.maxRun)
        publicKey = String(decoding: pem.output, as: UTF8.self).split(separator: "\n").map(String.init)[1]
        for daemon in [leader, follower] {
            try daemon.define(source: "{ url: \"file://\(leader.control.source)\", interval: \"1d\" }")
        }
        try define()
    }

    /// Writes the text of the fleet on both hosts, for their next start.
    ///
    /// - Parameter marks: the value of its member `marks`.
    func define(marks: String = "null") throws {
        func text(_ url: String) -> String {
            """
            { name: "\(Self.name)", collections: ["\(CollectionShape.collection)"], poll: "\(Self.poll.components.seconds)s",
              marks: \(marks), leaders: [{ host: "leader", url: "\(url)", key: "\(publicKey)" }] }

            """
        }
        try leader.join(text(web.address(0)), as: "leader", key: Paths.join(home, "key"))
        try follower.join(text(web.address(1)), as: "follower")
    }

    /// The requests of the follower so far: status and path of each.
    var requests: [Substring] { web.requests(1) }
    /// The address of the folder that is served, too.
    var otherAddress: String { web.address(2) }

    func stop() {
        for daemon in [follower, leader] { daemon.stop() }
        web.stop()
    }

    // MARK: - What is published

    private var headPath: String { Paths.join(leader.published, "head") }

    /// The content of the head; nil if there is none.
    var head: JSONValue? {
        guard let file = try? Files.readAll(headPath, cap: 1 << 20), let end = file.firstIndex(of: ASCII.newline)
        else { return nil }
        return try? JSONValue.parse(Array(file[(end + 1)...]))
    }

    /// The head's entry about the collection.
    var entry: JSONValue? { head?["sources"]?[CollectionShape.collection] }

    /// The files that are named by their hash, and their sizes in bytes.
    var files: [String: Int] {
        let names = ((try? Directory.list(leader.published)) ?? []).filter { $0.utf8.count == 64 }
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, Files.size(Paths.join(leader.published, $0)) ?? 0) })
    }

    // MARK: - Forging

    /// Adds a file under a name, or under its hash, and gives it as manifests name it.
    func add(_ bytes: [UInt8], as name: String? = nil) throws -> JSONValue {
        let name = name ?? SHA256.hexadecimal(of: bytes.rawSpan)
        try Files.writeAtomically(Paths.join(leader.published, name), bytes, permissions: 0o644)
        return [.string(name), .integer(bytes.count)]
    }

    /// Puts bytes in the place of the head.
    func replaceHead(_ bytes: [UInt8]) throws {
        // A web server's ETag is made of the time in seconds and the size.
        let time = (Files.modified(headPath) ?? SystemClock.wall) + 2000
        try Files.writeAtomically(headPath, bytes, permissions: 0o644)
        try Files.setModified(headPath, time)
    }

    /// Replaces the head by one with a new state, signed with the leader's key.
    func replaceHead(state: String, manifest: JSONValue) throws {
        guard var members = head?.object, let sources = members["sources"]?.object,
            var entry = sources[CollectionShape.collection]?.object
        else { throw BenchError("the leader has published no head") }
        for (key, value) in [
            ("issued_at", JSONValue.integer(SystemClock.wall)), ("as_of", .integer(SystemClock.wall)),
            ("state", .string(state)), ("manifest", manifest),
        ] { entry[key] = value }
        members["sources"] = .object([CollectionShape.collection: .object(entry)])
        let content = JSONValue.object(members).compactBytes
        let (text, signature) = (Paths.join(home, "content"), Paths.join(home, "signature"))
        try Files.writeAtomically(text, content)
        try InstalledProgram.mustRun(
            openssl,
            ["pkeyutl", "-sign", "-rawin", "-inkey", Paths.join(home, "key"), "-in", text, "-out", signature],
            log: Paths.join(home, "openssl"), within: Self.maxRun)
        let line = Base64.encode(try Files.readAll(signature, cap: 1 << 10))
        try replaceHead(Array(line.utf8) + [ASCII.newline] + content)
    }
}
