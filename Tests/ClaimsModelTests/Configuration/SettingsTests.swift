// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct SettingsTests {
    private static func settings(_ text: String, site: String? = nil) -> Configuration {
        var files = ["/data/claimsd.json5": text]
        files["/site/claimsd.json5"] = site
        return ConfigurationFixture.load(files)
    }

    @Test func `without a file everything has its default`() {
        #expect(ConfigurationFixture.load([:]).settings == Settings())
        #expect(ConfigurationFixture.load([:]).problems == [])
    }

    @Test func `a site's settings are merged over the vendor's`() {
        let configuration = Self.settings(
            "{ language: 'pl', limits: { line: '2M', depth: 32 }, roles: { admin: { users: ['root'], groups: [] } } }",
            site: "{ limits: { depth: 16, connect: '2s', transfer: 90 }, guard: { loss: 0.25, confirm: '1h' } }")
        #expect(configuration.problems == [])
        let settings = configuration.settings
        #expect(settings.language == "pl")
        #expect(settings.limits.line == 2 << 20)
        #expect(settings.limits.depth == 16)
        #expect(settings.limits.terms == 256)
        #expect(settings.transfer.connect == .seconds(2))
        #expect(settings.transfer.transfer == .seconds(90))
        var shrinkGuard = GuardSettings()
        shrinkGuard.loss = 0.25
        shrinkGuard.confirm = .seconds(3600)
        #expect(settings.shrinkGuard == shrinkGuard)
        #expect(settings.roles.admin == RoleSettings.Members(users: ["root"]))
        #expect(settings.roles.archive == RoleSettings.Members(groups: ["claims"]))
    }

    @Test func `a rate of null frees a host from the rate of the others`() {
        let hosts = #"{ "*": { rate: "9/s" }, "a.example": { rate: null }, "b.example": { concurrency: null } }"#
        let settings = Self.settings("{ hosts: \(hosts) }")
        #expect(settings.problems == [])
        let table = settings.settings.hosts
        #expect(table["a.example"].rate == nil)
        #expect(table["b.example"] == table.standard && table.standard.rate?.text == "9/s")
    }

    @Test func `every key can be set`() {
        let configuration = Self.settings(
            """
            { language: "pl_PL",
              limits: { body: 1, records: 2, expansion: 3, redirects: 4, connect: 5, first_byte: 6, transfer: 7, pages: 24,
                pause: 25, line: 8000,
                depth: 9, filter: 1000, terms: 11, filter_depth: 12, clients: 13, clients_per_user: 14, in_flight: 15,
                unsent: 16000, subscriptions: 17, subscriptions_per_user: 20, subscriptions_all: 21, heartbeat: 22, stall: 23,
                request: 18, answer: 19000, fetches: 24 },
              hosts: { "*": { concurrency: 2 }, "API.example.": { rate: "100/min" }, "::1": { concurrency: 9, rate: null } },
              guard: { loss: 1, quarantine: 0, confirm: 0 }, history: { keep: "1y", changes: 5 },
              roles: { archive: { users: ["ann", 1000], groups: [7] }, admin: {} } }
            """)
        #expect(configuration.problems == [])
        var expected = Settings()
        expected.language = "pl"
        expected.transfer.body = 1
        expected.transfer.records = 2
        expected.transfer.expansion = 3
        expected.transfer.redirects = 4
        expected.transfer.connect = .seconds(5)
        expected.transfer.firstByte = .seconds(6)
        expected.transfer.transfer = .seconds(7)
        expected.transfer.pages = 24
        expected.transfer.pause = .seconds(25)
        expected.limits.line = 8000
        expected.limits.depth = 9
        expected.limits.filter = 1000
        expected.limits.terms = 11
        expected.limits.filterDepth = 12
        expected.limits.clients = 13
        expected.limits.clientsPerUser = 14
        expected.limits.inFlight = 15
        expected.limits.unsent = 16_000
        expected.limits.subscriptions = 17
        expected.limits.subscriptionsPerUser = 20
        expected.limits.subscriptionsAll = 21
        expected.limits.heartbeat = .seconds(22)
        expected.limits.stall = .seconds(23)
        expected.limits.request = .seconds(18)
        expected.limits.answer = 19_000
        expected.fetching.fetches = 24
        expected.hosts.standard = HostLimits(concurrency: 2)
        expected.hosts.named = [
            "api.example": HostLimits(concurrency: 2, rate: RequestRate(100, each: .minute)),
            "[::1]": HostLimits(concurrency: 9),
        ]
        expected.shrinkGuard.loss = 1
        expected.shrinkGuard.quarantine = 0
        expected.shrinkGuard.confirm = .zero
        expected.history.keep = .seconds(31_557_600)
        expected.history.changes = 5
        expected.roles.archive = .init(users: ["ann", "1000"], groups: ["7"])
        expected.roles.admin = .init()
        #expect(configuration.settings == expected)
    }

    @Test(arguments: [
        ("{ limit: {} }", "limit", "unknown key 'limit'; did you mean 'limits'?"),
        ("{ limits: { clinets: 1 } }", "limits.clinets", "unknown key 'clinets'; did you mean 'clients'?"),
        ("{ limits: { clients: 0 } }", "limits.clients", "expected a whole number from 1 to 1000000, found 0"),
        (
            "{ limits: { line: '1' } }", "limits.line",
            "expected a size from 1024 to 1125899906842624 bytes, such as \"64M\" or 4096, found '1'"
        ),
        ("{ guard: { loss: 50 } }", "guard.loss", "expected a share from 0 to 1, found 50"),
        (
            "{ history: { keep: 'long' } }", "history.keep",
            "expected a span of time, such as \"5min\" or \"1h 30min\", found 'long'"
        ),
        (
            "{ roles: { archive: { users: 'ann' } } }", "roles.archive.users",
            "expected an array of names or numbers, found 'ann'"
        ),
        (
            "{ roles: { archive: { groups: [true] } } }", "roles.archive.groups[0]",
            "expected a name or a number, found true"
        ),
        ("{ roles: { reader: {} } }", "roles.reader", "unknown key 'reader'; expected one of archive, write, admin"),
        (
            "{ hosts: [] }", "hosts",
            "expected an object of limits by host, such as { \"api.example\": { concurrency: 4 } }, found an array"
        ),
        (
            "{ hosts: { 'https://api.example/': {} } }", "hosts.\"https://api.example/\"",
            "'https://api.example/' is no host; expected its name without scheme, port and path, or *"
        ),
        (
            "{ hosts: { 'api.example:8080': {} } }", "hosts.\"api.example:8080\"",
            "'api.example:8080' is no host; expected its name without scheme, port and path, or *"
        ),
        ("{ hosts: { a: {}, 'A.': {} } }", "hosts.\"A.\"", "the host 'a' is named twice"),
        (
            "{ hosts: { a: { concurrency: 0 } } }", "hosts.a.concurrency",
            "expected a whole number from 1 to 1000, found 0"
        ),
        (
            "{ hosts: { a: { rate: '10001/s' } } }", "hosts.a.rate",
            "expected a rate from 1 to 10000 per s, min or h, such as \"100/min\", found '10001/s'"
        ),
        (
            "{ hosts: { a: { rate: 5 } } }", "hosts.a.rate",
            "expected a rate from 1 to 10000 per s, min or h, such as \"100/min\", found 5"
        ),
        ("{ hosts: { a: { rte: '1/s' } } }", "hosts.a.rte", "unknown key 'rte'; did you mean 'rate'?"),
        ("{ language: 5 }", "language", "expected a language such as en or pl, found 5"),
    ])
    func `a mistake is named with its key path`(text: String, keyPath: String, message: String) {
        let configuration = Self.settings(text)
        #expect(configuration.problems.map(\.keyPath) == [keyPath])
        #expect(configuration.problems.map(\.message) == [message])
        #expect(configuration.problems.allSatisfy { $0.collection == nil && $0.file == "/data/claimsd.json5" })
    }
}

@Suite struct LimitKeyTests {
    @Test func `each limit has a default in its range, and reads back what is set`() {
        check(ServingLimits.self)
        check(FetchLimits.self)
        check(TransferLimits.self)
        check(GuardSettings.self)
        check(HistorySettings.self)
    }

    private func check<Limits: LimitGroup>(_ group: Limits.Type) {
        #expect(Set(Limits.keys.map(\.name)).count == Limits.keys.count)
        for key in Limits.keys {
            var limits = Limits()
            let value: LimitValue
            switch (key.range, key.standard) {
            case (.count(let range), .count(let standard)):
                #expect(range.contains(standard), "\(key.name)")
                value = .count(range.lowerBound)
            case (.bytes(let minimum), .bytes(let standard)):
                #expect(standard >= minimum, "\(key.name)")
                value = .bytes(minimum)
            case (.span(let minimum, let maximum), .span(let standard)):
                #expect(standard >= minimum && standard <= maximum ?? standard, "\(key.name)")
                value = .span(minimum)
            case (.share, .share): value = .share(1)
            default:
                Issue.record("the default of \(key.name) has another unit than its range")
                continue
            }
            key.set(value, in: &limits)
            #expect(key.value(in: limits) == value, "\(key.name)")
            #expect(limits != Limits(), "\(key.name)")
        }
    }

    @Test(arguments: [(64 << 20, "64M"), (4096, "4K"), (1000, "1000"), (1 << 50, "1024T"), (0, "0")])
    func `a size is written as it is read`(size: Int, text: String) {
        #expect(ByteSize.text(of: size) == text)
        #expect(ByteSize.parse(text) == size)
    }

    @Test(
        arguments: [
            (.seconds(60), "60s"), (.seconds(600), "10min"), (.seconds(30 * 86_400), "30d"),
            (.milliseconds(1500), "1500ms"),
            (.milliseconds(1), "1ms"), (.zero, "0"), (.microseconds(7), "7us"), (.seconds(1), "1s"),
        ] as [(Duration, String)])
    func `a span is written as it is read`(span: Duration, text: String) {
        #expect(TimeSpan.text(of: span) == text)
        #expect(TimeSpan.parse(text) == span)
    }
}
