// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// A configuration file: whatever is JSON with distinct keys is JSON5 as well.
enum JSON5Target {
    static func check(_ input: [UInt8]) throws {
        do {
            let node = try JSON5.parse(input, file: "seed")
            try check(node)
        } catch let error as JSON5Error {
            try FuzzFinding.unless(error.line > 0 && error.column > 0, "an error without a place: \(error)")
            var tape = JSONTape()
            guard (try? tape.parse(input.rawSpan, from: 0, depth: JSON5.maximumDepth)) != nil else { return }
            try FuzzFinding.unless(tape.hasDuplicates(in: input.rawSpan), "JSON, but not JSON5: \(error)")
        }
    }

    private static func check(_ node: JSON5Node) throws {
        try FuzzFinding.unless(node.line > 0 && node.column > 0, "a node without a place")
        switch node.value {
        case .number(let digits) where !["Infinity", "-Infinity", "NaN"].contains(digits):
            try FuzzFinding.unless((try? JSONValue.parse(digits)) == .number(digits), "'\(digits)' is no JSON number")
        case .array(let elements):
            for element in elements { try check(element) }
        case .object(let members):
            try FuzzFinding.unless(Set(members.map { Array($0.key.utf8) }).count == members.count, "keys repeat")
            for member in members { try check(member.node) }
        default: break
        }
    }
}
