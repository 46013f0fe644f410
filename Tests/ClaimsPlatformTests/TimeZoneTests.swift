// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@testable import ClaimsPlatform

@Suite struct TimeZoneTests {
    @Test(arguments: [
        "Europe/Warsaw", "Europe/London", "Europe/Dublin", "America/New_York", "America/Sao_Paulo", "America/Godthab",
        "Asia/Kolkata", "Asia/Beirut", "Asia/Tehran", "Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Apia",
        "Pacific/Chatham", "Antarctica/Troll", "Asia/Gaza", "America/Santiago", "Pacific/Kwajalein", "Etc/GMT+5", "UTC",
    ])
    func `offsets and dates are those of the system's date command`(zone: String) throws {
        let rules = try TimeZoneRules.load(zone)
        let folder = try TemporaryFolder()
        var random = SystemRandomNumberGenerator()
        // From 1883 to 2400, and the seconds around what may be a change.
        let times = (0..<400).map { _ in Int64.random(in: -2_745_000_000...13_569_000_000, using: &random) }
        try Files.writeAtomically(folder("times"), Array(times.map { "@\($0)\n" }.joined().utf8))
        let lines = try run(
            "date", ["-f", folder("times"), "+%::z %Y-%-m-%-d %-H:%-M:%-S %Z"], environment: ["TZ=\(zone)"]
        ).split(separator: "\n")
        try #require(lines.count == times.count)
        for (time, line) in zip(times, lines) {
            let civil = rules.civil(time * 1000 + 7)
            #expect(rules.offset(at: time) == civil.offset)
            let ours = "\(civil.year)-\(civil.month)-\(civil.day) \(civil.hour):\(civil.minute):\(civil.second)"
            #expect("\(colons(civil.offset)) \(ours) \(civil.abbreviation)" == plain(line), "\(time)")
            #expect(civil.millisecond == 7)
        }
    }

    @Test(arguments: [
        // A day as usual, in winter and in summer.
        ("Europe/Warsaw", 2026, 11, 20, "2026-11-19T23:00:00"), ("Europe/Warsaw", 2026, 7, 1, "2026-06-30T22:00:00"),
        // The clock went from 00:00 to 01:00: the day begins at one.
        ("America/Sao_Paulo", 2018, 11, 4, "2018-11-04T03:00:00"), ("Asia/Beirut", 2023, 3, 26, "2023-03-25T22:00:00"),
        // It went back from 24:00 to 23:00: the day before has 25 hours.
        ("America/Sao_Paulo", 2018, 2, 18, "2018-02-18T03:00:00"),
        // It went back from 00:01 to 23:01 the day before: midnight came twice, and the first one counts.
        ("America/St_Johns", 2010, 11, 7, "2010-11-07T02:30:00"),
        // A day that never was begins where the next one does.
        ("Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00"), ("Pacific/Apia", 2011, 12, 31, "2011-12-30T10:00:00"),
        // Far in the future, by the rule.
        ("America/New_York", 2400, 7, 4, "2400-07-04T04:00:00"), ("UTC", 1969, 12, 31, "1969-12-31T00:00:00"),
    ])
    func `a day begins where its clocks first show it`(
        zone: String, year: Int, month: Int, day: Int, expected: String
    ) throws {
        let rules = try TimeZoneRules.load(zone)
        let start = rules.startOfDay(GregorianCalendar.days(year: year, month: month, day: day))
        let utc = TimeZoneRules.utc.civil(start)
        let text =
            "\(utc.year)-\(two(utc.month))-\(two(utc.day))T\(two(utc.hour)):\(two(utc.minute)):\(two(utc.second))"
        #expect(text == expected)
    }

    @Test(arguments: ["America/Sao_Paulo", "Pacific/Apia", "Asia/Gaza", "America/St_Johns"])
    func `days follow each other, and an instant lies in its day`(zone: String) throws {
        let rules = try TimeZoneRules.load(zone)
        var before = rules.startOfDay(-20_000)
        for day in -19_999...25_000 {
            let start = rules.startOfDay(day)
            if start < before { Issue.record("\(zone) \(day): \(before) \(start)") }
            let civil = rules.civil(start)
            let days = GregorianCalendar.days(year: civil.year, month: civil.month, day: civil.day)
            if days < day || (days > day && rules.startOfDay(days) != start) { Issue.record("\(zone) \(day) \(civil)") }
            before = start
        }
    }

    @Test(arguments: [
        "", ".", "..", "../etc/passwd", "/etc/passwd", "Europe/../../etc/passwd", "Europe//Warsaw", "Europe/", "a b",
        "Europe/.hidden", "x\u{0}y", "Ełk", String(repeating: "x", count: 65),
    ])
    func `what is no name is not looked for`(name: String) {
        #expect(throws: TimeZoneError.badName) { try TimeZoneRules.load(name) }
    }

    @Test func `an unknown zone and a folder are told as such`() {
        #expect(throws: TimeZoneError.unknown) { try TimeZoneRules.load("Europe/Nowhere") }
        #expect(throws: TimeZoneError.unknown) { try TimeZoneRules.load("Europe") }
        #expect(throws: TimeZoneError.unreadable) { try TimeZoneRules.load("zone.tab") }
    }

    @Test func `a damaged file is an error, whatever is wrong with it`() throws {
        let good = try Files.readAll(Paths.join(TimeZoneRules.directory, "Europe/Warsaw"), cap: 1 << 20)
        for count in 0..<good.count {
            #expect(throws: TimeZoneError.unreadable) { try TimeZoneFile(Array(good[..<count])) }
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            var bytes = good
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let file = try? TimeZoneFile(bytes) else { continue }
            let rules = TimeZoneRules(name: "x", file)
            _ = rules.offset(at: .random(in: Int64.min...Int64.max, using: &random))
            _ = rules.startOfDay(.random(in: Int.min...Int.max, using: &random))
            _ = rules.civil(.random(in: Int64.min...Int64.max, using: &random))
        }
    }

    @Test(arguments: ["Europe/Warsaw", "America/New_York", "Etc/GMT+5"])
    func `a file of version 1 is read`(zone: String) throws {
        // The system's files are of version 2: their first block alone is a file of version 1.
        let modern = try Files.readAll(Paths.join(TimeZoneRules.directory, zone), cap: 1 << 20)
        var old = modern
        old[4] = 0
        guard let file = try? TimeZoneFile(old) else { return }  // a "slim" file has an empty first block
        let rules = TimeZoneRules(name: zone, file)
        let now = try TimeZoneRules.load(zone)
        for time in stride(from: Int64(0), to: 2_000_000_000, by: 10_000_000) {
            #expect(rules.offset(at: time) == now.offset(at: time))
        }
    }

    @Test(arguments: [
        "", "A", "AB1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
        "CET-25", "CET-1CEST,J0,J1", "CET-1CEST,366,1", "<+0", "CET-1 ", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1:60",
    ])
    func `what is no POSIX rule is refused`(text: String) {
        #expect(PosixTimeZone(text.utf8) == nil)
    }

    @Test(arguments: [
        "EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
        "WGT3WGST,J60/0,J300/24", "AQT-5:30:15AQST-6,59/-1,300/48", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "AAA0",
        "NZST-12NZDT,M9.5.0,M4.1.0/3", "IST-1GMT0,M10.5.0,M3.5.0/1",
    ])
    func `a POSIX rule means what it means to the system`(text: String) throws {
        let rule = try #require(PosixTimeZone(text.utf8))
        let folder = try TemporaryFolder()
        var random = SystemRandomNumberGenerator()
        let times = (0..<300).map { _ in Int64.random(in: 0...4_000_000_000, using: &random) }
        try Files.writeAtomically(folder("times"), Array(times.map { "@\($0)\n" }.joined().utf8))
        let lines = try run("date", ["-f", folder("times"), "+%::z %Z"], environment: ["TZ=\(text)"])
            .split(separator: "\n")
        for (time, line) in zip(times, lines) {
            let offset = rule.offset(at: time)
            #expect("\(colons(offset.seconds)) \(offset.abbreviation)" == line, "\(time)")
        }
    }

    @Test func `the local zone is found where the system keeps it`() throws {
        let folder = try TemporaryFolder()
        #expect(LocalTimeZone.name(environment: nil, root: folder.path) == "UTC")
        try Directory.create(folder("etc"))
        try Files.writeAtomically(folder("etc/timezone"), Array("Asia/Tokyo\n".utf8))
        #expect(LocalTimeZone.name(environment: nil, root: folder.path) == "Asia/Tokyo")
        _ = try run("ln", ["-s", "/usr/share/zoneinfo/Europe/Warsaw", folder("etc/localtime")], environment: nil)
        #expect(LocalTimeZone.name(environment: nil, root: folder.path) == "Europe/Warsaw")
        #expect(LocalTimeZone.name(environment: ":Europe/Paris", root: folder.path) == "Europe/Paris")
        #expect(LocalTimeZone.name(environment: "", root: folder.path) == "UTC")
        #expect(LocalTimeZone.name(environment: "No/Where", root: folder.path) == "Europe/Warsaw")
        #expect(LocalTimeZone.rules(environment: "EAT-3", root: folder.path).offset(at: 0) == 3 * 3600)
        let known = ["", ":", "Europe/Warsaw", ":Europe/Paris", TimeZoneRules.directory + "/Asia/Tokyo", "EAT-3"]
        #expect(known.allSatisfy { LocalTimeZone.isKnown(environment: $0) })
        #expect(["No/Where", "EAT", "/etc/passwd"].allSatisfy { !LocalTimeZone.isKnown(environment: $0) })
        #expect(LocalTimeZone.rules(environment: "Europe/Paris", root: folder.path).offset(at: 0) == 3600)
    }

    private func colons(_ offset: Int) -> String {
        let seconds = abs(offset)
        return "\(offset < 0 ? "-" : "+")\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// `date` writes an offset of zero that is no more than a guess ("-00") with a minus.
    private func plain(_ line: Substring) -> String {
        line.hasPrefix("-00:00:00 ") ? "+" + line.dropFirst() : String(line)
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
