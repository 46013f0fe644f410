// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// JSON from a request or an upstream: all entry points agree, and what is written from it is JSON again.
enum JSONTarget {
    private static let depth = 64

    static func check(_ input: [UInt8]) throws {
        var tape = JSONTape()
        let isDocument: Bool
        do {
            let end = try tape.parse(input.rawSpan, from: 0, depth: depth)
            try FuzzFinding.unless(end == input.count, "the document ends at \(end)")
            isDocument = true
        } catch let error as JSONError {
            try FuzzFinding.unless((0...input.count).contains(error.offset), "the error is at \(error.offset)")
            try FuzzFinding.unless(tape.count == 0, "an error leaves nodes")
            isDocument = false
        }
        let isValid = (try? JSONValidator.validate(input.rawSpan, depth: depth)) != nil
        try FuzzFinding.unless(isValid == isDocument, "validator: \(isValid), tape: \(isDocument)")
        if isDocument {
            try checkTexts(tape, input)
            try checkTree(input)
        }
        try checkElements(of: input, root: JSONPointer(tokens: []))
        try checkElements(of: input, root: JSONPointer(tokens: [Array("a".utf8), Array("0".utf8)]))
    }

    /// Compacting gives JSON without white space and without members of one name.
    private static func checkTexts(_ tape: JSONTape, _ input: [UInt8]) throws {
        var compact: [UInt8] = []
        tape.appendCompact(0, in: input.rawSpan, to: &compact)
        var again = JSONTape()
        do { _ = try again.parse(compact.rawSpan, from: 0, depth: depth) } catch {
            throw FuzzFinding("compacting gives no JSON: \(error.message)")
        }
        try FuzzFinding.unless(!again.hasDuplicates(in: compact.rawSpan), "compacting leaves duplicates")
        try FuzzFinding.unless(!again[0].hasWhiteSpace, "compacting leaves white space")
        if !tape.hasDuplicates(in: input.rawSpan) {
            try FuzzFinding.unless(again.count == tape.count, "compacting changes the number of nodes")
        }
        for node in 0..<tape.count {
            try FuzzFinding.unless(tape[node].end <= input.count, "a node ends behind the input")
            try FuzzFinding.unless(tape[node].next > node && tape[node].next <= tape.count, "a node's next is wrong")
            var text: [UInt8] = []
            tape.appendString(node, in: input.rawSpan, to: &text)
            try FuzzFinding.unless(String(validating: text, as: UTF8.self) != nil, "a string is not UTF-8")
            if tape[node].kind == .object {
                _ = tape.member("a", of: node, in: input.rawSpan)
            } else if let pointer = tape.string(node, in: input.rawSpan).flatMap({ try? JSONPointer($0) }) {
                try FuzzFinding.unless(try JSONPointer(pointer.text) == pointer, "a pointer changes when written")
                _ = tape.resolve(pointer, in: input.rawSpan)
            }
        }
    }

    private static func checkTree(_ input: [UInt8]) throws {
        let value = try JSONValue.parse(input, depth: depth)
        try FuzzFinding.unless(try JSONValue.parse(value.compactBytes, depth: depth) == value, "a tree changes")
    }

    /// All elements come, and the body was JSON, or it was not.
    private static func checkElements(of input: [UInt8], root: JSONPointer) throws {
        var tape = JSONTape()
        var isWhole = false
        var hasBadText = false
        do {
            var elements = try JSONElements(input.rawSpan, root: root, elementDepth: 4)
            var end = 0
            while let element = try elements.next(into: &tape) {
                try FuzzFinding.unless(element.range.lowerBound >= end, "elements overlap")
                end = element.range.upperBound
                if case .tooDeep = element { continue }
                if case .badText(let range, let error) = element {
                    hasBadText = true
                    try checkWay(to: error, in: Array(input[range]), at: range.lowerBound)
                    continue
                }
                try FuzzFinding.unless(tape[0].range == element.range, "the tape holds another element")
            }
            isWhole = true
        } catch is JSONError {} catch is JSONRootError {}
        guard isWhole else { return }
        let body = input.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(input.dropFirst(3)) : input
        do {
            try JSONValidator.validate(body.rawSpan, depth: JSONElements.bodyDepth)
            try FuzzFinding.unless(!hasBadText, "bad text where there is none")
        } catch let error as JSONError {
            try FuzzFinding.unless(
                error.isBadText && hasBadText, "the elements of what is not JSON: \(error.message)")
        }
    }

    /// The first bad text of an element is where the error says, and a pointer leads to it.
    private static func checkWay(to error: JSONError, in element: [UInt8], at start: Int) throws {
        try FuzzFinding.unless(
            error.isBadText && element.indices.contains(error.offset - start), "bad text outside the element")
        let pointer = JSONPointer.toByte(at: error.offset - start, in: element.rawSpan).pointer
        try FuzzFinding.unless(
            pointer.text.utf8.count <= JSONPointer.maxFoundLength && (try? JSONPointer(pointer.text)) == pointer,
            "a pointer that is none")
    }
}
