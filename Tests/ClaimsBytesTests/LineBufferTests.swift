// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsBytes
import Testing

@Suite struct LineBufferTests {
    /// All lines that come out when the bytes go in at once, and what is said of long ones.
    private func lines(_ text: String, longest: Int = 16, chunk: Int = .max) -> [String] {
        var buffer = LineBuffer(maxLength: longest)
        var found: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(chunk))
            rest = rest.dropFirst(chunk == .max ? rest.count : chunk)
            buffer.append(part[...])
            reading: while true {
                switch buffer.next() {
                case .line(let range): found.append(String(decoding: buffer.bytes[range], as: UTF8.self))
                case .tooLong: found.append("(too long)")
                case .incomplete: break reading
                }
            }
        }
        return found
    }

    @Test(arguments: [Int.max, 1, 2, 3, 5])
    func `lines come out whole however they arrive`(chunk: Int) {
        #expect(lines("one\ntwo\r\n\n \t\nthree\nfou", chunk: chunk) == ["one", "two", "three"])
    }

    @Test(arguments: [Int.max, 1, 7])
    func `a line that is too long is told once and skipped to its end`(chunk: Int) {
        let long = String(repeating: "x", count: 100)
        #expect(lines("a\n\(long)\nb\n", chunk: chunk) == ["a", "(too long)", "b"])
    }

    @Test(arguments: [Int.max, 1])
    func `the longest line is as long as the bound`(chunk: Int) {
        let exact = String(repeating: "x", count: 16)
        #expect(lines("\(exact)\n\(exact)y\n", chunk: chunk) == [exact, "(too long)"])
    }

    @Test func `an endless line takes no more memory than its bound`() {
        var buffer = LineBuffer(maxLength: 1 << 16)
        let block = [UInt8](repeating: 0x78, count: 1 << 14)
        var tooLong = 0
        for _ in 0..<1_000 {
            buffer.append(block[...])
            if buffer.next() == .tooLong { tooLong += 1 }
            #expect(buffer.count <= 1 << 17)
        }
        #expect(tooLong == 1)
    }

    @Test func `an abandoned line is skipped to its end, and the next one comes`() {
        var buffer = LineBuffer(maxLength: 16)
        buffer.append(Array("begun".utf8)[...])
        #expect(buffer.next() == .incomplete)
        buffer.abandonLine()
        #expect(buffer.count == 0)
        buffer.append(Array(" and ended\nnext\n".utf8)[...])
        guard case .line(let range) = buffer.next() else {
            Issue.record("no line")
            return
        }
        #expect(String(decoding: buffer.bytes[range], as: UTF8.self) == "next")
    }

    @Test func `a whole line is not abandoned`() {
        var buffer = LineBuffer(maxLength: 16)
        buffer.append(Array("whole\n".utf8)[...])
        #expect(buffer.hasLine)
        buffer.abandonLine()
        #expect(buffer.next() == .line(0..<5))
        #expect(!buffer.hasLine)
    }

    @Test func `an emptied buffer gives back the room of a long line`() {
        var buffer = LineBuffer(maxLength: 1 << 20)
        let line = [UInt8](repeating: 0x78, count: 1 << 20) + [0x0A]
        buffer.append(line[...])
        #expect(buffer.next() == .line(0..<1 << 20))
        #expect(buffer.next() == .incomplete)
        #expect(buffer.bytes.capacity < 1 << 18)
    }

    @Test func `a buffer knows when no line can be in it`() {
        var buffer = LineBuffer(maxLength: 16)
        #expect(!buffer.mayHoldLine)
        buffer.append(Array("ab".utf8)[...])
        #expect(buffer.mayHoldLine)
        #expect(buffer.next() == .incomplete)
        #expect(!buffer.mayHoldLine)
    }
}
