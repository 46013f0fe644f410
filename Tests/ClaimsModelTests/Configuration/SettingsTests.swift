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
        #expect(settings.shrinkGuard == GuardSettings(loss: 0.25, confirm: .seconds(3600)))
        #expect(settings.roles.admin == RoleSettings.Members(users: ["root"]))
        #expect(settings.roles.archive == RoleSettings.Members(groups: ["claims"]))
    }

    @Test func `every key can be set`() {
        let configuration = Self.settings(
            """
            { language: "pl_PL",
              limits: { body: 1, records: 2, expansion: 3, redirects: 4, connect: 5, first_byte: 6, transfer: 7, line: 8000,
                depth: 9, filter: 1000, terms: 11, filter_depth: 12, clients: 13, clients_per_user: 14, in_flight: 15,
                unsent: 16000, subscriptions: 17, request: 18, answer: 19000 },
              guard: { loss: 1, quarantine: 0, confirm: 0 }, history: { keep: "1y", changes: 5 },
              roles: { archive: { users: ["ann", 1000], groups: [7] }, admin: {} } }
            """)
        #expect(configuration.problems == [])
        #expect(
            configuration.settings
                == Settings(
                    language: "pl",
                    transfer: TransferLimits(
                        body: 1, records: 2, expansion: 3, redirects: 4, connect: .seconds(5), firstByte: .seconds(6),
                        transfer: .seconds(7)),
                    limits: ServingLimits(
                        line: 8000, depth: 9, filter: 1000, terms: 11, filterDepth: 12, clients: 13,
                        clientsPerUser: 14, inFlight: 15, unsent: 16_000, subscriptions: 17, request: .seconds(18),
                        answer: 19_000),
                    shrinkGuard: GuardSettings(loss: 1, quarantine: 0, confirm: .zero),
                    history: HistorySettings(keep: .seconds(31_557_600), changes: 5),
                    roles: RoleSettings(
                        archive: .init(users: ["ann", "1000"], groups: ["7"]), admin: .init())))
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
        ("{ roles: { reader: {} } }", "roles.reader", "unknown key 'reader'; expected one of archive, admin"),
        ("{ language: 5 }", "language", "expected a language such as en or pl, found 5"),
    ])
    func `a mistake is named with its key path`(text: String, keyPath: String, message: String) {
        let configuration = Self.settings(text)
        #expect(configuration.problems.map(\.keyPath) == [keyPath])
        #expect(configuration.problems.map(\.message) == [message])
        #expect(configuration.problems.allSatisfy { $0.collection == nil && $0.file == "/data/claimsd.json5" })
    }
}
