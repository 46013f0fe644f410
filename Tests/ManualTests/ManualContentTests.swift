// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsTerminal
import ClaimsTestSupport
import Testing
import claims_manual

/// The manual pages have all there is to tell.
@Suite struct ManualContentTests {
    @Test func `claimsd-protocol(7) has every method, parameter and kind of error`() throws {
        let text = try ManualFixture.words("claimsd-protocol.7")
        for method in MethodTable.descriptions {
            #expect(text.contains("\n.SS \"\(method.name)\"\n"))
            for parameter in method.parameters { #expect(text.contains("\n\(parameter.name) (")) }
            for member in method.result { #expect(text.contains("\n\(member.name) (")) }
        }
        for kind in ErrorKind.allCases { #expect(text.contains("\n\(kind.rawValue) (\(kind.code))\n")) }
    }

    @Test func `claimsd.json5(5), claimsd-collections(5), claimsd-writing(7) and claimsd-access(7) have every key`()
        throws
    {
        for (page, tables) in [
            ("claimsd.json5.5", KeyTable.settings), ("claimsd-collections.5", KeyTable.definitions),
            ("claimsd-writing.7", KeyTable.writes), ("claimsd-access.7", KeyTable.rules),
        ] {
            let text = try ManualFixture.words(page)
            for table in tables {
                for key in table.keys { #expect(text.contains("\n\(key.name) ("), "\(page): \(key.name)") }
            }
        }
        let types = try ManualFixture.words("claimsd-collections.5")
        for type in FieldType.allCases { #expect(types.contains("\n\(type.rawValue) (")) }
    }

    @Test func `claimsd-refreshing(7) has every state, freshness and kind of failure`() throws {
        let text = try ManualFixture.words("claimsd-refreshing.7")
        let words =
            CollectionState.allCases.map(\.rawValue) + Freshness.allCases.map(\.rawValue)
            + DataSource.allCases.map(\.rawValue) + FailureKind.allCases.map(\.rawValue)
        for word in words { #expect(text.contains("\n\(word)\n"), "\(word)") }
    }

    @Test func `claimsctl(1) has every verb, option and exit code`() throws {
        let text = try ManualFixture.words("claimsctl.1")
        for verb in CommandTable.verbs { #expect(text.contains("\n.SS \"\(verb.word)")) }
        for option in Option.allCases { #expect(text.contains("--\(option.rawValue)")) }
        for code in ExitCode.allCases {
            #expect(text.contains("\n\(code.rawValue) (kinds") || text.contains("\n\(code.rawValue)\n"))
        }
        for kind in ErrorKind.allCases { #expect(text.contains(kind.rawValue)) }
    }

    @Test func `claims-filters(7) has every operator`() throws {
        let text = try ManualFixture.words("claims-filters.7")
        for comparator in FilterOperator.allCases {
            #expect(text.contains(".\(comparator.rawValue)="))
            #expect(text.contains("\n\(comparator.symbol) ("))
        }
    }

    @Test func `claimsd-messages(7) has every message of the catalogue`() throws {
        let text = try ManualFixture.words("claimsd-messages.7")
        let entries = try ManualFixture.catalog().entries
        #expect(entries.count > 20)
        for entry in entries { #expect(text.contains(entry.id)) }
    }

    @Test func `claimsd-messages(7) explains every field that the catalogue uses`() throws {
        let text = try ManualFixture.words("claimsd-messages.7")
        let catalog = try Files.readText(Paths.join(Repository.root, "systemd/claimsd.catalog"), cap: 1 << 20)
        let fields = Set(catalog.split(separator: "@").filter { $0.hasPrefix("CLAIMSD_") })
        #expect(fields.count > 10)
        for field in fields { #expect(text.contains("\n\(field)\n"), "\(field)") }
    }

    @Test func `claimsd(8) has every option of the daemon`() throws {
        let help = try ControlProgram.run("claimsd", ["--help"])
        let text = try ManualFixture.words("claimsd.8")
        let words = help.output.split { " \n[]:.".contains($0) }.filter { $0.hasPrefix("--") }
        #expect(!words.isEmpty)
        for word in words { #expect(text.contains("\n\(word)"), "\(word)") }
    }
}
