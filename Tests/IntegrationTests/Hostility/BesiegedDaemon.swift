// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// A daemon with a collection of a thousand records, to be attacked while others go on asking.
final class BesiegedDaemon: Sendable {
    static let records = 1000
    /// The most memory without a file behind it that the daemon may take.
    static let memory = 150 << 20
    /// Long enough for a machine that does other things besides; the daemon itself needs milliseconds.
    static let maxAnswer = Duration.seconds(5)

    let upstream: UpstreamProcess
    let daemon: DaemonProcess

    /// - Parameters:
    ///   - site: further configuration files.
    ///   - source: further members of the collection's source.
    init(site: [String: String] = [:], source: String = "") throws {
        upstream = try UpstreamProcess(["things.json": Self.answer(Self.records)])
        daemon = try DaemonProcess(
            site: [
                "collections.d/things.json5": Self.definition(url: upstream.url("things.json"), source: source)
            ].merging(site) { $1 })
        try daemon.start()
        let client = try daemon.connect()
        let refreshed = try client.request("refresh", #"{"collection":"things","wait":true}"#)
        let meta = refreshed["result"]?["collections"]?.array?.first?["meta"]
        try client.leave()
        #expect(meta?["last_error"] == .null, "\(String(decoding: refreshed.compactBytes, as: UTF8.self))")
        try expectUnharmed()
    }

    /// Runs an attack while a client asks in peace; then the daemon must be the same, and as it was.
    ///
    /// The value that the attack returns stays until the client was answered some more.
    @discardableResult
    func withstand<Remains>(
        _ manner: Witness.Manner = .both, _ attack: () throws -> Remains
    ) throws -> Witness.Report {
        let pid = try #require(daemon.pid)
        let witness = try Witness(daemon, manner)
        // A client that has never asked makes room for others first; the promise is not made to it.
        try witness.ask(2)
        let remains = try attack()
        try withExtendedLifetime(remains) { try witness.ask(20) }
        let report = witness.finish()
        #expect(report.failures.isEmpty, "\(report)")
        #expect(report.answers > 0 && report.slowest < Self.maxAnswer, "\(report)")
        #expect(report.memory < Self.memory || BuiltProgram.isSanitized, "\(report)")
        #expect(daemon.pid == pid)
        try expectUnharmed()
        return report
    }

    /// It answers, and with all its records.
    func expectUnharmed() throws {
        let client = try daemon.connect()
        let answer = try client.request("count", #"{"collection":"things"}"#)
        try client.leave()
        #expect(answer["result"]?["total"]?.integer == Int64(Self.records), "\(daemon.log.suffix(2000))")
    }

    static func answer(_ count: Int, note: String = "all of it good") -> String {
        let records = (0..<count).map { number in
            #"{"id":"\#(number)","title":"Thing number \#(number), \#(note)","state":"\#(number % 3 == 0 ? "ok" : "lost")","#
                + #""size":\#(number * 7 % 1000),"text":"\#(String(repeating: "some words that fill it ", count: 20))"}"#
        }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    static func definition(url: String, source: String = "") -> String {
        """
        {
            source: { url: "\(url)", interval: "1h", \(source) },
            fields: {
                id: { type: "id", from: ["/id"] },
                title: { type: "text", from: ["/title"], search: true },
                state: { type: "enum", from: ["/state"], vocabulary: "states" },
                size: { type: "integer", from: ["/size"] },
                seen: { type: "instant", from: ["/seen"] },
                text: { type: "text", from: ["/text"], search: true },
            },
            vocabularies: { states: { fallback: "other", codes: { ok: {}, lost: {}, other: {} } } },
            archive: true,
        }
        """
    }
}
