// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsUpstream

struct HeaderValueTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Fri, 20 Nov 2026 08:01:02 GMT", 1_795_161_662),
    ])
    func `dates have three forms`(text: String, expected: Int64) {
        #expect(HTTPDate.parse(text) == expected)
    }

    @Test(arguments: [
        "", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "-1",
    ])
    func `anything else is no date`(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test(arguments: [
        ("120", 120), ("0", 0), ("1000000000", 21600), ("99999999999999999999999999", 21600), ("-1", nil), ("1.5", nil),
        ("", nil), ("soon", nil), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("Sun, 06 Nov 2094 08:50:37 GMT", 21600),
    ])
    func `Retry-After is seconds or a date, and bounded`(value: String, expected: Int?) {
        #expect(HTTPDelay.retryAfter(value, date: nil, now: 784_111_777) == expected)
    }

    @Test func `the server's own time decides what its date means`() {
        let date = "Sun, 06 Nov 1994 08:50:37 GMT"
        #expect(HTTPDelay.retryAfter(date, date: "Sun, 06 Nov 1994 08:50:00 GMT", now: 0) == 37)
        #expect(HTTPDelay.retryAfter(date, date: "nonsense", now: 784_111_777) == 60)
    }

    private static let maxAges: [([String], String?, Int?)] = [
        (["max-age=300"], nil, 300), (["public, max-age=300, must-revalidate"], nil, 300),
        (["Max-Age = 300"], nil, 300),
        (["max-age=\"300\""], nil, 300), (["private", "max-age=5"], nil, 5), (["no-store, max-age=300"], nil, 0),
        (["no-cache"], nil, 0), (["s-maxage=300"], nil, nil), ([], nil, nil), (["max-age"], nil, nil),
        (["max-age=-1"], nil, nil), (["max-age=99999999999999999999"], nil, 1 << 31), (["max-age=300"], "100", 200),
        (["max-age=300"], "400", 0), (["max-age=300"], "x", 300),
        (["max-age=300"], "100, 200", 200), (["max-age=300"], " 100 ", 200), (["max-age=300"], "-1", 300),
    ]

    @Test func `the first of several ages counts, within bounds`() {
        #expect(HTTPDelay.age([]) == 0)
        #expect(HTTPDelay.age(["30", "7"]) == 30)
        #expect(HTTPDelay.age(["x", "7"]) == 0)
        #expect(HTTPDelay.age(["99999999999999999999"]) == 1 << 31)
    }

    @Test(arguments: maxAges)
    func `max-age is what is left of it`(values: [String], age: String?, expected: Int?) {
        #expect(HTTPDelay.maxAge(values, age: HTTPDelay.age([age].compactMap(\.self))) == expected)
    }

    private static let links: [([String], String?)] = [
        (["</a?page=2>; rel=\"next\""], "/a?page=2"), (["</a>; rel=next"], "/a"), (["</a>;rel=\"prev next\""], "/a"),
        (["</a>; rel=prev, </b>; rel=next"], "/b"), (["</a>; rel=prev", "</b>; rel=NEXT"], "/b"),
        (["</a>; title=\"a, b; \\\" rel=next\"; rel=\"next\""], "/a"), (["</a,b;c>; rel=next"], "/a,b;c"),
        (["</a>; rel=prev; rel=next"], nil), (["</a>; rev=next"], nil), (["</a>"], nil), (["/a; rel=next"], nil),
        (["</a; rel=next"], nil), ([""], nil), ([], nil), (["</a>; rel = next"], "/a"), (["<>; rel=next"], ""),
    ]

    @Test(arguments: links)
    func `a link to the next page is found`(values: [String], expected: String?) {
        #expect(LinkHeader.next(in: values) == expected)
    }
}
