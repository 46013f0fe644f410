// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct ServedCatalogTests {
    private let shelf: ServedShelf
    private var served: ServedCatalog { shelf.context.served }

    init() throws {
        shelf = try ServedShelf()
        served.showAll()
    }

    @Test func `a collection is found by its name and by its singular, and a near name is suggested`() throws {
        #expect(try served.collection(named: "notes").view === served.view(named: "note"))
        do throws(RequestError) {
            _ = try served.view(named: "shefl")
            Issue.record("there is no such collection")
        } catch {
            #expect(error.kind == .unknownCollection && error.hint == "did you mean 'shelf'?")
        }
    }

    @Test(arguments: ["units", "unit", "unis"])
    func `a collection that is left out is told with the mistake in its definition, by a name near to it`(
        name: String
    ) throws {
        let location = ConfigurationLocation(file: "/site/units.json5", line: 3, column: 5, keyPath: "source.ulr")
        served.configuration.problems.set([
            ConfigurationProblem(location: location, message: "unknown key 'ulr'", collection: "units")
        ])
        do throws(RequestError) {
            _ = try served.view(named: name)
            Issue.record("there is no such collection")
        } catch {
            #expect(error.kind == .unknownCollection && error.message.contains("'units' has a mistake"))
            #expect(error.hint == "/site/units.json5:3:5: source.ulr: unknown key 'ulr'")
            let problems = try #require(error.details.first { $0.name == "problems" })
            #expect(try JSONValue.parse(problems.json).array?.first?["line"]?.integer == 3)
        }
        #expect(try served.view(named: "note") === served.view(named: "notes"))
    }

    @Test func `a newer catalog is seen from the next tick on`() throws {
        let before = try served.collection(named: "shelf")
        shelf.publisher.show([], of: "shelf")
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
