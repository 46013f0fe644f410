// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsTerminal
import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

/// The screens as people see them, kept in files: each state at three sizes and in both languages, and with its styles
/// at the usual size.
struct ScreenTests {
    static let sizes = [(80, 24), (120, 40), (40, 12)]

    @Test(arguments: ScreenScene.all) func `screens look as they are kept in files`(_ scene: ScreenScene) throws {
        var text = ""
        for language in ["en", "pl"] {
            let example = try scene.make(language)
            for (columns, rows) in Self.sizes {
                text += "--- \(language) \(columns)x\(rows)\n"
                text += example.frame(columns: columns, rows: rows).text.map { "|\($0)\n" }.joined()
            }
        }
        text += "--- pl 80x24 with styles\n"
        text += try scene.make("pl").frame(columns: 80, rows: 24).styledText.map { "|\($0)\n" }.joined()
        try GoldenText.check(text, "../Screens/\(scene.name).txt")
    }

    @Test(arguments: ScreenScene.all) func `any size is drawn, and the cursor stays on the screen`(
        _ scene: ScreenScene
    ) throws {
        let example = try scene.make("pl")
        for (columns, rows) in [(0, 0), (1, 1), (39, 24), (80, 9), (40, 10), (41, 11), (53, 17), (121, 17), (200, 50)] {
            let frame = example.frame(columns: columns, rows: rows)
            #expect(frame.size == (columns == 0 ? .standard : ScreenSize(columns: columns, rows: rows)))
            guard let cursor = frame.cursor else { continue }
            #expect(cursor.row >= 0 && cursor.row < frame.size.rows, "\(columns)x\(rows): \(cursor)")
            #expect(cursor.column >= 0 && cursor.column < frame.size.columns, "\(columns)x\(rows): \(cursor)")
        }
    }

    @Test func `a record of hostile text changes nothing but its own cells`() throws {
        var example = try ScreenExample("en", "units")
        let name = #"\u001b[31mred\u001b]0;title\u0007\u202eevil\u2066x\u00adsoft\u200bnothing\nline\r\ttab"#
        example.list {
            $0.rows[0].record =
                (try? ScreenExample.value(#"{"id":"\u001b[2J","name":"\#(name)","status":"\u0007"}"#))
                ?? $0.rows[0].record
        }
        try example.openDetail(#"{"id":"\u001b[2J","name":"\#(name)","status":"\u0007"}"#)
        for (columns, rows) in Self.sizes {
            for line in example.frame(columns: columns, rows: rows).text {
                #expect(!line.unicodeScalars.contains(where: TextSafety.isUnsafe), "\(line)")
            }
        }
    }

    @Test func `the geometry of a list is what is drawn`() throws {
        for name in ["packs", "claims", "units"] {
            var example = try ScreenExample("pl", name)
            example.state.size = ScreenSize(columns: 60, rows: 40)
            let list = try #require(example.state.lists[name])
            let geometry = example.state.geometry(of: list)
            var previous: ListRow?
            var height = 0
            for row in list.rows {
                height += geometry.height(of: row, after: previous)
                previous = row
            }
            let frame = example.frame(columns: 60, rows: 40)
            let body = frame.text.dropFirst(ScreenRegions.rowsAbove).prefix(35)
            let drawn = body.count { !$0.isEmpty }
            #expect(drawn == height + (example.state.regions.bodyLines - geometry.lines), "\(name)")
        }
    }
}
