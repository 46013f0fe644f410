// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsQuery
import Testing

/// Days in time zones.
struct FilterContextTests {
    /// Days around 2026-11-20, as counted from 1970-01-01.
    private static let day = 20_777

    @Test(arguments: [-720, -330, -1, 0, 1, 60, 345, 840])
    func `today is the day that now lies in`(_ minutesEast: Int) {
        let calendar = NaiveCalendar { _ in minutesEast }
        for hour in 0..<48 {
            let now = Int64(Self.day) * 86_400_000 + Int64(hour) * 3_600_000
            let context = FilterContext(definition: Library.definition, now: now) { calendar.startOfDay($0) }
            #expect(context.today == calendar.day(of: now))
        }
    }

    @Test func `a moment before 1970 has its day too`() {
        #expect(FilterContext(definition: Library.definition, now: -1).today == -1)
        #expect(FilterContext(definition: Library.definition, now: 0).today == 0)
        #expect(FilterContext(definition: Library.definition, now: -86_400_000).today == -1)
        #expect(FilterContext(definition: Library.definition, now: -86_400_001).today == -2)
    }

    @Test func `a day of 25 hours is that whole day`() throws {
        // SystemClock go back by an hour during the 20th.
        let context = FilterContext(definition: Library.definition, now: Library.now) { day in
            Int64(day) * 86_400_000 - (day <= Self.day ? 7_200_000 : 3_600_000)
        }
        func ids(_ text: String) throws -> String { Library.ids(try FilterParser.parse(text).typed(in: context)) }
        // From 22:00Z on the 19th to 23:00Z on the 20th.
        #expect(try ids("added=2026-11-20") == "1 2 10 a1")
        #expect(try ids("added>2026-11-20") == "007 A1")
        #expect(try ids("added<2026-11-20") == "big")
        #expect(try ids("added>=2026-11-20") == "1 2 007 10 A1 a1")
        // 2026-11-20T22:30Z is 23:30 local time: still the 20th.
        #expect(try ids("due=2026-11-20T22:30:00Z") == "2 A1")
        #expect(try ids("due=2026-11-20T23:00:00Z") == "1")
    }
}
