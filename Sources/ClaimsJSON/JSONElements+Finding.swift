// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Finding a value in a body without a tape of it.
extension JSONElements {
    /// Finds the value that `pointer` leads to in a body, without making a tape.
    ///
    /// The whole body is checked, and an error is thrown if it is not one JSON document. Only in the elements of the
    /// array at `array` text may be bad (``JSONError/isBadText``).
    ///
    /// - Returns: The range of the value in `bytes`; nil if the pointer leads to no value.
    public static func locate(
        _ pointer: JSONPointer, in bytes: RawSpan, elementsOf array: JSONPointer? = nil
    ) throws(JSONError) -> Range<Int>? {
        try check(bytes, elementsOf: array)
        guard let start = start(of: pointer, in: bytes), let end = end(of: start, in: bytes) else { return nil }
        return start..<end
    }

    /// As ``locate(_:in:elementsOf:)``, for several pointers with one check of the body.
    ///
    /// - Returns: A range, or nil, for each pointer.
    public static func locate(
        _ pointers: [JSONPointer], in bytes: RawSpan, elementsOf array: JSONPointer? = nil
    ) throws(JSONError) -> [Range<Int>?] {
        try check(bytes, elementsOf: array)
        return pointers.map { pointer in
            guard let start = start(of: pointer, in: bytes), let end = end(of: start, in: bytes) else { return nil }
            return start..<end
        }
    }

    /// The start of the array that `root` leads to, after the whole body has been checked.
    static func checkedArray(at root: JSONPointer, in bytes: RawSpan) throws(JSONRootError) -> Int {
        do throws(JSONError) { try check(bytes, elementsOf: root) } catch { throw .notJSON(error) }
        guard let start = start(of: root, in: bytes) else { throw .missing }
        guard bytes.byte(at: start) == ASCII.openBracket else { throw .notAnArray(kind(bytes.byte(at: start))) }
        return start
    }

    /// The length of a byte order mark at the front.
    static func markLength(_ bytes: RawSpan) -> Int { bytes.matches("\u{FEFF}", at: 0) ? 3 : 0 }

    /// Checks that the body is one JSON document, bad text in the elements of the array aside.
    private static func check(_ bytes: RawSpan, elementsOf array: JSONPointer?) throws(JSONError) {
        do throws(JSONError) { try check(bytes, lenientRange: 0..<0) } catch {
            guard error.isBadText, let array else { throw error }
            // Something in the body is bad text: it is checked again, first for all else.
            try check(bytes, lenientRange: 0..<bytes.byteCount)
            guard let start = start(of: array, in: bytes), bytes.byte(at: start) == ASCII.openBracket,
                let end = end(of: start, in: bytes)
            else { throw error }
            try check(bytes, lenientRange: start..<end)
        }
    }

    private static func check(_ bytes: RawSpan, lenientRange: Range<Int>) throws(JSONError) {
        let end = try JSONValidator.skip(
            bytes, from: markLength(bytes), depth: bodyDepth, lenientRange: lenientRange)
        _ = try JSONScanner(bytes).end(of: end)
    }

    /// The start of the value that `pointer` leads to. The bytes have been checked, apart from bad text.
    private static func start(of pointer: JSONPointer, in bytes: RawSpan) -> Int? {
        var start = JSONScanner(bytes).skipWhiteSpace(markLength(bytes))
        for token in pointer.tokens {
            guard let child = child(token, of: start, in: bytes) else { return nil }
            start = child
        }
        return start
    }

    /// The end of the value or name that begins at `start`. The bytes have been checked, apart from bad text.
    private static func end(of start: Int, in bytes: RawSpan) -> Int? {
        try? JSONValidator.skip(bytes, from: start, depth: bodyDepth, lenientRange: 0..<bytes.byteCount)
    }

    /// The start of the child named `token` of the container at `start`. The bytes have been checked, apart from bad
    /// text.
    private static func child(_ token: [UInt8], of start: Int, in bytes: RawSpan) -> Int? {
        let scanner = JSONScanner(bytes)
        let isObject = bytes.byte(at: start) == ASCII.openBrace
        let wanted = JSONPointer.arrayIndex(token)
        guard isObject || bytes.byte(at: start) == ASCII.openBracket && wanted != nil else { return nil }
        var found: Int?
        var index = 0
        var offset = scanner.skipWhiteSpace(start + 1)
        while bytes.byte(at: offset) > ASCII.space, bytes.byte(at: offset) != bytes.byte(at: start) + 2 {
            var isMatch = index == wanted
            if isObject {
                guard let end = end(of: offset, in: bytes) else { return nil }
                isMatch = JSONUnescaper.compare(bytes.extracting(offset + 1..<end - 1), to: token.rawSpan)
                offset = scanner.skipWhiteSpace(scanner.skipWhiteSpace(end) + 1)
            }
            if isMatch { found = offset }
            if isMatch, !isObject { return found }
            guard let end = end(of: offset, in: bytes) else { return nil }
            offset = scanner.skipWhiteSpace(end)
            if bytes.byte(at: offset) == ASCII.comma { offset = scanner.skipWhiteSpace(offset + 1) }
            index += 1
        }
        return found
    }

    /// The kind of the value that begins with `byte`.
    private static func kind(_ byte: UInt8) -> JSONKind {
        switch byte {
        case ASCII.openBrace: .object
        case ASCII.openBracket: .array
        case ASCII.quote: .string
        case 0x74: .true
        case 0x66: .false
        case 0x6E: .null
        default: .number
        }
    }
}
