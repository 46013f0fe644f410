// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct TitleTests {
    @Test func `titles of collections follow the language`() async throws {
        let title = LocalizedText([.init(language: "en", text: "Parcels"), .init(language: "pl", text: "Paczki")])
        let definition = Definition(
            name: "parcels", title: title, source: Shelf.definition.source,
            fields: Shelf.definition.fields, vocabularies: Shelf.definition.vocabularies,
            groups: Shelf.definition.groups, groupBy: Shelf.definition.groupBy)
        let view = CollectionView(
            definition: definition, snapshot: nil, archive: ArchiveOverlay(),
            condition: CollectionCondition(row: CollectionRow(number: 3, name: "parcels")))
        let shelf = try ServedShelf(others: [view])
        for method in ["describe", "status"] {
            for (params, title) in [("{}", "Parcels"), (#"{"lang":"pl"}"#, "Paczki"), (#"{"lang":"de"}"#, "Parcels")] {
                let collections = try await shelf.ask(method, params)["collections"]?.array ?? []
                #expect(collections.first { $0["name"]?.string == "parcels" }?["title"]?.string == title)
            }
        }
    }
}
