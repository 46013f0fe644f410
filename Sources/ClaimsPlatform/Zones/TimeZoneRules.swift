// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The offsets from UTC of one time zone, for all times.
public struct TimeZoneRules: Sendable {
    /// The IANA name of the zone, or the POSIX rule that it was made from.
    public let name: String
    private let times: [Int64]
    private let kinds: [UInt8]
    private let types: [PosixTimeZone.Offset]
    private let rule: PosixTimeZone?

    /// The folder of the system's time zone files (tzfile(5)).
    public static let directory = "/usr/share/zoneinfo"
    /// The maximal length of a zone's name, in bytes.
    public static let nameLimit = 64
    /// The largest file that is read, in bytes; the largest there is has 4 KiB.
    private static let fileLimit = 1 << 18

    /// The rules of UTC, which are made without reading a file.
    public static let utc = TimeZoneRules(
        name: "UTC", rule: PosixTimeZone(standard: .init(abbreviation: "UTC", seconds: 0), daylight: nil))

    /// Reads the zone with that IANA name, such as "Europe/Warsaw", from its file below `directory`.
    ///
    /// Every call reads the file again, so a caller keeps the result.
    public static func load(
        _ name: String, directory: String = TimeZoneRules.directory
    ) throws(TimeZoneError) -> TimeZoneRules {
        guard isName(name) else { throw .badName }
        if name == "UTC" { return utc }
        let path = Paths.join(directory, name)
        guard Files.size(path) != nil, !Files.isDirectory(path) else { throw .unknown }
        guard let bytes = try? Files.readAll(path, cap: fileLimit) else { throw .unreadable }
        return TimeZoneRules(name: name, try TimeZoneFile(bytes))
    }

    /// Whether the text can be the name of a zone. A path out of the folder and a hidden file are refused.
    public static func isName(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= nameLimit else { return false }
        for part in name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let first = part.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
            for byte in part {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
                case UInt8(ascii: "0")...UInt8(ascii: "9"): continue
                case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): continue
                default: return false
                }
            }
        }
        return true
    }

    init(name: String, _ file: TimeZoneFile) {
        self.name = name
        (times, kinds, types, rule) = (file.times, file.kinds, file.types, file.rule)
    }

    init(name: String, rule: PosixTimeZone) {
        self.name = name
        (times, kinds, types, self.rule) = ([], [], [rule.standard], rule)
    }

    /// The offset in seconds east of UTC, at a time given in seconds since 1970 (UTC).
    public func offset(at seconds: Int64) -> Int {
        entry(at: Self.clamp(seconds)).seconds
    }

    /// The civil time of the zone, at a time given in milliseconds since 1970 (UTC).
    public func civil(_ milliseconds: Int64) -> CivilTime {
        let seconds = Self.clamp(floorDivide(milliseconds, 1000))
        let entry = entry(at: seconds)
        let fraction = Int(milliseconds - floorDivide(milliseconds, 1000) * 1000)
        return CivilTime(
            localSeconds: seconds + Int64(entry.seconds), millisecond: fraction, offset: entry.seconds,
            abbreviation: entry.abbreviation)
    }

    /// The first instant of a day in the zone, in milliseconds since 1970 (UTC). `days` counts from 1970-01-01.
    ///
    /// If the clock skips midnight, that is the moment of the skip; if it shows midnight twice, the first one. A day
    /// that is skipped as a whole is empty: it begins at the beginning of the next one.
    public func startOfDay(_ days: Int) -> Int64 { instant(ofDay: days, second: 0) }

    /// The first instant at which clocks of the zone have come to a time of a day, in milliseconds since 1970 (UTC).
    ///
    /// If the clock skips that time, it is the moment of the skip; if it shows it twice, the first one.
    ///
    /// - Parameters:
    ///   - days: the day, counted from 1970-01-01.
    ///   - second: the seconds that clocks show after midnight, from 0 to 86,399.
    public func instant(ofDay days: Int, second: Int) -> Int64 {
        let day = Int64(max(-Self.dayLimit, min(days, Self.dayLimit)))
        let local = Self.clamp(day * 86_400 + Int64(second))
        // The first instant whose local time has reached `local`: it shows it exactly, or jumps over it.
        let window = (local - 2 * 86_400)...(local + 2 * 86_400)
        var best = Int64.max
        var offsets = [entry(at: window.lowerBound).seconds]
        for change in transitions(in: window) {
            offsets.append(change.offset.seconds)
            if change.time + Int64(change.offset.seconds) >= local { best = min(best, change.time) }
        }
        for offset in offsets where self.offset(at: local - Int64(offset)) == offset {
            best = min(best, local - Int64(offset))
        }
        return best * 1000
    }

    private func entry(at seconds: Int64) -> PosixTimeZone.Offset {
        guard let last = times.last, seconds <= last || rule == nil else {
            return rule?.offset(at: seconds) ?? types[0]
        }
        let next = firstTransition(after: seconds)
        return next == 0 ? types[0] : types[Int(kinds[next - 1])]
    }

    /// The index of the first transition later than `seconds`; the number of transitions if there is none.
    private func firstTransition(after seconds: Int64) -> Int {
        times.indices.partitionPoint { times[$0] <= seconds }
    }

    private func transitions(in window: ClosedRange<Int64>) -> [(time: Int64, offset: PosixTimeZone.Offset)] {
        var result: [(time: Int64, offset: PosixTimeZone.Offset)] = []
        for index in firstTransition(after: window.lowerBound - 1)..<firstTransition(after: window.upperBound) {
            result.append((times[index], types[Int(kinds[index])]))
        }
        if let rule, times.last.map({ $0 < window.upperBound }) ?? true {
            let first = GregorianCalendar.date(days: Int(floorDivide(window.lowerBound, 86_400))).year
            let last = GregorianCalendar.date(days: Int(floorDivide(window.upperBound, 86_400))).year
            for change in rule.transitions(years: (first - 1)...(last + 1))
            where window.contains(change.time) && change.time > times.last ?? .min {
                result.append(change)
            }
        }
        return result
    }

    /// The limit is ten million years in both directions: beyond all requests, and no sum of it overflows.
    private static let dayLimit = 3_652_425_000
    private static func clamp(_ seconds: Int64) -> Int64 {
        let limit = Int64(dayLimit) * 86_400
        return max(-limit, min(seconds, limit))
    }
}

/// The reason why a time zone cannot be used.
public enum TimeZoneError: Error, Equatable, Sendable {
    /// The name is not an IANA name, or it points out of the folder. No file was read.
    case badName
    /// The folder has no file of that name.
    case unknown
    /// The file cannot be read, is not TZif (RFC 8536), is damaged, or counts leap seconds.
    case unreadable
}
