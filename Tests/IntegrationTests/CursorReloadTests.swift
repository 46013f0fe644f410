// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Pages of one list, with reloads between them.
@Suite struct CursorReloadTests {
    /// More than fit into a pipe, and into the pages that are on their way.
    private static let units = 20_000

    /// A definition of units whose ranks, fields and texts a test chooses.
    struct Shape: Sendable {
        var ranks = (ok: 20, faulty: 10)
        var name = "/name"
        var serial = "/serialNumber"
        var view = "status=ok"
        var sorts = "{}"
        var texts = ""

        func text(_ site: Site) -> String {
            """
            { source: { url: "\(site.upstream.url("units.json"))", interval: "1h" }, \(texts)
              fields: { name: { from: ["\(name)"] }, serial_number: { from: ["\(serial)"] } },
              vocabularies: { status: { codes: { ok: { rank: \(ranks.ok) }, faulty: { rank: \(ranks.faulty) } } } },
              views: { v: "\(view)" }, sorts: \(sorts) }
            """
        }
    }

    private func site(_ count: Int = 60) throws -> Site {
        let units = (1...count).map { number in
            let status = ["OK", "FAULTY", "NOT_REACHABLE"][number % 3]
            let more = #""status":"\#(status)","serialNumber":"S\#(number)"}"#
            return #"{"id":"\#(number)","name":"Unit \#(number % 7)",\#(more)"#
        }
        return try Site(["units": "[\(units.joined(separator: ","))]"])
    }

    private func reload(_ site: Site, _ shape: Shape) throws {
        try site.daemon.configure("collections.d/units.json5", shape.text(site))
        try site.daemon.reload()
    }

    /// The answer to a request for the second page, after the definition has changed.
    private func secondPage(_ params: String, from first: Shape = Shape(), to second: Shape) throws -> JSONValue {
        let site = try site()
        try reload(site, first)
        let client = try site.daemon.connect()
        let page = try client.request("search", #"{"collection":"units","limit":5,\#(params)}"#)
        let cursor = try #require(page.at("result", "next")?.string, "\(page)")
        try reload(site, second)
        return try client.request("search", #"{"collection":"units","limit":5,\#(params),"cursor":"\#(cursor)"}"#)
    }

    @Test(arguments: [
        (#""sort":"status""#, Shape(ranks: (ok: 10, faulty: 20))),
        (#""filter":"status<ok""#, Shape(ranks: (ok: 5, faulty: 6))),
        (#""sort":"name""#, Shape(name: "/serialNumber")),
        (#""filter":"name~unit""#, Shape(name: "/serialNumber")),
        (#""filter":"unit""#, Shape(name: "/serialNumber")),
        (#""view":"v""#, Shape(view: "status=ok,faulty")),
    ])
    func `a cursor ends with what its order or filter rests on, and says so`(params: String, to: Shape) throws {
        let answer = try secondPage(params, to: to)
        #expect(answer.errorKind == "bad_cursor", "\(params): \(answer)")
        #expect(answer.at("error", "message")?.string == "the definition of units has changed since the page before")
    }

    @Test(arguments: [
        (#""sort":"status""#, Shape(serial: "/name")),
        (#""sort":"name""#, Shape(ranks: (ok: 10, faulty: 20))),
        (#""filter":"status=ok""#, Shape(view: "status=faulty", sorts: "{ named: ['name'] }")),
        (#""sort":"status""#, Shape(texts: "title: 'Other', list: ['id'], groups: {},")),
    ])
    func `a cursor outlives a change of what its order and filter do not use`(
        params: String, to: Shape
    ) throws {
        let answer = try secondPage(params, to: to)
        #expect(answer.ids.count == 5, "\(params): \(answer)")
    }

    @Test(arguments: [Shape(ranks: (ok: 10, faulty: 20)), Shape(texts: "list: ['id'],")])
    func `search --all is complete and without repetition, and of one moment`(to: Shape) throws {
        let site = try site(Self.units)
        try reload(site, Shape())
        let arguments = ["search", "--unit", "--all", "--sort", "status", "-o", "jsonl"]
        let run = try runInPipe(arguments, socket: site.daemon.socket) {
            // The pipe is full now, and most of the list is still to come.
            try reload(site, to)
        }
        #expect(run.status.code == 0 && run.error == "", "\(run.error)")
        let records = try run.output.split(separator: "\n").map { try JSONValue.parse(String($0)) }
        #expect(Set(records.map { $0["id"]?.string }).count == Self.units)
        // The order is that of the definition under which the list began.
        let codes = records.map { $0["status"]?.string ?? "" }
        #expect(codes.first == "faulty" && codes.last == "ok", "\(codes.prefix(1)) \(codes.suffix(1))")
        #expect(zip(codes, codes.dropFirst()).filter { $0 != $1 }.count == 2)
    }

    /// Runs claimsctl with a pipe as its output, which is read from only after `meanwhile`.
    private func runInPipe(
        _ arguments: [String], socket: String, meanwhile: () throws -> Void
    ) throws -> ControlProgram.Outcome {
        let pipe = try FileDescriptor.pipe()
        let error = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess(
            BuiltProgram.path("claimsctl"), arguments,
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": socket]), output: pipe.writing.raw,
            error: error.raw)
        let output = pipe.keepReading()
        guard try output.wait(for: .read, timeout: LineClient.timeout) else { throw TestFailure("no output") }
        try meanwhile()
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while try output.wait(for: .read, timeout: LineClient.timeout) {
            let count = try output.read(into: &chunk)
            if count == 0 { break }
            text += chunk[..<count]
        }
        return ControlProgram.Outcome(
            status: process.wait(), output: String(decoding: text, as: UTF8.self),
            error: String(decoding: try error.read(error.size(), at: 0), as: UTF8.self))
    }
}
