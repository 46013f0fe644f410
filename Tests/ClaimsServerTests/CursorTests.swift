// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
@testable import ClaimsServer
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore
import Testing

@Suite struct CursorTests {
    private let codec = CursorCodec(key0: 1, key1: 2)

    private var cursor: Cursor {
        Cursor(
            query: 0xfedc_ba98_7654_3210, definitions: 0x0123_4567_89ab_cdef, now: -5, target: 3, generation: 7,
            marks: 9,
            position: PagePosition(group: 1, keys: [[0, 255], nil, []], id: Array("Å".utf8), generation: 7, row: 12))
    }

    private func text(_ cursor: Cursor) -> String { String(decoding: codec.encode(cursor), as: UTF8.self) }

    @Test func `a cursor reads back as it was written`() throws {
        #expect(try codec.decode(text(cursor)) == cursor)
        var first = cursor
        first.position = nil
        #expect(try codec.decode(text(first)) == first)
    }

    @Test func `a cursor with any character changed is refused`() {
        let text = Array(text(cursor))
        for index in text.indices {
            var forged = text
            forged[index] = forged[index] == "A" ? "B" : "A"
            #expect(throws: RequestError.self) { try codec.decode(String(forged)) }
        }
    }

    @Test func `a cursor cut short or made longer is refused`() {
        let text = text(cursor)
        for count in 0..<text.count {
            #expect(throws: RequestError.self) { try codec.decode(String(text.prefix(count))) }
        }
        #expect(throws: RequestError.self) { try codec.decode(text + "AAAA") }
    }

    @Test func `a cursor of another state database is refused`() {
        let other = CursorCodec(key0: 1, key1: 3)
        #expect(throws: RequestError.self) { try other.decode(text(cursor)) }
    }
}
