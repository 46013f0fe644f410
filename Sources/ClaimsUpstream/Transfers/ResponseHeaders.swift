// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The header lines of one answer, as libcurl hands them over.
struct ResponseHeaders {
    /// The maximal number of header lines of one answer, interim answers and trailers included.
    private static let maxLines = 256
    /// The maximal size of all these lines, in bytes.
    private static let maxBytes = 64 << 10

    /// The kind of a line.
    enum Line {
        case more
        /// The empty line before a body, interim answers (1xx) aside.
        case end
        case tooMany
    }

    private(set) var status = 0
    /// Whether the empty line has come; later lines are trailers.
    private(set) var isComplete = false
    /// The lines so far, status lines and trailers included.
    private(set) var lines = 0
    private var bytes = 0
    private var fields: [(name: String, value: String)] = []

    /// Accepts one line with its line end.
    mutating func accept(_ line: RawSpan) -> Line {
        lines += 1
        bytes += line.byteCount
        guard lines <= Self.maxLines, bytes <= Self.maxBytes else { return .tooMany }
        if isComplete { return .more }
        var end = line.byteCount
        while end > 0, [0x0d, 0x0a].contains(line.byte(at: end - 1)) { end -= 1 }
        if end == 0 {
            guard status >= 200 else { return .more }
            isComplete = true
            return .end
        }
        let text = line.part(0, end).array
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
        guard let value = self[name], !value.isEmpty, value.utf8.count <= Self.maxValidatorBytes,
            value.utf8.allSatisfy({ byte in (0x20...0x7e).contains(byte) })
        else { return nil }
        return value
    }

    /// The longest validator that is sent back, in bytes.
    private static let maxValidatorBytes = 1024

    /// The number after the first space of "HTTP/1.1 200 OK"; 0 if there is none.
    private static func status(of line: [UInt8]) -> Int {
        guard let space = line.firstIndex(of: 0x20) else { return 0 }
        let digits = line[(space + 1)...].drop { byte in byte == 0x20 }.prefix(3)
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
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

/// `Link` (RFC 8288), as far as paging needs it.
enum LinkHeader {
    /// The target of the first link whose relations include `next`, unchanged.
    static func next(in values: [String]) -> String? {
        for value in values {
            var rest = Array(value.utf8)[...]
            while let link = readLink(&rest) {
                if link.isNext { return link.target }
            }
        }
        return nil
    }

    /// Reads one `<target>; name=value; …` and the comma after it. A value that breaks the grammar ends the list.
    private static func readLink(_ rest: inout ArraySlice<UInt8>) -> (target: String, isNext: Bool)? {
        rest = rest.drop { byte in byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") }
        guard rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let target = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        var isNext = false
        var hasRelation = false
        while let parameter = readParameter(&rest) {
            guard parameter.name == "rel", !hasRelation else { continue }
            hasRelation = true
            isNext = parameter.value.lowercased().split(separator: " ").contains("next")
        }
        return (target, isNext)
    }

    private static func readParameter(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String)? {
        skipBlanks(&rest)
        guard rest.first == UInt8(ascii: ";") else { return nil }
        rest = rest.dropFirst()
        skipBlanks(&rest)
        let name = read(&rest) { byte in !" \t=;,".utf8.contains(byte) }
        skipBlanks(&rest)
        guard rest.first == UInt8(ascii: "=") else { return (name.lowercased(), "") }
        rest = rest.dropFirst()
        skipBlanks(&rest)
        guard rest.first == UInt8(ascii: "\"") else {
            return (name.lowercased(), read(&rest) { byte in !" \t;,".utf8.contains(byte) })
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return (name.lowercased(), String(decoding: value, as: UTF8.self))
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { byte in byte == 0x20 || byte == 0x09 }
    }

    private static func read(_ rest: inout ArraySlice<UInt8>, while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }
}

/// The spans of time that servers demand in headers.
public enum HTTPDelay {
    /// The longest time in seconds, six hours, for which a server's `Retry-After` is obeyed.
    public static let retryAfterCap = 6 * 3600
    /// The number of seconds that replaces every larger one (RFC 9111, section 1.2.2).
    private static let maxSeconds = 1 << 31

    /// `Retry-After`: seconds, or a date. At most `retryAfterCap`; 0 for a date that has passed; nil if it is neither.
    ///
    /// A date counts from the server's own `Date` if there is one, so that its clock and ours need not agree.
    /// - Parameter now: seconds since 1970.
    static func retryAfter(_ value: String, date: String?, now: Int64) -> Int? {
        if let seconds = seconds(value) { return min(seconds, retryAfterCap) }
        guard let until = HTTPDate.parse(value) else { return nil }
        let start = date.flatMap(HTTPDate.parse) ?? now
        return Int(min(max(until - start, 0), Int64(retryAfterCap)))
    }

    /// `Age`: the seconds for which a cache has kept the answer; 0 if it is not given. The first one of several values
    /// counts (RFC 9111, section 5.1).
    static func age(_ values: [String]) -> Int {
        guard let first = values.first else { return 0 }
        return seconds(first.prefix { $0 != "," }.trimmed) ?? 0
    }

    /// `max-age` of `Cache-Control`, less the answer's age in seconds; 0 for `no-cache` and `no-store`, nil if there
    /// is none.
    static func maxAge(_ cacheControl: [String], age: Int) -> Int? {
        var result: Int?
        for value in cacheControl {
            for directive in value.split(separator: ",") {
                let parts = directive.split(separator: "=", maxSplits: 1).map { part in part.trimmed }
                guard let name = parts.first?.lowercased() else { continue }
                if name == "no-cache" || name == "no-store" { return 0 }
                guard name == "max-age", parts.count == 2 else { continue }
                let digits = parts[1].hasPrefix("\"") ? String(parts[1].dropFirst().dropLast()) : parts[1]
                if let seconds = seconds(digits) { result = result ?? seconds }
            }
        }
        guard let result else { return nil }
        return max(0, result - age)
    }

    /// The number that ASCII digits write, at most ``maxSeconds``.
    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty else { return nil }
        var value = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = min(value * 10 + Int(byte - 0x30), maxSeconds)
        }
        return value
    }
}

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Seconds since 1970, or nil.
    static func parse(_ text: String) -> Int64? {
        let words = text.split { character in " ,-".contains(character) }.map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT":  // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
            guard var year = number(words[3], digits: 2...4) else { return nil }
            if words[3].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
            return instant(year: year, month: words[2], day: words[1], time: words[4])
        case 5:  // Sun Nov  6 08:49:37 1994
            guard let year = number(words[4], digits: 4...4) else { return nil }
            return instant(year: year, month: words[1], day: words[2], time: words[3])
        default:
            return nil
        }
    }

    private static func instant(year: Int, month: String, day: String, time: String) -> Int64? {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard year >= 1970, let month = names.firstIndex(of: month), let day = number(day, digits: 1...2),
            (1...31).contains(day), parts.count == 3,
            let hour = number(parts[0], digits: 2...2), hour < 24,
            let minute = number(parts[1], digits: 2...2), minute < 60,
            let second = number(parts[2], digits: 2...2), second <= 60
        else { return nil }
        let days = GregorianCalendar.days(year: year, month: month + 1, day: day)
        return Int64(days * 86400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ byte in (0x30...0x39).contains(byte) })
        else { return nil }
        return Int(text)
    }
}

/// The headers in which a server gives the number of further requests that it accepts, without changes.
public struct HTTPPaceHeaders: Sendable, Equatable {
    /// A pair of `Remaining` and `Reset` after one of ``prefixes``.
    public struct Window: Sendable, Equatable {
        public var remaining: String
        public var reset: String

        public init(remaining: String, reset: String) {
            self.remaining = remaining
            self.reset = reset
        }
    }

    /// The beginnings of the headers' names, in lower case.
    public static let prefixes = ["ratelimit-", "x-ratelimit-", "x-rate-limit-"]

    /// The pairs of which both headers came.
    public var windows: [Window]
    /// The time of `Date`, in seconds since 1970; nil if there is none, or if it cannot be read.
    public var date: Int64?

    public init(windows: [Window] = [], date: Int64? = nil) {
        self.windows = windows
        self.date = date
    }

    init(_ headers: ResponseHeaders) {
        windows = Self.prefixes.compactMap { prefix in
            guard let remaining = headers[prefix + "remaining"], let reset = headers[prefix + "reset"] else {
                return nil
            }
            return Window(remaining: remaining, reset: reset)
        }
        date = headers["date"].flatMap(HTTPDate.parse)
    }
}
