// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The header lines of one answer, as libcurl hands them over.
struct ResponseHeaders {
    /// What a line was.
    enum Line {
        case more
        /// The empty line before a body, interim answers (1xx) aside.
        case end
        case tooMany
    }

    private(set) var status = 0
    /// Whether the empty line has come; what follows are trailers.
    private(set) var isComplete = false
    /// The lines so far, status lines and trailers included.
    private(set) var lines = 0
    private var bytes = 0
    private var fields: [(name: String, value: String)] = []

    /// Takes in one line with its line end.
    mutating func take(_ line: RawSpan) -> Line {
        lines += 1
        bytes += line.byteCount
        guard lines <= HTTPLimits.headerLines, bytes <= HTTPLimits.headerBytes else { return .tooMany }
        if isComplete { return .more }
        var end = line.byteCount
        while end > 0, [0x0d, 0x0a].contains(line[end - 1]) { end -= 1 }
        if end == 0 {
            guard status >= 200 else { return .more }
            isComplete = true
            return .end
        }
        var text: [UInt8] = []
        text.reserveCapacity(end)
        for index in 0..<end { text.append(line[index]) }
        if text.starts(with: "HTTP/".utf8) {
            fields = []
            status = Self.status(of: text)
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            // A value that is not text is no value any of ours could have.
            let value = String(validating: text[(colon + 1)...], as: UTF8.self)
        {
            let name = String(decoding: text[..<colon], as: UTF8.self)
            fields.append((name.trimmed.lowercased(), value.trimmed))
        }
        return .more
    }

    /// The last value of a header; its name in lower case.
    subscript(name: String) -> String? {
        fields.last { field in field.name == name }?.value
    }

    /// All values of a header, in their order.
    func all(_ name: String) -> [String] {
        fields.filter { field in field.name == name }.map(\.value)
    }

    /// A validator, if it can be sent back: visible ASCII of a bounded length.
    func validator(_ name: String) -> String? {
        guard let value = self[name], !value.isEmpty, value.utf8.count <= 1024,
            value.utf8.allSatisfy({ byte in (0x20...0x7e).contains(byte) })
        else { return nil }
        return value
    }

    /// The number after the first space of "HTTP/1.1 200 OK"; 0 if there is none.
    private static func status(of line: [UInt8]) -> Int {
        guard let space = line.firstIndex(of: 0x20) else { return 0 }
        let digits = line[(space + 1)...].drop { byte in byte == 0x20 }.prefix(3)
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}

extension RawSpan {
    subscript(index: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    var trimmed: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = self[...].drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(rest)
    }
}
