// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

/// The rules of who sees a collection: how they are read, whom they name, and what a mistake in them does.
struct AccessRulesTests {
    private static let fields = "fields: { id: { type: 'id', from: ['/id'] }, region: { type: 'text', from: ['/r'] } }"
    private static let path = "/data/collections.d/parcels.json5"

    private static func disk(_ access: String?, settings: String? = nil) -> ConfigurationDisk {
        var disk = ConfigurationDisk([path: "{ \(fields)\(access.map { ", access: \($0)" } ?? "") }"])
        disk.files["/site/claimsd.json5"] = settings
        return disk
    }

    /// The rules that are in force.
    private static func rules(_ access: String) throws -> AccessRules {
        var disk = disk(access)
        let force = disk.decide()
        #expect(force.problems == [])
        return try #require(force.definitions.first?.access)
    }

    private static let users: [String: UInt32] = ["anna": 1001, "nobody": 65_534]
    private static let groups: [String: UInt32] = ["leads": 50, "clerks": 60]

    /// The number of the rule that holds for a peer.
    private func rule(_ rules: AccessRules, _ user: UInt32, _ groups: Set<UInt32> = []) -> Int? {
        let resolved = rules.resolved(user: { UInt32($0) ?? Self.users[$0] }, group: { UInt32($0) ?? Self.groups[$0] })
        return resolved.rule(of: user) { groups.contains($0) }?.number
    }

    // MARK: - Whom rules name

    @Test func `the first rule that names a peer holds, alone`() throws {
        let rules = try Self.rules(
            "{ rules: [ { to: { groups: ['leads'] } }, { to: { users: ['anna', 7], groups: ['clerks', 70] }, may: [] },"
                + "{ to: 'all', rows: false } ] }")
        #expect(rule(rules, 1001) == 2 && rule(rules, 1001, [50]) == 1 && rule(rules, 7) == 2)
        #expect(rule(rules, 8, [60]) == 2 && rule(rules, 8, [70]) == 2 && rule(rules, 8) == 3)
        let last = try #require(rules.rules?.last)
        #expect(last.rows == .none && last.acts == nil && rules.rules?[1].acts == [])
    }

    @Test func `a name without a number names nobody`() throws {
        let rules = try Self.rules("{ rules: [ { to: { users: ['eve'], groups: ['guests'] } } ] }")
        #expect(rule(rules, 1001, [50, 60]) == nil)
    }

    @Test func `a number that this machine does not map is named by all only`() throws {
        let to = "{ users: ['nobody', 65534], groups: [65534] }"
        #expect(rule(try Self.rules("{ rules: [ { to: \(to) } ] }"), 65_534, [65_534]) == nil)
        #expect(rule(try Self.rules("{ rules: [ { to: \(to) }, { to: 'all' } ] }"), 65_534, [65_534]) == 2)
    }

    @Test func `without rules all see all`() throws {
        for access in ["{}", "{ rules: null }"] { #expect(try Self.rules(access).rules == nil) }
        var disk = Self.disk(nil)
        #expect(disk.decide().definitions.first?.access == nil)
    }

    @Test func `a null in a rule is as good as none`() throws {
        let rules = try Self.rules("{ rules: [ { to: 'all', rows: null, may: null } ] }")
        #expect(rules.rules == [AccessRules.Rule(.all)])
    }

    @Test func `a definition has looks told, with rules and without`() throws {
        for (text, isJournaled, count) in [
            ("{ journal: true }", true, nil), ("{ journal: true, rules: null }", true, nil),
            ("{ journal: true, rules: [ { to: 'all' } ] }", true, 1), ("{ rules: [] }", false, 0), ("{}", false, nil),
        ] as [(String, Bool, Int?)] {
            let access = try Self.rules(text)
            #expect(access.isJournaled == isJournaled && access.rules?.count == count, "\(text)")
            #expect(access.resolved(user: { _ in nil }, group: { _ in nil }).isJournaled == isJournaled)
        }
    }

    // MARK: - Records

    @Test func `a rule shows the records that a filter selects, or any filter of a peer's groups`() throws {
        let rules = try Self.rules(
            "{ rules: [ { to: { users: ['anna'] }, rows: { leads: 'region=north', '60': 'region=south', guests: 'region=x' } },"
                + "{ to: 'all', rows: 'region=east' } ] }")
        func filters(_ user: UInt32, _ groups: Set<UInt32> = []) -> [String]? {
            let resolved = rules.resolved(
                user: { UInt32($0) ?? Self.users[$0] }, group: { UInt32($0) ?? Self.groups[$0] })
            return resolved.rule(of: user) { groups.contains($0) }?.rule.filters { groups.contains($0) }
        }
        #expect(filters(1001) == [] && filters(1001, [50]) == ["region=north"] && filters(7) == ["region=east"])
        #expect(filters(1001, [60, 50]) == ["region=north", "region=south"])
        #expect(rules.rules?[0].filters.map(\.location.keyPath).last == "access.rules[0].rows.guests")
    }

    // MARK: - Mistakes

    @Test(arguments: [
        ("[]", "access", "expected an object"),
        ("{ rule: [] }", "access.rule", "unknown key 'rule'; did you mean 'rules'?"),
        ("{ rules: {} }", "access.rules", "expected an array of rules"),
        ("{ rules: [ {} ] }", "access.rules[0].to", "missing; expected \"all\""),
        ("{ rules: [ { to: 'any' } ] }", "access.rules[0].to", "expected \"all\""),
        ("{ rules: [ { to: {} } ] }", "access.rules[0].to", "names nobody"),
        ("{ rules: [ { to: 'all' }, { to: { users: ['a'] } } ] }", "access.rules[1]", "no peer is left"),
        ("{ rules: [ { to: 'all', row: false } ] }", "access.rules[0].row", "unknown key 'row'"),
        (
            "{ rules: [ { to: 'all', rows: true } ] }", "access.rules[0].rows",
            "expected a filter, an object GROUP: filter"
        ),
        ("{ rules: [ { to: 'all', rows: {} } ] }", "access.rules[0].rows", "expected filters by group"),
        ("{ rules: [ { to: 'all', rows: '' } ] }", "access.rules[0].rows", "expected a filter"),
        ("{ rules: [ { to: 'all', rows: { leads: 7 } } ] }", "access.rules[0].rows.leads", "expected a filter"),
        ("{ rules: [ { to: 'all', may: ['archiv'] } ] }", "access.rules[0].may[0]", "no act is called 'archiv'"),
        ("{ rules: [ { to: 'all', may: 'archive' } ] }", "access.rules[0].may", "expected an array of acts"),
        ("{ journal: 1 }", "access.journal", "expected true or false"),
    ])
    func `a mistake in the rules closes the collection, and the rest of the definition is taken`(
        access: String, keyPath: String, message: String
    ) throws {
        var disk = Self.disk(access)
        for _ in 0..<2 {
            let force = disk.decide()
            let definition = try #require(force.definitions.first)
            #expect(definition.access == .mistaken && definition.fields.count == 2 && !definition.isPrevious)
            let problem = try #require(force.problems.first)
            #expect(problem.keyPath == keyPath && problem.collection == "parcels")
            #expect(problem.message.hasPrefix(message) || problem.message.contains(message), "\(problem.message)")
        }
    }

    // MARK: - Fields

    private static let typed =
        "fields: { id: { type: 'id', from: ['/id'] }, name: { type: 'text', from: ['/n'] }, "
        + "iban: { type: 'text', from: ['/i'] }, born: { type: 'date', from: ['/b'] }, sum: { type: 'decimal', from: ['/s'] } }"

    @Test(
        arguments: [
            ("fields: ['name']", [.whole, .whole, .hidden, .hidden, .hidden]),
            ("fields: []", [.whole, .hidden, .hidden, .hidden, .hidden]),
            ("masks: { iban: 'last4', born: 'year' }", [.whole, .whole, .masked(.lastFour), .masked(.year), .whole]),
            (
                "fields: ['name'], masks: { iban: 'hidden', sum: { hash: 'k' } }",
                [.whole, .whole, .hidden, .hidden, .masked(.hash(key: [7]))]
            ),
            // A hash without its key is hidden.
            ("masks: { sum: { hash: 'lost' } }", [.whole, .whole, .whole, .whole, .hidden]),
            ("fields: null, masks: {}", nil), ("fields: ['name', 'iban', 'born', 'sum']", nil),
        ] as [(String, [FieldSight]?)])
    func `a rule shows fields whole, masked, or not at all`(rest: String, sights: [FieldSight]?) throws {
        var disk = ConfigurationDisk([Self.path: "{ \(Self.typed), access: { rules: [ { to: 'all', \(rest) } ] } }"])
        let force = disk.decide()
        #expect(force.problems == [])
        let definition = try #require(force.definitions.first)
        let rules = definition.access?.resolved(
            user: { _ in nil }, group: { _ in nil }, key: { $0 == "k" ? [7] : nil })
        #expect(rules?.rules?.first?.sights(of: definition) == sights)
    }

    @Test func `over an older definition, rules of a part of the fields show none that they do not speak of`() throws {
        func definition(_ fields: String, _ rest: String) throws -> Definition {
            var disk = ConfigurationDisk([
                Self.path:
                    "{ fields: { id: { type: 'id', from: ['/id'] }, \(fields) }, access: { rules: [ \(rest) ] } }"
            ])
            return try #require(disk.decide().definitions.first)
        }
        let old = try definition(
            "iban: { type: 'text', from: ['/i'] }, name: { type: 'text', from: ['/n'] }, sum: { type: 'text', from: ['/s'] }",
            "{ to: 'all' }")
        let next = try definition(
            "account: { type: 'text', from: ['/i'] }, name: { type: 'text', from: ['/n'] }, sum: { type: 'text', from: ['/t'] }",
            "{ to: { users: [7] } }, { to: 'all', masks: { account: 'last4' } }")
        let rules = try #require(old.withRules(of: next).access?.rules)
        let sights = rules.map { $0.sights(of: old.withRules(of: next)) }
        #expect(sights == [nil, [.whole, .hidden, .whole, .hidden]])
        #expect(next.access?.rules?.last?.sights(of: next) == [.whole, .masked(.lastFour), .whole, .whole])
    }

    @Test(arguments: [
        "fields: 'name'", "fields: ['nam']", "masks: { nam: 'year' }", "masks: { iban: 'year' }",
        "masks: { born: 'last4' }", "masks: { id: 'hidden' }", "masks: { iban: 'last5' }", "masks: { iban: {} }",
        "masks: { iban: { hash: '' } }", "masks: ['iban']",
    ])
    func `a mistake in fields or masks closes the collection`(rest: String) throws {
        var disk = ConfigurationDisk([Self.path: "{ \(Self.typed), access: { rules: [ { to: 'all', \(rest) } ] } }"])
        let force = disk.decide()
        #expect(force.definitions.first?.access == .mistaken && force.problems.count == 1, "\(force.problems)")
    }

    @Test func `masks show the end, the year, or a keyed hash`() {
        #expect(FieldMask.lastFour.shown("PL61109010140000071219812874") == "…2874")
        #expect(FieldMask.lastFour.shown("1234567") == "…" && FieldMask.lastFour.shown("12345678") == "…5678")
        #expect(FieldMask.year.shown("1984-02-29") == "1984" && FieldMask.year.shown("2026-01-01T00:00:00Z") == "2026")
        // RFC 4231, cases 2 and 6.
        #expect(
            FieldMask.hash(key: Array("Jefe".utf8)).shown("what do ya want for nothing?")
                == "5bdcc146bf60754e6a042426089575c7")
        #expect(
            FieldMask.hash(key: [UInt8](repeating: 0xAA, count: 131)).shown(
                "Test Using Larger Than Block-Size Key - Hash Key First") == "60e431591ee0b67f0d8a26aacbf5b77f")
    }

    // MARK: - Mistakes

    @Test func `more rules than a definition may have are a mistake`() {
        let rules = (0...AccessRules.maxRules).map { "{ to: { users: [\($0)] } }" }.joined(separator: ", ")
        var disk = Self.disk("{ rules: [ \(rules) ] }")
        let force = disk.decide()
        #expect(force.definitions.first?.access == .mistaken && force.problems.map(\.keyPath) == ["access.rules"])
    }

    @Test func `a definition whose rules were good stays in force with them, whatever is wrong next`() throws {
        for mistake in ["{ rules: [ { to: 'any' } ] }", "7", "{ rules: [] }, titel: 'x'"] {
            var disk = Self.disk("{ rules: [ { to: { users: ['anna'] } } ] }")
            let good = try #require(disk.decide().definitions.first?.access)
            disk.files[Self.path] = "{ \(Self.fields), access: \(mistake) }"
            let definition = try #require(disk.decide().definitions.first)
            #expect(definition.access == good && definition.isPrevious)
        }
    }

    @Test func `the first rules of an open definition close it where they have a mistake`() throws {
        for rest in ["", ", titel: 'x'"] {
            var disk = Self.disk(nil)
            _ = disk.decide()
            disk.files[Self.path] = "{ \(Self.fields), access: { rules: [ { to: 'any' } ] }\(rest) }"
            let closed = try #require(disk.decide().definitions.first)
            #expect(closed.access == .mistaken && closed.isPrevious == (rest != ""))
            #expect(closed.fields.count == 2)
            // A file that cannot be read says nothing of rules, and opens nothing.
            for text in [disk.files[Self.path], "{"] {
                disk.files[Self.path] = text
                #expect(try #require(disk.decide().definitions.first).access?.rules == [])
            }
            disk.files[Self.path] = "{ \(Self.fields) }"
            #expect(try #require(disk.decide().definitions.first).access == nil)
        }
    }

    @Test func `a mistake elsewhere leaves out a definition that was never good, whatever its rules are`() {
        var disk = Self.disk("{ rules: [ { to: 'any' } ] }, titel: 'x'")
        #expect(disk.decide().definitions.isEmpty)
    }

    @Test func `settings and rules are taken before a definition whose files are not built`() throws {
        var disk = Self.disk("{ rules: null }")
        let running = disk.decide()
        disk = Self.disk("{ rules: [] }, title: 'new'", settings: "{ language: 'pl' }")
        let taken = running.takingRules(of: disk.decide())
        #expect(taken.settings.language == "pl" && taken.definitions.map(\.access) == [AccessRules([])])
        #expect(taken.definitions.map(\.title) == running.definitions.map(\.title))
    }

    // MARK: - Definitions without rules

    @Test func `the settings may close definitions without rules`() throws {
        var disk = Self.disk(nil, settings: "{ access: { default: 'closed' } }")
        #expect(try #require(disk.decide().definitions.first).access == .closed)
        disk = Self.disk("{ rules: null }", settings: "{ access: { default: 'closed' } }")
        #expect(try #require(disk.decide().definitions.first).access == AccessRules(nil))
        disk = Self.disk(nil, settings: "{ access: { default: 'open' } }")
        #expect(try #require(disk.decide().definitions.first).access == nil)
    }

    @Test(arguments: [
        ("{ access: { default: 'closed' }, languag: 'pl' }", true), ("{ access: { default: 'shut' } }", true),
        ("{ access: { default: 'closed' }", true), ("{ languag: 'pl' }", false),
    ])
    func `settings with a mistake open nothing, with nothing kept of those before`(
        settings: String, isClosed: Bool
    ) throws {
        var disk = Self.disk(nil, settings: settings)
        let force = disk.decide()
        #expect(force.problems.count == 1)
        #expect(try #require(force.definitions.first).access == (isClosed ? .closed : nil))
    }

    @Test func `an unreadable folder opens nothing, with nothing kept of what it had`() {
        var disk = Self.disk(nil)
        disk.folders["/site"] = .unreadable("no")
        #expect(disk.decide().settings.defaultAccess == .closed)
    }

    @Test func `new rules outlive the definition that is kept for its data`() throws {
        var disk = Self.disk("{ rules: [ { to: { users: [1] } } ] }")
        let running = disk.decide()
        disk = Self.disk("{ rules: [ { to: { users: [2] } } ] }")
        let kept = disk.decide().keeping(running, after: ["parcels": "no room"])
        disk.texts = kept.texts
        disk.files[Self.path] = "{"
        let rules = try #require(disk.decide().definitions.first?.access)
        #expect(rule(rules, 2) == 1 && rule(rules, 1) == nil)
    }

    @Test func `settings that were good keep closing`() throws {
        var disk = Self.disk(nil, settings: "{ access: { default: 'closed' } }")
        _ = disk.decide()
        disk.files["/site/claimsd.json5"] = "{ language: 7 }"
        #expect(try #require(disk.decide().definitions.first).access == .closed)
    }
}
