// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Testing

@testable import ClaimsProtocol

@Suite struct PackedNameTests {
    private func packed(_ text: some StringProtocol) -> PackedName {
        let bytes = Array("<\(text)>".utf8)
        return PackedName(bytes.rawSpan, 1..<bytes.count - 1)
    }

    private static let alphabet = "abcdefghijklmnop"

    @Test(arguments: 1...PackedName.bytesMax)
    func `a name equals itself, and no name that differs in one byte`(length: Int) {
        let name = String(Self.alphabet.prefix(length))
        #expect(packed(name) == PackedName(name))
        for place in 0..<length {
            var other = Array(name.utf8)
            other[place] ^= 1
            #expect(packed(String(decoding: other, as: UTF8.self)) != PackedName(name))
        }
    }

    @Test(arguments: 1...PackedName.bytesMax)
    func `a name equals none that is shorter or longer`(length: Int) {
        let name = String(Self.alphabet.prefix(length))
        #expect(packed(name.dropLast()) != PackedName(name))
        #expect(packed(name + "\0") != PackedName(name))
        #expect(packed(name + name + name) != PackedName(name))
    }

    @Test func `what is longer than any known name equals none`() {
        let long = packed(String(repeating: "a", count: 17))
        for parameter in ParameterName.allCases { #expect(long != PackedName(parameter.text)) }
        #expect(long != PackedName(""))
    }

    @Test func `every parameter has a name of its own, and every method finds its own by it`() {
        #expect(Set(ParameterName.allCases.map(\.text)).count == ParameterName.allCases.count)
        for method in Method.allCases {
            #expect(MethodTable.method(named: packed(method.rawValue)) == method)
            let own = method.description.parameters.map(\.key)
            for parameter in ParameterName.allCases {
                let found = MethodTable.parameter(named: packed(parameter.text), of: method)
                #expect(found == (own.contains(parameter) ? parameter : nil))
            }
        }
    }
}
