// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsTestSupport
@testable import ClaimsTerminal
import Testing

/// The lists of collections like the shipped ones, at widths from a telephone to a wide screen.
struct ListScreensTests {
    static let names = ["claims", "countries", "documents", "packs", "units"]
    static let widths = [40, 60, 80, 120]

    private static func collection(_ name: String, _ language: String) throws -> CollectionDescription {
        let all = CollectionDescription.all(in: try Example.value(ShippedCollections.description(language)))
        guard let collection = all.first(where: { $0.name == name }) else {
            throw UsageError(en: "no \(name)", pl: "no \(name)")
        }
        return collection
    }

    private static func lines(_ name: String, _ language: String, width: Int) throws -> [String] {
        var renderer = ListRenderer(
            collections: [], single: try collection(name, language), showsArchived: name == "packs", width: width,
            isColored: false, time: Example.time)
        let text = renderer.render(try Example.value(ShippedCollections.records(name)), isGrouped: false)
        return text.split(separator: "\n").map(String.init)
    }

    @Test(arguments: names) func `lists look as they are kept in files`(_ name: String) throws {
        for language in ["en", "pl"] {
            var text = ""
            for width in Self.widths {
                text += "--- \(width)\n"
                text += try Self.lines(name, language, width: width).map { $0 + "\n" }.joined()
            }
            try GoldenText.check(text, "Lists/\(name).\(language).txt")
        }
    }

    @Test(arguments: names) func `no label, id or time is ever cut, and no line is too wide`(_ name: String) throws {
        let collection = try Self.collection(name, "pl")
        let maker = CellMaker(collection: collection, time: Example.time)
        let records = try Example.value(ShippedCollections.records(name))["records"]?.elements ?? []
        for width in 28...130 {
            let lines = try Self.lines(name, "pl", width: width)
            let isTooWide = lines.contains { DisplayWidth.cells(of: $0) > width }
            #expect(!isTooWide, "\(width): \(lines)")
            // A value wider than a line goes on in the next one.
            let text = lines.flatMap { $0.split(separator: " ") }.joined()
            for record in records {
                for field in collection.list.map(collection.column) where field.type != .text {
                    let cell = maker.cell(field, of: record)
                    #expect(text.contains(cell.text.split(separator: " ").joined()), "\(width): \(cell.text)")
                }
            }
        }
    }
}
