// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The content of a TZif file, versions 1 to 4 (RFC 8536, tzfile(5)).
struct TimeZoneFile: Sendable {
    /// When a type begins to hold, in seconds since 1970 (UTC), rising.
    private(set) var times: [Int64] = []
    /// The type that holds from each of these on; as long as `times`.
    private(set) var kinds: [UInt8] = []
    /// The first one holds before all transitions.
    private(set) var types: [PosixTimeZone.Offset] = []
    /// The rule after the last transition; nil if the type of that transition stays.
    private(set) var rule: PosixTimeZone?

    /// Reads a whole file; `unreadable` where anything in it is not as it should be.
    init(_ bytes: [UInt8]) throws(TimeZoneError) {
        var reader = Reader(bytes: bytes)
        let first = try reader.header()
        if first.version < 2 {
            try readBlock(first, timeSize: 4, &reader)
            return
        }
        try reader.skip(first.size(timeSize: 4))
        let second = try reader.header()
        try readBlock(second, timeSize: 8, &reader)
        let footer = try reader.footer()
        if !footer.isEmpty {
            guard let rule = PosixTimeZone(footer) else { throw .unreadable }
            self.rule = rule
        }
    }

    private mutating func readBlock(_ header: Header, timeSize: Int, _ reader: inout Reader) throws(TimeZoneError) {
        // A file that counts leap seconds ("right/…") is for clocks that are not ours.
        guard header.types > 0, header.characters > 0, header.leaps == 0 else { throw .unreadable }
        let end = reader.position + header.size(timeSize: timeSize)
        guard end <= reader.bytes.count else { throw .unreadable }
        for _ in 0..<header.times { times.append(try reader.integer(timeSize)) }
        for (earlier, later) in zip(times, times.dropFirst()) where earlier >= later { throw .unreadable }
        for _ in 0..<header.times {
            let kind = UInt8(truncatingIfNeeded: try reader.integer(1))
            guard Int(kind) < header.types else { throw .unreadable }
            kinds.append(kind)
        }
        let names = reader.position + header.types * 6
        let namesEnd = names + header.characters
        for _ in 0..<header.types {
            let seconds = Int(try reader.integer(4))
            _ = try reader.integer(1)
            let name = names + Int(UInt8(truncatingIfNeeded: try reader.integer(1)))
            // No zone is further than this from UTC, and arithmetic on it cannot overflow.
            guard abs(seconds) <= 26 * 3600, name < namesEnd else { throw .unreadable }
            let text = reader.bytes[name..<namesEnd].prefix { $0 != 0 }
            types.append(.init(abbreviation: String(decoding: text, as: UTF8.self), seconds: seconds))
        }
        reader.position = end
    }

    private struct Header {
        var version = 0, isUTC = 0, isStandard = 0, leaps = 0, times = 0, types = 0, characters = 0

        func size(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + isStandard + isUTC
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func skip(_ count: Int) throws(TimeZoneError) {
            guard count <= bytes.count - position else { throw .unreadable }
            position += count
        }

        /// A big-endian number; signed, but for a single byte.
        mutating func integer(_ size: Int) throws(TimeZoneError) -> Int64 {
            let start = position
            try skip(size)
            var value: UInt64 = 0
            for byte in bytes[start..<position] { value = value << 8 | UInt64(byte) }
            return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }

        mutating func header() throws(TimeZoneError) -> Header {
            let start = position
            try skip(20)
            guard Array(bytes[start..<start + 4]) == Array("TZif".utf8) else { throw .unreadable }
            var header = Header()
            let version = bytes[start + 4]
            header.version = version == 0 ? 1 : Int(version) - 0x30
            guard version == 0 || (2...9).contains(header.version) else { throw .unreadable }
            let counts: [WritableKeyPath<Header, Int>] = [
                \.isUTC, \.isStandard, \.leaps, \.times, \.types, \.characters,
            ]
            for count in counts {
                let value = try integer(4)
                guard (0...1 << 20).contains(value) else { throw .unreadable }
                header[keyPath: count] = Int(value)
            }
            return header
        }

        mutating func footer() throws(TimeZoneError) -> ArraySlice<UInt8> {
            let start = position
            try skip(1)
            guard bytes[start] == 0x0a, let end = bytes[position...].firstIndex(of: 0x0a) else { throw .unreadable }
            return bytes[position..<end]
        }
    }
}
