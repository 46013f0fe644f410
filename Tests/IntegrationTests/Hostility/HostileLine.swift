// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A line that no honest client would send, and what it must be refused as.
struct HostileLine: Sendable {
    let name: String
    let bytes: [UInt8]
    /// The kind of the error; nil where there is nothing wrong with it.
    let kind: String?

    init(_ name: String, _ text: String, _ kind: String?) {
        self.init(name, bytes: Array(text.utf8), kind)
    }

    init(_ name: String, bytes: [UInt8], _ kind: String?) {
        self.name = name
        self.bytes = bytes
        self.kind = kind
    }

    private static func search(_ name: String, _ parameters: String, _ kind: String?) -> HostileLine {
        HostileLine(name, #"{"id":1,"method":"search","params":{"collection":"things",\#(parameters)}}"#, kind)
    }

    private static func text(_ text: String, times: Int) -> String { String(repeating: text, count: times) }

    static let all = noJSON + noRequest + badParameters

    private static let noJSON: [HostileLine] = [
        HostileLine("arrays in arrays", text("[", times: 100_000), "parse_error"),
        HostileLine("objects in objects", text(#"{"a":"#, times: 100_000), "parse_error"),
        search("a filter in arrays", #""filter":\#(text("[", times: 100_000))"#, "parse_error"),
        HostileLine("half a surrogate pair", #"{"id":1,"method":"\ud800"}"#, "parse_error"),
        HostileLine("a NUL", "{\"id\":1,\"method\":\"pi\0ng\"}", "parse_error"),
        HostileLine(
            "bytes that are not UTF-8", bytes: Array(#"{"id":1,"method":""#.utf8) + [0xC0, 0xAF, 0x22, 0x7D],
            "parse_error"),
        HostileLine(
            "an overlong form", bytes: Array(#"{"id":""#.utf8) + [0xF0, 0x82, 0x82, 0xAC] + Array(#""}"#.utf8),
            "parse_error"),
        HostileLine("two values", #"{"id":1,"method":"ping"} {"id":2,"method":"ping"}"#, "parse_error"),
        HostileLine("a number cut short", #"{"id":-"#, "parse_error"),
        HostileLine("a megabyte and a byte", text("x", times: 1 << 20) + "y", "too_large"),
    ]

    private static let ids = text("1,", times: 90_000)

    private static let noRequest: [HostileLine] = [
        HostileLine("a batch", #"[{"id":1,"method":"ping"}]"#, "invalid_request"),
        HostileLine("a notification", #"{"method":"ping"}"#, "invalid_request"),
        HostileLine(
            "an id of many digits", #"{"id":\#(text("9", times: 5000)),"method":"ping"}"#, "invalid_request"),
        HostileLine("an id with an exponent", #"{"id":1e999999999,"method":"ping"}"#, "invalid_request"),
        HostileLine(
            "an id of many letters", #"{"id":"\#(text("x", times: 65))","method":"ping"}"#, "invalid_request"),
        HostileLine("many members", "{" + text(#""m":1,"#, times: 100_000) + #""id":1}"#, "invalid_request"),
        HostileLine("a long method", #"{"id":1,"method":"\#(text("ping", times: 50_000))"}"#, "unknown_method"),
    ]

    private static let badParameters: [HostileLine] = [
        search("a limit of many digits", #""limit":\#(text("9", times: 5000))"#, "bad_params"),
        search("a limit with an exponent", #""limit":1e400"#, "bad_params"),
        search("many unknown parameters", (0..<20_000).map { "\"p\($0)\":1," }.joined() + #""limit":1"#, "bad_params"),
        search(
            "a parameter that is given many times", text(#""p":1,"#, times: 100_000) + #""limit":1"#,
            "invalid_request"),
        search("a long filter", #""filter":"\#(text("a ", times: 100_000))""#, "bad_filter"),
        search("a filter of many terms", #""filter":"\#(text("a ", times: 300))""#, "bad_filter"),
        search("many parentheses", #""filter":"\#(text("(", times: 2000))""#, "bad_filter"),
        search("many nots", #""filter":"\#(text("not ", times: 900))a""#, "bad_filter"),
        search(
            "many nots as a tree", #""filter":\#(text(#"["not","#, times: 50))1\#(text("]", times: 50))"#,
            "bad_filter"),
        search("a number of many digits", #""filter":"size=\#(text("1", times: 4000))""#, nil),
        search("a huge exponent", #""filter":"size>1e\#(text("9", times: 4000))""#, "bad_filter"),
        search("a date far away", #""filter":"seen>+\#(text("9", times: 4000))w""#, "bad_filter"),
        search("a NUL in a filter", #""filter":"title~a\u0000b""#, nil),
        search("many sort keys", #""sort":"\#(text("size,", times: 50_000))""#, "bad_sort"),
        search("many facets", #""facets":[\#(text(#""state","#, times: 50_000))"state"]"#, nil),
        search("many unknown fields", #""fields":[\#(text(#""nope","#, times: 50_000))"nope"]"#, "bad_params"),
        search("a forged cursor", #""cursor":"\#(text("A", times: 500_000))""#, "bad_cursor"),
        search("a time zone that is a path", #""time_zone":"../../../etc/passwd""#, "bad_params"),
        search("a language of many letters", #""lang":"\#(text("x", times: 100_000))""#, nil),
        HostileLine(
            "a NUL in a name", #"{"id":1,"method":"search","params":{"collection":"things\u0000"}}"#,
            "unknown_collection"),
        HostileLine(
            "a NUL in an id", #"{"id":1,"method":"detail","params":{"collection":"things","id":"1\u0000"}}"#,
            "not_found"),
        HostileLine(
            "many ids",
            #"{"id":1,"method":"archive","params":{"collection":"things","dry_run":true,"ids":[\#(ids)1]}}"#, nil),
    ]
}
