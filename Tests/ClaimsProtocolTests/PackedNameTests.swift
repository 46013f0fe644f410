// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import Testing

@testable import ClaimsProtocol

@Suite struct PackedNameTests {
    private func packed(_ text: some StringProtocol) -> PackedName {
        let bytes = Array("<\(text)>".utf8)
        return PackedName(bytes.rawSpan, 1..<bytes.count - 1)
    }

    private static let alphabet = "abcdefghijklmnop"

    @Test(arguments: 1...PackedName.maxBytes)
    func `a name equals itself, and no name that differs in one byte`(length: Int) {
        let name = String(Self.alphabet.prefix(length))
        #expect(packed(name) == PackedName(name))
        for index in 0..<length {
            var other = Array(name.utf8)
            other[index] ^= 1
            #expect(packed(String(decoding: other, as: UTF8.self)) != PackedName(name))
        }
    }

    @Test(arguments: 1...PackedName.maxBytes)
    func `a name equals none that is shorter or longer`(length: Int) {
        let name = String(Self.alphabet.prefix(length))
        #expect(packed(name.dropLast()) != PackedName(name))
        #expect(packed(name + "\0") != PackedName(name))
        #expect(packed(name + name + name) != PackedName(name))
    }

    @Test func `what is longer than any known name equals none`() {
        let long = packed(String(repeating: "a", count: 17))
        for method in Method.allCases { #expect(long != PackedName(method.name)) }
        #expect(long != PackedName(""))
    }

    @Test func `a known name that is too long is named by the error`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = PackedName("a_name_of_21_letters_")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.contains("'a_name_of_21_letters_' has 21 bytes: names of methods and parameters have at most 16"))
    }

    @Test func `every method is found by its name, and finds its own parameters by theirs`() throws {
        for method in Method.allCases {
            #expect(MethodTable.method(named: packed(method.name)) == method)
            let own = method.description.parameters.map(\.name)
            #expect(Set(own).count == own.count)
            for (index, name) in own.enumerated() {
                let bytes = Array(#"{"\#(name)":true}"#.utf8)
                var tape = JSONTape()
                _ = try tape.parse(bytes.rawSpan, from: 0, depth: 8)
                let arguments = try Arguments(tape, bytes.rawSpan, object: 0, method: method)
                for other in own.indices { #expect((arguments.node(other) != nil) == (other == index)) }
            }
        }
    }
}
