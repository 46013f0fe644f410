// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

/// The bytes that a move of the selection sends over a slow link.
@Suite struct SelectionBytesTests {
    static let texts = [
        "Water damage in the kitchen of the third floor, and in the two cellars below",
        "Zażółć gęślą jaźń w kuchni na trzecim piętrze i w dwóch piwnicach pod kamienicą",
        "Повреждение водой на кухне третьего этажа и в двух подвалах под ней, в доме на углу",
        "ΖημιάαπόνερόστηνκουζίνατουτρίτουορόφουκαισταδύουπόγειακάτωαπόαυτήνστοσπίτιστηγωνίαΖημιά",
        "三階の台所と下の二つの地下室での水害による損害についての報告書と写真の一覧表です",
        "한국어 부엌의 누수로 인한 손해와 아래층 지하실 두 곳의 피해에 대한 보고서 및 사진 목록",
        "👩‍🚒👩‍👩‍👧‍👦🏳️‍🌈👩‍🚒👩‍👩‍👧‍👦🏳️‍🌈 👩‍🚒👩‍👩‍👧‍👦🏳️‍🌈👩‍🚒👩‍👩‍👧‍👦🏳️‍🌈",
        "नमस्ते रसोई में पानी से हुआ नुकसान और नीचे के दो तहखानों में भी",
    ]

    @Test(arguments: texts) func `moving the selection within the page takes at most 1 KiB`(_ text: String) throws {
        for name in ["units", "packs", "claims"] {
            var example = try ScreenExample("pl", name)
            let collection = try #require(example.state.description(of: name))
            let title = try #require(collection.fields.first { $0.isEmphasized || $0.lines > 1 })
            example.list { list in
                for index in list.rows.indices {
                    let json = #"{"id":"\#(list.rows[index].id)","\#(title.key)":"\#(text)"}"#
                    list.rows[index].record = (try? ScreenExample.value(json)) ?? list.rows[index].record
                }
                list.total = 1_000_000
                list.firstRank = 123_456
            }
            for (columns, rows) in ScreenTests.sizes {
                example.list { $0.selected = 0 }
                let before = example.frame(columns: columns, rows: rows)
                example.list { $0.selected = 1 }
                let after = example.frame(columns: columns, rows: rows)
                let bytes = FrameWriter(isColored: true).bytes(from: before, to: after)
                #expect(bytes.count <= 1024, "\(name) at \(columns)x\(rows): \(bytes.count)")
                #expect(after.cursor?.row != before.cursor?.row)
            }
        }
    }

    @Test func `the bar of a selected row reaches the edge where that takes few bytes, and its mark is always there`()
        throws
    {
        var example = try ScreenExample("en", "units")
        let plain = example.frame(columns: 80, rows: 24)
        let row = try #require(plain.cursor).row
        #expect(plain.cell(at: CellPosition(row: row, column: 78)).style.isReversed)
        example.list { list in
            let name = String(repeating: "ж", count: 70)
            list.rows[1].record = (try? ScreenExample.value(#"{"id":"1","name":"\#(name)"}"#)) ?? list.rows[1].record
        }
        let wide = example.frame(columns: 80, rows: 24)
        let moved = try #require(wide.cursor).row
        #expect(wide.cell(at: CellPosition(row: moved, column: 0)).style.isReversed)
        #expect(!wide.cell(at: CellPosition(row: moved, column: 60)).style.isReversed)
    }
}
