// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// With any fault of an upstream, the good records are served, the failure has its name, and others are answered.
@Suite(.serialized) struct MisbehavingUpstreamTests {
    /// The deadlines are short only where they are what is tried: a busy machine makes a gzip bomb in over a second.
    private static func limits(ofTime isAboutTime: Bool = false) -> String {
        let deadlines = isAboutTime ? #"connect: "1s", first_byte: "1s", transfer: "2s""# : #"transfer: "60s""#
        return #"limits: { body: "8M", records: 5000, \#(deadlines) },"#
    }

    @Test(arguments: UpstreamFault.Group.allCases)
    func `no fault changes what is served, and each is told by its name`(_ group: UpstreamFault.Group) throws {
        let besieged = try BesiegedDaemon(source: Self.limits(ofTime: group == .time))
        let client = try besieged.daemon.connect()
        // The fetch of the start may follow the one that was waited for, and confirm the data once more: this one ends last.
        _ = try refresh(client, #""force":true"#)
        let good = try meta(client)
        try besieged.withstand {
            for fault in group.faults {
                try besieged.upstream.misbehave("things.json", fault.step)
                let answer = try refresh(client, #""force":true"#)
                let told: Comment = "\(fault.step): \(String(decoding: answer.compactBytes, as: UTF8.self))"
                #expect(answer["outcome"]?.string == (fault.kind == "held" ? "held" : "failed"), told)
                let meta = try #require(answer["meta"], told)
                let failure = try #require(meta["last_error"]?.object == nil ? nil : meta["last_error"], told)
                #expect(failure["kind"]?.string == fault.kind, told)
                #expect(failure["status"]?.integer == fault.status, told)
                #expect(failure["message"]?.string?.isEmpty == false, told)
                for member in ["state", "source", "as_of", "generation"] {
                    #expect(meta[member] == good[member], told)
                }
                try besieged.expectUnharmed()
            }
            try besieged.upstream.behave()
        }
        let recovered = try refresh(client, #""force":true"#)
        #expect(recovered["outcome"]?.string == "unchanged")
        #expect(recovered["meta"]?["last_error"] == .null)
        #expect(recovered["meta"]?["generation"] == good["generation"])
    }

    @Test func `unusual answers that are right are taken`() throws {
        let besieged = try BesiegedDaemon(source: Self.limits())
        let client = try besieged.daemon.connect()
        for (number, step) in UpstreamFault.unusual.enumerated() {
            try besieged.upstream.folder.write(
                "things.json", BesiegedDaemon.answer(BesiegedDaemon.records, note: "round \(number)"))
            try besieged.upstream.misbehave("things.json", step)
            let answer = try refresh(client, #""force":true"#)
            let told: Comment = "\(step): \(String(decoding: answer.compactBytes, as: UTF8.self))"
            #expect(answer["outcome"]?.string == "updated", told)
            #expect(answer["meta"]?["last_error"] == .null, told)
            let record = try client.request("detail", #"{"collection":"things","id":"17"}"#)
            #expect(record["result"]?["record"]?["title"]?.string?.hasSuffix("round \(number)") == true, told)
        }
    }

    @Test func `pages are taken all together or not at all`() throws {
        let besieged = try BesiegedDaemon(source: Self.limits() + "next: { link: true },")
        let client = try besieged.daemon.connect()
        let good = try meta(client)
        try besieged.upstream.folder.write("things.json", BesiegedDaemon.answer(BesiegedDaemon.records, note: "paged"))
        for step in UpstreamFault.brokenPages {
            try besieged.upstream.misbehave("things.json", step.step)
            let answer = try refresh(client, #""force":true"#)
            let told: Comment = "\(step.step): \(String(decoding: answer.compactBytes, as: UTF8.self))"
            #expect(answer["meta"]?["last_error"]?["kind"]?.string == step.kind, told)
            #expect(answer["meta"]?["generation"] == good["generation"], told)
        }
        try besieged.upstream.misbehave("things.json", UpstreamFault.soundPages)
        let answer = try refresh(client, #""force":true"#)
        #expect(answer["updated"]?.integer == Int64(BesiegedDaemon.records))
        try besieged.expectUnharmed()
    }

    @Test func `every fault that there is is tried`() throws {
        let help = try ControlProgram.run("claims-upstream", ["--help"]).output
        let line = try #require(help.split(separator: "\n").first { $0.hasPrefix("Faults: ") })
        let steps = UpstreamFault.Group.allCases.flatMap(\.faults).map(\.step) + UpstreamFault.brokenPages.map(\.step)
        let tried = (steps + UpstreamFault.unusual).joined()
        for name in line.dropFirst("Faults: ".count).split(separator: " ") {
            #expect(tried.contains("\"\(name)\""), "\(name)")
        }
    }

    @Test func `nobody listening is a failure like another`() throws {
        let besieged = try BesiegedDaemon(source: Self.limits())
        let client = try besieged.daemon.connect()
        try besieged.upstream.resetConnections(1)
        #expect(try refresh(client, #""force":true"#)["meta"]?["last_error"]?["kind"] == "unreachable")
        besieged.upstream.stop()
        #expect(try refresh(client, #""force":true"#)["meta"]?["last_error"]?["kind"] == "unreachable")
        try besieged.expectUnharmed()
        try besieged.upstream.start()
        #expect(try refresh(client, #""force":true"#)["meta"]?["last_error"] == .null)
    }

    @Test func `a source that hangs delays no other`() throws {
        let other = try UpstreamProcess(["others.json": #"[{"id":"1","title":"first"}]"#])
        let besieged = try BesiegedDaemon(
            site: ["collections.d/others.json5": BesiegedDaemon.definition(url: other.url("others.json"))])
        let client = try besieged.daemon.connect()
        try besieged.upstream.misbehave("things.json", #"{"fault":"hang","hold":true}"#)
        try client.send(#"{"id":"slow","method":"refresh","params":{"collection":"things","wait":true,"force":true}}"#)
        try besieged.upstream.requests("things.json", count: 2)
        for round in 0..<5 {
            try other.folder.write("others.json", #"[{"id":"1","title":"round \#(round)"}]"#)
            let answer = try besieged.daemon.connect()
                .request("refresh", #"{"collection":"others","wait":true}"#)
            #expect(answer["result"]?["collections"]?.array?.first?["outcome"] == "updated")
        }
        try besieged.expectUnharmed()
    }

    private func refresh(_ client: LineClient, _ parameters: String) throws -> JSONValue {
        let answer = try client.request("refresh", #"{"collection":"things","wait":true,\#(parameters)}"#)
        return try #require(
            answer["result"]?["collections"]?.array?.first, "\(String(decoding: answer.compactBytes, as: UTF8.self))")
    }

    private func meta(_ client: LineClient) throws -> JSONValue {
        let answer = try client.request("count", #"{"collection":"things"}"#)
        return try #require(answer["result"]?["meta"])
    }
}
