// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
import ClaimsStore
import Testing

@testable import ClaimsServer

@Suite struct ServedCatalogTests {
    private let shelf: ServedShelf
    private var served: ServedCatalog { shelf.context.served }

    init() throws { shelf = try ServedShelf() }

    @Test func `a collection is found by its name and by its singular, and a near name is suggested`() throws {
        #expect(try served.collection(named: "notes").view === served.view(named: "note"))
        do throws(RequestError) {
            _ = try served.view(named: "shefl")
            Issue.record("there is no such collection")
        } catch {
            #expect(error.kind == .unknownCollection && error.hint == "did you mean 'shelf'?")
        }
    }

    @Test func `a newer catalog is seen from the next tick on`() throws {
        let before = try served.collection(named: "shelf")
        shelf.publisher.update { $0.replacing("shelf") { $0.with([], seq: 0) } }
        #expect(try served.collection(named: "shelf") === before)
        served.refresh()
        #expect(try served.collection(named: "shelf") !== before)
    }

    @Test func `a released catalog holds no data until the next tick`() throws {
        served.release()
        #expect(served.catalog.views.isEmpty && served.recent == nil)
        served.refresh()
        #expect(try served.collection(named: "shelf").snapshot != nil)
    }

    @Test func `meta is the same from the kept text and for a named language`() throws {
        let view = try served.view(named: "shelf")
        #expect(served.meta(view, language: nil) == served.meta(view, language: "de"))
        #expect(try JSONValue.parse(served.meta(view, language: nil))["age_ms"]?.integer == 5_000)
    }
}
