// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsModel

@Suite struct FleetMarksReadingTests {
    private static func definition(_ more: String = "archive: true,") -> String {
        "{ source: { url: \"https://api.example/units\" }, \(more) fields: { id: { type: \"id\", from: [\"/id\"] } } }"
    }

    private static let key = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
    private static let good = """
        database: "postgresql://claims@db.example:6432/claims", credential: "fleet-marks",
        ca: "/etc/ssl/certs/ca-certificates.crt", collections: ["units"]
        """
    private static let socket = """
        database: "postgresql://claims@/claims?host=/run/postgresql", collections: ["units"]
        """

    private func load(_ marks: String, definition: String = FleetMarksReadingTests.definition()) -> ConfigurationInForce
    {
        let fleet = """
            { name: "north", collections: ["units"], leaders: [
              { host: "desk-a", url: "https://desk-a.example/north/", key: "\(Self.key)" }],
              marks: \(marks) }
            """
        let texts = ["/etc/collections.d/units.json5": definition, "/etc/fleet.json5": fleet]
        let configuration = Configuration.load(
            configDirectory: "/etc", dataDirectory: "/usr",
            files: ConfigurationFiles(
                read: { path in texts[path].map { .bytes(Array($0.utf8)) } ?? .missing },
                list: { $0 == "/etc/collections.d" ? .names(["units.json5"]) : .names([]) }))
        return ConfigurationInForce(configuration, before: [])
    }

    @Test func `shared marks are read with their defaults`() throws {
        let force = load("{ \(Self.good) }")
        #expect(force.problems.isEmpty, "\(force.problems)")
        let fleet = try #require(force.fleet)
        let marks = try #require(fleet.marks)
        #expect(marks.address.hosts == [.init(name: "db.example", port: 6432)])
        #expect(marks.address.user == "claims" && marks.address.database == "claims")
        #expect(marks.schema == "claims" && marks.collections == ["units"] && !marks.address.isSocket)
        #expect(fleet.credentials(of: "depot").map(\.name) == ["fleet-marks"])
    }

    @Test func `a Unix socket needs neither authorities nor a password`() throws {
        let marks = try #require(load("{ \(Self.socket), schema: \"north_1\" }").fleet?.marks)
        #expect(marks.address.isSocket && marks.address.hosts == [.init(name: "/run/postgresql")])
        #expect(marks.schema == "north_1" && marks.ca == nil && marks.credential == nil)
        #expect(FleetMarksDefinition.Address(marks.address.text) == marks.address)
    }

    @Test func `null shares no marks`() {
        let force = load("null")
        #expect(force.problems.isEmpty && force.fleet != nil && force.fleet?.marks == nil)
    }

    @Test(arguments: [
        "postgresql://claims@db/claims", "postgresql://claims@[::1]:5433/claims", "postgresql://a%40b@db:1/c%20d",
        "postgresql://claims@/claims?host=/run/postgresql", "postgresql://claims@a,b:1,[::1],[::2]:5433/claims",
    ])
    func `an address is read and written`(text: String) throws {
        let address = try #require(FleetMarksDefinition.Address(text))
        #expect(FleetMarksDefinition.Address(address.text) == address)
    }

    @Test func `each of several hosts has a port of its own, and they stay in their order`() throws {
        let address = try #require(FleetMarksDefinition.Address("postgresql://claims@db2:6432,db1,[::1]:5433/claims"))
        #expect(
            address.hosts == [.init(name: "db2", port: 6432), .init(name: "db1"), .init(name: "::1", port: 5433)])
        #expect(address.text == "postgresql://claims@db2:6432,db1:5432,[::1]:5433/claims")
    }

    @Test(arguments: [
        "postgres://claims@db/claims", "postgresql://db/claims", "postgresql://claims@db",
        "postgresql://claims@/claims",
        "postgresql://claims:secret@db/claims", "postgresql://claims@db:0/claims", "postgresql://claims@db:x/claims",
        "postgresql://claims@db/claims?sslmode=disable", "postgresql://claims@a,,b/claims", "postgresql://@db/claims",
        "postgresql://claims@a,b,/claims", "postgresql://claims@a,b,a:5432/claims", "postgresql://claims@a,b:0/claims",
        "postgresql://claims@a,b,c,d,e,f,g,h,i/claims", "postgresql://claims@a,/run/postgresql/claims",
        "postgresql://claims@a,b/claims?host=/run",
        "postgresql://claims@db/claims?host=/run", "postgresql://claims@/claims?host=run",
        "postgresql://claims@[::1/claims",
    ])
    func `another text is no address`(text: String) {
        #expect(FleetMarksDefinition.Address(text) == nil)
    }

    @Test(arguments: [
        ("{ collections: [\"units\"] }", "database"),
        ("{ database: 7, collections: [\"units\"] }", "database"),
        ("{ database: \"http://db/claims\", collections: [\"units\"] }", "database"),
        ("{ database: \"postgresql://a@db/claims\", credential: \"x\", collections: [\"units\"] }", "ca"),
        ("{ database: \"postgresql://a@db/claims\", ca: \"/ca.pem\", collections: [\"units\"] }", "credential"),
        ("{ \(good), schema: \"North\" }", "marks.schema"), ("{ \(good), schema: \"1north\" }", "marks.schema"),
        ("{ \(socket), ca: \"/ca.pem\" }", "marks.ca"),
        ("{ \(good.replacing("\"/etc/ssl/certs/", with: "\"certs/")) }", "marks.ca"),
        ("{ \(good.replacing("fleet-marks", with: "a/b")) }", "marks.credential"),
        ("{ \(good.replacing("[\"units\"]", with: "[]")) }", "marks.collections"),
        ("{ \(good.replacing("[\"units\"]", with: "[\"units\", \"units\"]")) }", "marks.collections"),
        ("{ \(good.replacing("[\"units\"]", with: "[\"boats\"]")) }", "marks.collections"),
        ("{ \(good), table: \"x\" }", "marks.table"), ("true", "marks"),
    ])
    func `a mistake has file, line and key`(marks: String, key: String) {
        let problems = load(marks).problems
        #expect(
            problems.contains {
                $0.file == "/etc/fleet.json5" && ($0.keyPath.contains(key) || $0.message.contains(key))
            }, "\(problems)")
    }

    @Test func `records without an archive have no marks to share`() {
        let problems = load("{ \(Self.good) }", definition: Self.definition("")).problems
        #expect(problems.contains { $0.keyPath == "marks.collections" }, "\(problems)")
    }
}
