// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsModel

@Suite struct FleetReadingTests {
    private static let key = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
    private static let definition =
        #"{ source: { url: "https://api.example/units" }, fields: { id: { type: "id", from: ["/id"] } } }"#

    private static func leader(_ host: String, url: String? = nil, key: String = FleetReadingTests.key) -> String {
        "{ host: \"\(host)\", url: \"\(url ?? "https://\(host).example/north/")\", key: \"\(key)\" }"
    }

    private static func fleet(_ members: String = "", leaders: String = FleetReadingTests.leader("desk-a")) -> String {
        "{ name: \"north\", collections: [\"units\"], leaders: [\(leaders)], \(members) }"
    }

    private func load(
        _ fleet: String?, _ definition: String = FleetReadingTests.definition, before: [TextInForce] = []
    ) -> ConfigurationInForce {
        var files = ["/etc/collections.d/units.json5": definition]
        files["/etc/fleet.json5"] = fleet
        let texts = files
        let configuration = Configuration.load(
            configDirectory: "/etc", dataDirectory: "/usr",
            files: ConfigurationFiles(
                read: { path in texts[path].map { .bytes(Array($0.utf8)) } ?? .missing },
                list: { folder in
                    let names = texts.keys.filter { $0.hasPrefix("\(folder)/") }.map {
                        String($0.dropFirst(folder.count + 1))
                    }
                    return .names(names.filter { !$0.contains("/") })
                }))
        return ConfigurationInForce(configuration, before: before)
    }

    @Test func `a fleet is read with its defaults`() throws {
        let force = load(Self.fleet())
        #expect(force.problems.isEmpty, "\(force.problems)")
        let fleet = try #require(force.fleet)
        #expect(fleet.name == "north" && fleet.collections == ["units"] && fleet.poll == .seconds(5))
        #expect(fleet.leaders.map(\.host) == ["desk-a"])
        #expect(fleet.leaders[0].address(of: "head") == "https://desk-a.example/north/head")
        #expect(fleet.leaders[0].keys.map(\.bytes.count) == [32])
    }

    @Test func `without the file there is no fleet, and a vendor's file is none`() {
        #expect(load(nil).fleet == nil)
        #expect(load(nil).problems.isEmpty)
    }

    @Test(arguments: [
        (#"{ collections: ["units"], leaders: [] }"#, "name"),
        (fleet().replacing("north\"", with: "North\""), "name"),
        (fleet().replacing("[\"units\"]", with: "[]"), "collections"),
        (fleet().replacing("[\"units\"]", with: "[\"units\", \"units\"]"), "collections"),
        (fleet().replacing("[\"units\"]", with: "[\"boats\"]"), "collections"),
        (fleet(leaders: ""), "leaders"),
        (fleet(leaders: leader("a", url: "https://a.example/north")), "url"),
        (fleet(leaders: leader("a", url: "https://a.example/north/?x=1")), "url"),
        (fleet(leaders: leader("a", url: "file:///north/")), "url"),
        (fleet(leaders: leader("a", key: "MCow")), "key"),
        (fleet(leaders: leader("a") + ", " + leader("b")), "key"),
        (fleet(leaders: leader("a") + ", " + leader("a")), "host"),
        (fleet("poll: \"1s\""), "poll"), (fleet("poll: \"31s\""), "poll"),
        (fleet("leader: 1"), "leader"),
    ])
    func `a mistake has file, line and key`(text: String, key: String) {
        let problems = load(text).problems
        #expect(
            problems.contains {
                $0.file == "/etc/fleet.json5" && ($0.keyPath.contains(key) || $0.message.contains(key))
            },
            "\(problems)")
    }

    @Test func `what cannot go well among several hosts is told, and hinders nothing`() throws {
        let fields = #"fields: { id: { type: "id", from: ["/id"] } }"#
        let writes = #"writes: { to: "upstream", update: { method: "PUT", url: "https://api.example/units/{id}" } }"#
        for (interval, count) in [("10m", 1), ("7m", 0)] {
            let definition =
                "{ source: { url: \"https://api.example/units\", interval: \"\(interval)\" }, \(fields), \(writes) }"
            let loaded = load(Self.fleet(), definition)
            let told = loaded.problems.filter { $0.location.keyPath == "collections" }
            #expect(told.count == count && told.allSatisfy(\.isWarning), "\(interval): \(loaded.problems)")
            #expect(loaded.fleet != nil)
        }
        let token = """
            { source: { url: "https://api.example/units",
                auth: { oauth2: { url: "https://api.example/token", client: "claims", secret: "secret", refresh: "grant" } } }, \(fields) }
            """
        let leaders = "\(Self.leader("desk-a")), \(Self.leader("desk-b", key: Self.key.replacing("Gb9", with: "Gb8")))"
        #expect(load(Self.fleet(), token).problems.filter { $0.message.contains("oauth2.refresh") }.isEmpty)
        let problems = load(Self.fleet(leaders: leaders), token).problems
        #expect(problems.filter { $0.message.contains("oauth2.refresh") && $0.isWarning }.count == 1, "\(problems)")
    }

    @Test func `a broken file yields to its last good text, and a removed one to none`() throws {
        let good = load(Self.fleet())
        let broken = load("{ name: 7", before: good.texts)
        #expect(broken.fleet == good.fleet)
        #expect(!broken.problems.isEmpty)
        #expect(load("{ name: 7", before: broken.texts).fleet == good.fleet, "over another restart")
        #expect(load(nil, before: good.texts).fleet == nil)
    }
}
