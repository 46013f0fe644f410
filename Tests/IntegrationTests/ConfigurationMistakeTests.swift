// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// A way to get one collection's part of the configuration wrong.
enum Mistake: CaseIterable, Sendable {
    case syntax, unknownKey, emptyFile, noObject, notText, folderInPlace, pipeInPlace, deadLink, missingBundle
    case takenSingular, unknownReference, badAddress

    static let path = "config/collections.d/units.json5"

    /// Makes the mistake in the definition of units.
    func make(_ folder: TemporaryFolder) throws {
        let path = folder(Self.path)
        try Directory.remove(path)
        switch self {
        case .syntax: try folder.write(Self.path, "{ source: { url: 'https://a.example' interval: '1h' } }")
        case .unknownKey: try folder.write(Self.path, "{ sorce: {} }")
        case .emptyFile: try folder.write(Self.path, "")
        case .noObject: try folder.write(Self.path, "[1]")
        case .notText: try folder.write(Self.path, [0x7b, 0xff, 0x7d])
        case .folderInPlace: try Directory.create(path)
        case .pipeInPlace: guard unsafe mkfifo(path, 0o600) == 0 else { throw SystemError.last("make a pipe") }
        case .deadLink: guard unsafe symlink("/nonexistent/units", path) == 0 else { throw SystemError.last("link") }
        case .missingBundle: try folder.write(Self.path, "{ bundle: 'bundles/none.json' }")
        case .takenSingular: try folder.write(Self.path, "{ singular: 'pack' }")
        case .unknownReference: try folder.write(Self.path, "{ sort: ['nothing'] }")
        case .badAddress: try folder.write(Self.path, "{ source: { url: 'htps://a.example' } }")
        }
    }
}

@Suite struct ConfigurationMistakeTests {
    private static let good = #"{ title: "Machines" }"#

    private func daemon(_ site: [String: String] = ["collections.d/units.json5": good]) throws -> DaemonProcess {
        try DaemonProcess(site: site)
    }

    private func status(_ daemon: DaemonProcess) throws -> JSONValue {
        try #require(try daemon.connect().request("status")["result"])
    }

    private func problems(_ daemon: DaemonProcess) throws -> [JSONValue] {
        try #require(try status(daemon)["problems"]?.array)
    }

    /// The title and `meta.definition` of units; nil where it is left out.
    private func units(_ daemon: DaemonProcess) throws -> (title: String?, definition: String?)? {
        let all = try #require(try status(daemon)["collections"]?.array)
        guard let units = all.first(where: { $0["name"]?.string == "units" }) else { return nil }
        return (units["title"]?.string, units.at("meta", "definition")?.string)
    }

    /// Whether the collections without a mistake answer.
    private func expectOthers(_ daemon: DaemonProcess) throws {
        let answer = try daemon.connect().request("count", #"{"collection":"countries"}"#)
        #expect((answer.at("result", "total")?.integer ?? 0) > 200, "\(answer)")
        #expect(answer.at("result", "meta", "definition") == nil)
    }

    private func mend(_ daemon: DaemonProcess) throws {
        try Directory.remove(daemon.folder(Mistake.path))
        try daemon.configure("collections.d/units.json5", Self.good)
        try daemon.reload()
        #expect(try problems(daemon).isEmpty)
        let units = try units(daemon)
        #expect(units?.title == "Machines" && units?.definition == nil)
    }

    @Test(arguments: Mistake.allCases)
    func `a mistake at a reload and at the next start leaves the definition before it`(mistake: Mistake) throws {
        let daemon = try daemon()
        try daemon.start()
        try mistake.make(daemon.folder)
        try daemon.reload()
        for _ in 0..<2 {
            let problem = try #require(try problems(daemon).first)
            #expect(problem["collection"]?.string == "units" && problem["message"]?.string?.isEmpty == false)
            #expect(problem["file"]?.string?.hasSuffix("units.json5") == true, "\(problem)")
            let units = try units(daemon)
            #expect(units?.title == "Machines" && units?.definition == "previous", "\(String(describing: units))")
            try expectOthers(daemon)
            #expect(try daemon.stop().code == 0)
            try daemon.start()
        }
        try mend(daemon)
        try daemon.stop()
        let lines = daemon.log.split(separator: "\n")
        // Once at the reload, and once at each start.
        #expect(
            lines.filter { $0.hasPrefix("ERROR: there is a mistake in the configuration: ") }.count == 3, "\(lines)")
        #expect(lines.filter { $0.contains("a mistake in the configuration is mended: ") }.count == 1)
        #expect(lines.filter { $0 == "the configuration was reloaded" }.count == 1)
    }

    @Test(arguments: Mistake.allCases)
    func `a mistake at the first start leaves the collection out, and mending is enough`(mistake: Mistake) throws {
        let daemon = try daemon()
        try mistake.make(daemon.folder)
        try daemon.start()
        #expect(try units(daemon) == nil)
        let answer = try daemon.connect().request("count", #"{"collection":"units"}"#)
        #expect(answer.errorKind == "unknown_collection")
        #expect(answer.at("error", "data", "hint")?.string?.contains("units.json5") == true, "\(answer)")
        try expectOthers(daemon)
        try mend(daemon)
    }

    @Test func `a folder that is gone or is a file removes nothing`() throws {
        let daemon = try daemon()
        try daemon.start()
        let folder = daemon.folder("config/collections.d")
        try Files.rename(folder, to: folder + ".away")
        try daemon.reload()
        for isFile in [false, true] {
            #expect(try problems(daemon).compactMap { $0["file"]?.string } == [folder])
            // One that is missing is a warning, for the check as for the reload.
            #expect(try problems(daemon).first?["warning"]?.boolean == (isFile ? nil : true))
            #expect(try units(daemon)?.definition == "previous")
            try expectOthers(daemon)
            try daemon.stop()
            if !isFile { try daemon.folder.write("config/collections.d", "no folder") }
            try daemon.start()
        }
        try Directory.remove(folder)
        try Files.rename(folder + ".away", to: folder)
        try daemon.reload()
        #expect(try problems(daemon).isEmpty)
        #expect(try units(daemon)?.definition == nil)
    }

    @Test func `a missing folder is a warning for a reload, a start, the check and the client`() throws {
        let daemon = try daemon()
        try daemon.start()
        let folder = daemon.folder("config/collections.d")
        try Files.rename(folder, to: folder + ".away")
        try daemon.reload()
        let status = try ControlProgram.run(["status"], socket: daemon.socket)
        #expect(status.status == .exited(0))
        #expect(status.error.contains("configuration, a warning: \(folder): the folder is missing"), "\(status.error)")
        #expect(!status.error.contains("mistake"), "\(status.error)")
        try daemon.stop()
        try daemon.start()
        try Files.rename(folder + ".away", to: folder)
        try daemon.reload()
        try daemon.stop()
        let lines = daemon.log.split(separator: "\n")
        #expect(lines.filter { $0.contains("the configuration lacks a folder: ") && $0.contains(folder) }.count == 2)
        #expect(lines.contains { $0.hasPrefix("a folder of the configuration is there again") }, "\(lines)")
        #expect(!daemon.log.contains("mistake"), "\(daemon.log)")
        try Files.rename(folder, to: folder + ".away")
        try daemon.launch(["--check-config"])
        #expect(try daemon.waitForEnd().code == 0)
    }

    @Test(arguments: [
        ("", "it is not JSON: unexpected end at byte 0"), ("[{", "it is not JSON: "),
        ("{}", "expected an array of records, not a value of the kind 'object'"),
        ("[1, 2]", "none of its 2 elements is a record; at /0: "),
        (#"[{"name": "a"}]"#, "none of its 1 elements is a record; at /0"),
    ])
    func `a bundle that is no array of records is told by the check, by the journal and as a problem, until it is good`(
        content: String, reason: String
    ) throws {
        let definition = "{ title: 'Things',\n bundle: 'things.json', fields: { id: { type: 'id', from: '/id' } } }"
        let other = "{ fields: { id: { type: 'id', from: '/id' } } }"
        let daemon = try DaemonProcess(site: [
            "collections.d/things.json5": definition, "collections.d/others.json5": other, "things.json": content,
        ])
        try daemon.launch(["--check-config"])
        #expect(try daemon.waitForEnd().code == 78)
        #expect(daemon.log.contains("things.json5:2:10: bundle: "), "\(daemon.log)")
        #expect(daemon.log.contains("things.json cannot be served: \(reason)"), "\(daemon.log)")
        try daemon.folder.write("log", "")
        try daemon.start()
        #expect(daemon.log.contains("things.json5:2:10: bundle: "), "\(daemon.log)")
        let problem = try #require(try problems(daemon).first)
        #expect(problem["key"]?.string == "bundle")
        #expect(problem["message"]?.string?.contains("things.json cannot be served: \(reason)") == true, "\(problem)")
        try daemon.configure("things.json", "[]")
        try daemon.reload()
        #expect(try problems(daemon).isEmpty)
        try daemon.stop()
    }

    @Test func `the records of a bundle stay where its file has none any more`() throws {
        let definition = "{ bundle: 'things.json', fields: { id: { type: 'id', from: '/id' } } }"
        let daemon = try DaemonProcess(site: [
            "collections.d/things.json5": definition, "things.json": #"[{"id": 1}, {"id": 2}]"#,
        ])
        try daemon.start()
        func total() throws -> Int64? {
            try daemon.connect().request("count", #"{"collection":"things"}"#)["result"]?["total"]?.integer
        }
        #expect(try total() == 2)
        try daemon.configure("things.json", #"[{"x": 1}]"#)
        try daemon.reload()
        #expect(try total() == 2 && !problems(daemon).isEmpty)
        try daemon.stop()
        try daemon.start()
        #expect(try total() == 2)
        // One that is too large to be looked at before the daemon serves is told as well, once it is to be served.
        try daemon.stop()
        try daemon.configure("things.json", "[1\(String(repeating: " ", count: 1_100_000))]")
        try daemon.start()
        #expect(try total() == 2)
        let problem = try #require(try problems(daemon).first)
        #expect(problem["message"]?.string?.contains("this bundle cannot be served: none of its 1 elements") == true)
        // Without the records of before, a request says so as well.
        try daemon.stop()
        for name in try Directory.list(daemon.folder("cache")) { Files.remove(daemon.folder("cache/\(name)")) }
        try daemon.start()
        let answer = try daemon.connect().request("search", #"{"collection":"things"}"#)
        #expect(answer.errorKind == "no_data", "\(answer)")
        let hint = answer.at("error", "data", "hint")?.string ?? ""
        #expect(hint.contains("this bundle cannot be served"), "\(answer)")
        try daemon.configure("things.json", "[{\"id\": 1}]")
        try daemon.reload()
        #expect(try total() == 1 && problems(daemon).isEmpty)
    }

    @Test func `an empty bundle and one with a bad record are good`() throws {
        for content in ["[]", #"[{"id": 1}, {"name": "b"}]"#] {
            let definition = "{ bundle: 'things.json', fields: { id: { type: 'id', from: '/id' } } }"
            let daemon = try DaemonProcess(site: ["collections.d/things.json5": definition, "things.json": content])
            try daemon.launch(["--check-config"])
            #expect(try daemon.waitForEnd().code == 0, "\(daemon.log)")
        }
    }

    @Test(arguments: [
        ("credential: 'secret'", "", "source.credential: ", "it is empty"),
        ("credential: 'secret'", "two words", "source.credential: ", "characters that a header cannot hold"),
        ("auth: { bearer: 'secret' }", "two words", "source.auth.bearer: ", "it is empty, or has"),
        ("auth: { key: { secret: 'secret', header: 'X-Key' } }", "two\nlines", "source.auth.key.secret: ", "header"),
        ("tls: { ca: 'secret' }", "no PEM", "source.tls.ca: ", "it has no certificate as PEM"),
        ("auth: { basic: { user: 'u', password: 'secret' } }", "\u{ff}", "", ""),
    ])
    func `the check names a credential whose content cannot be used`(
        members: String, content: String, key: String, reason: String
    ) throws {
        let definition = "{ source: { url: 'https://a.example/', \(members) } }"
        let daemon = try DaemonProcess(site: ["collections.d/units.json5": definition, "credentials/secret": content])
        try Files.setPermissions(daemon.folder("config/credentials/secret"), 0o600)
        try daemon.launch(["--check-config"])
        #expect(try daemon.waitForEnd().code == 0)
        guard !reason.isEmpty else {
            #expect(!daemon.log.contains("units.json5:"), "\(daemon.log)")
            return
        }
        let file = "warning: \(daemon.folder("config/collections.d/units.json5")):1:"
        #expect(daemon.log.contains(file) && daemon.log.contains(": \(key)"), "\(daemon.log)")
        #expect(daemon.log.contains(reason) && !daemon.log.contains("two"), "\(daemon.log)")
    }

    @Test func `a file that is gone is a removal, and the vendor's comes into force`() throws {
        let daemon = try daemon()
        try daemon.start()
        try Directory.remove(daemon.folder(Mistake.path))
        try daemon.reload()
        let vendors = try units(daemon)
        #expect(vendors?.title != "Machines" && vendors != nil && vendors?.definition == nil)
        #expect(try problems(daemon).isEmpty)
    }

    @Test func `settings with a mistake yield to those before, over a restart, and to the defaults at first`() throws {
        let daemon = try daemon(["claimsd.json5": "{ limits: { in_flight: 7 }"])
        func inFlight() throws -> Int64? {
            try daemon.connect().request("hello").at("result", "limits", "in_flight")?.integer
        }
        try daemon.start()
        #expect(try inFlight() == 32)
        #expect(try problems(daemon).first?["collection"] == nil)
        try daemon.configure("claimsd.json5", "{ limits: { in_flight: 7 } }")
        try daemon.reload()
        // Each loop takes new settings at the end of its tick.
        for _ in 0..<1000 where try inFlight() != 7 {}
        #expect(try inFlight() == 7)
        try daemon.configure("claimsd.json5", "{ limits: { in_flight: 'many' } }")
        try daemon.reload()
        #expect(try inFlight() == 7)
        try daemon.stop()
        try daemon.start()
        #expect(try inFlight() == 7)
        #expect(try problems(daemon).compactMap { $0["key"]?.string } == ["limits.in_flight"])
        try expectOthers(daemon)
    }

    @Test func `without one good definition the daemon ends with 78, and says why`() throws {
        let vendor = try TemporaryFolder()
        try vendor.write("collections.d/things.json5", "{ broken")
        let daemon = try DaemonProcess(data: vendor.path)
        try daemon.launch()
        #expect(try daemon.waitForEnd().code == 78)
        #expect(daemon.log.contains("things.json5:1:") && daemon.log.contains("no collection has a definition"))
        let check = "claimsd --check-config --config-dir \(daemon.folder("config")) --data-dir \(vendor.path)"
        #expect(daemon.log.contains(check) && daemon.log.contains("\(vendor.path)/collections.d"), "\(daemon.log)")
        try vendor.write("collections.d/things.json5", "{ fields: { id: { type: 'id', from: ['/id'] } } }")
        try daemon.start()
        try vendor.write("collections.d/things.json5", "{ broken")
        try daemon.stop()
        try daemon.start()
        #expect(try problems(daemon).count == 1)
    }

    @Test func `a first mistake is told where its effect is seen, with file, line and what was meant`() throws {
        let daemon = try DaemonProcess(site: [:])
        try daemon.start()
        let advice = try ControlProgram.run(["list", "--unit"], socket: daemon.socket)
        #expect(advice.code == 6 && advice.error.contains("{ source: { url: "), "\(advice)")
        let mistake = "units.json5:1:13: source.ulr: unknown key 'ulr'; did you mean 'url'?"
        for isRestarted in [false, true] {
            try daemon.configure("collections.d/units.json5", "{ source: { ulr: 'https://a.example' } }")
            if isRestarted { try daemon.stop(); try daemon.start() } else { try daemon.reload() }
            for language in ["en", "pl"] {
                let run = try ControlProgram.run(["list", "--unit", "--lang", language], socket: daemon.socket)
                let text = run.error.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(run.code == 6 && text.contains(mistake), "\(run.error)")
                #expect(!text.contains("{ source: { url: "))
            }
            let refresh = try ControlProgram.run(["refresh", "--unit", "--wait"], socket: daemon.socket)
            #expect(refresh.error.contains("source.ulr"), "\(refresh)")
            let status = try ControlProgram.run(["status", "-o", "table"], socket: daemon.socket)
            #expect(status.output.contains("source.ulr") && !status.output.contains("units}"), "\(status)")
        }
    }

    @Test func `a list whose new definition is wrong says so, and of many how many there are`() throws {
        let good = "fields: { id: { type: 'id', from: '/id' }, title: { type: 'text', from: '/title' } }"
        let writes = "writes: { to: 'local', fields: { title: {} }, create: {} }"
        let names = ["a", "b", "c", "d"]
        let files = names.map { ("collections.d/\($0).json5", "{ \(good), \(writes) }") }
        let daemon = try DaemonProcess(site: Dictionary(uniqueKeysWithValues: files))
        try daemon.start()
        let client = try daemon.connect()
        for name in names {
            let made = try client.request(
                "submit", #"{"collection":"\#(name)","action":"create","fields":{"title":"x"}}"#)
            #expect(made["result"] != nil, "\(made)")
        }
        try daemon.configure("collections.d/a.json5", "{ titel: 'A', \(good), \(writes) }")
        try daemon.reload()
        let run = try ControlProgram.run(["list", "--collection", "a"], socket: daemon.socket)
        let text = run.error.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(run.code == 0 && text.contains("a: its new definition has a mistake"), "\(run)")
        #expect(text.contains("a.json5:1:3: titel: unknown key 'titel'; did you mean 'title'?"), "\(text)")
        #expect(try ControlProgram.run(["list", "--collection", "a", "-q"], socket: daemon.socket).error.isEmpty)
        for name in names { try daemon.configure("collections.d/\(name).json5", "{ titel: 1, \(good), \(writes) }") }
        try daemon.reload()
        let all = try ControlProgram.run(["search"], socket: daemon.socket)
        #expect(all.error.contains("the new definitions of 4 collections have mistakes"), "\(all)")
    }

    @Test func `systemd's status and that of claimsctl tell the mistakes and what helps`() throws {
        let socket = try NotifySocket()
        let daemon = try DaemonProcess(
            site: ["collections.d/units.json5": "{ titel: 1 }", "collections.d/packs.json5": "{"],
            environment: ["NOTIFY_SOCKET": socket.path])
        try daemon.start()
        let ready = try socket.wait { $0.hasPrefix("READY=1") }
        #expect(ready.contains("2 mistakes in the configuration: ") && ready.contains("packs.json5:1:2"), "\(ready)")
        let run = try ControlProgram.run(["status", "-o", "table"], socket: daemon.socket)
        #expect(run.code == 0)
        let parts = [
            "units.json5:1:3:", "titel: unknown key", "left out", "claimsd --check-config", "systemctl reload claimsd",
        ]
        for part in parts {
            #expect(run.output.contains(part), "\(run.output)")
        }
        try daemon.configure("collections.d/units.json5", Self.good)
        try daemon.reload()
        try daemon.configure("collections.d/units.json5", "{ titel: 1 }")
        try daemon.reload()
        let later = try ControlProgram.run(["status", "-o", "table"], socket: daemon.socket)
        #expect(later.output.contains("units: the definition before the mistake is in force"), "\(later.output)")
    }

    @Test func `a definition that cannot be put into force is told, and the old one stays`() throws {
        let site = try Site(["units": Site.units])
        let daemon = site.daemon
        let url = site.upstream.url("units.json")
        // No file can be made in the folder of snapshots while a file is in its place.
        let cache = daemon.folder("cache")
        try Files.rename(cache, to: cache + ".away")
        try daemon.folder.write("cache", "no folder")
        try daemon.configure(
            "collections.d/units.json5",
            #"{ title: "New", source: { url: "\#(url)", interval: "1h" }, fields: { more: { type: "text", from: ["/more"] } } }"#
        )
        try daemon.reload()
        #expect(try problems(daemon).first?["message"]?.string?.contains("could not be put into force") == true)
        let old = try units(daemon)
        #expect(old?.title != "New" && old?.definition == "previous")
        #expect(try daemon.connect().request("count", #"{"collection":"units"}"#).at("result", "total")?.integer == 7)
        try expectOthers(daemon)
        #expect(!daemon.log.contains("the configuration was reloaded"))
        try Directory.remove(cache)
        try Files.rename(cache + ".away", to: cache)
        try daemon.reload()
        #expect(try problems(daemon).isEmpty)
        let new = try units(daemon)
        #expect(new?.title == "New" && new?.definition == nil)
    }
}
