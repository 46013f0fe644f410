// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Something an upstream may do instead of answering as it should, and what is told about it.
struct UpstreamFault: Sendable {
    /// As `claims-upstream --help` has it.
    let step: String
    /// The kind of the failure.
    let kind: String
    let status: Int64?

    private init(_ step: String, _ kind: String, _ status: Int64? = nil) {
        self.step = "{\(step)}"
        self.kind = kind
        self.status = status
    }

    private init(_ name: String, as kind: String, _ status: Int64? = nil) {
        self.init("\"fault\":\"\(name)\"", kind, status)
    }

    /// Faults that are tried on one daemon after the other, by what they are about.
    enum Group: String, CaseIterable, Sendable {
        case time, connections, lengths, headers, statuses, bodies, encodings, redirects

        var faults: [UpstreamFault] {
            switch self {
            case .time: UpstreamFault.time
            case .connections: UpstreamFault.connections
            case .lengths: UpstreamFault.lengths
            case .headers: UpstreamFault.headers
            case .statuses: UpstreamFault.statuses
            case .bodies: UpstreamFault.bodies
            case .encodings: UpstreamFault.encodings
            case .redirects: UpstreamFault.redirects
            }
        }
    }

    private static let time = [
        UpstreamFault("hang", as: "timeout"),
        UpstreamFault("hang_after_headers", as: "timeout", 200),
        UpstreamFault(#""fault":"slow_headers","delay_ms":100"#, "timeout"),
        UpstreamFault(#""fault":"drip","bytes":100,"delay_ms":20"#, "timeout", 200),
    ]

    private static let connections = [
        UpstreamFault("close", as: "unreachable"),
        UpstreamFault("reset", as: "unreachable"),
        UpstreamFault("close_mid_headers", as: "truncated"),
        UpstreamFault("close_mid_body", as: "truncated", 200),
        UpstreamFault("reset_mid_body", as: "truncated", 200),
    ]

    private static let lengths = [
        UpstreamFault("length_long", as: "truncated", 200),
        // Bytes beyond the length are not read; so the records end in the middle.
        UpstreamFault("length_short", as: "not_json"),
        UpstreamFault("length_invalid", as: "protocol"),
        UpstreamFault("length_twice", as: "truncated", 200),
        UpstreamFault("chunked_broken", as: "protocol", 200),
        UpstreamFault("chunked_cut", as: "truncated", 200),
        UpstreamFault(#""headers":{"Content-Length":"99999999999"}"#, "too_large", 200),
    ]

    private static let headers = [
        UpstreamFault("endless_headers", as: "too_large"),
        UpstreamFault("huge_header", as: "too_large"),
        UpstreamFault("endless_interim", as: "too_large"),
        UpstreamFault("not_http", as: "protocol"),
        UpstreamFault("not_modified", as: "protocol", 304),
        UpstreamFault(
            #""fault":"status","status":503,"headers":{"Retry-After":"1000000000"}"#, "http_status", 503),
        UpstreamFault(#""fault":"status","status":503,"headers":{"Retry-After":"-1"}"#, "http_status", 503),
        UpstreamFault(
            #""fault":"status","status":429,"headers":{"Retry-After":"Fri, 31 Dec 9999 23:59:59 GMT"}"#, "http_status",
            429),
    ]

    private static let statuses =
        [204, 206, 300, 400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 504, 599].map { (status: Int64) in
            UpstreamFault(#""fault":"status","status":\#(status)"#, "http_status", status)
        } + [UpstreamFault("no_content", as: "http_status", 204)]

    private static let bodies = [
        UpstreamFault("html", as: "not_json"),
        UpstreamFault("empty", as: "not_json"),
        UpstreamFault("truncated_json", as: "not_json"),
        UpstreamFault("garbage", as: "not_json"),
        UpstreamFault(#""fault":"garbage","bytes":400000"#, "not_json"),
        UpstreamFault("nan", as: "not_json"),
        UpstreamFault(#""fault":"deep","depth":1000000"#, "not_json"),
        // So deep may a body be, but no record; and no record is left.
        UpstreamFault(#""fault":"deep","depth":600"#, "held"),
        UpstreamFault(#""fault":"long_string","bytes":10000000"#, "too_large", 200),
        UpstreamFault(#""fault":"long_string","bytes":4000000"#, "held"),
        UpstreamFault("duplicate_keys", as: "held"),
        UpstreamFault(#""fault":"many_records","count":5001"#, "too_large"),
        UpstreamFault("endless_body", as: "too_large", 200),
        UpstreamFault(#""json":{"error":"none of it"}"#, "wrong_shape"),
        UpstreamFault(#""json":"text""#, "wrong_shape"),
        UpstreamFault(#""json":null"#, "wrong_shape"),
        UpstreamFault(#""json":[]"#, "held"),
        UpstreamFault(#""json":[1,"two",null,[],{},{"id":null},{"id":{}}]"#, "held"),
        UpstreamFault(#""body":"[{\"id\":\"\\ud800\"}]""#, "held"),
        UpstreamFault(#""body":"[{\"id\":\"1\"},]""#, "not_json"),
        UpstreamFault(#""body":"[{\"id\":\"1\"}] []""#, "not_json"),
        UpstreamFault(#""body":"[{\"id\":1e999999999},{\"id\":01}]""#, "not_json"),
    ]

    private static let encodings = [
        UpstreamFault("gzip_wrong", as: "encoding", 200),
        // Its beginning is sound, so the records end in the middle.
        UpstreamFault("gzip_cut", as: "not_json"),
        UpstreamFault("gzip_bomb", as: "too_large", 200),
        UpstreamFault(#""fault":"gzip_bomb","bytes":7000000"#, "too_large", 200),
        UpstreamFault("unknown_encoding", as: "encoding", 200),
    ]

    private static let redirects = [
        UpstreamFault("redirect", as: "redirect", 302),
        UpstreamFault(#""fault":"redirect","status":308"#, "redirect", 308),
        UpstreamFault(#""fault":"redirect","location":"file:///etc/passwd""#, "redirect"),
        UpstreamFault(#""fault":"redirect","location":"ftp://127.0.0.1/""#, "redirect"),
        UpstreamFault(#""fault":"redirect","location":"http://127.0.0.1:1/""#, "unreachable"),
        UpstreamFault(#""fault":"redirect","location":"""#, "redirect", 302),
        UpstreamFault(#""fault":"status","status":302"#, "redirect", 302),
    ]

    /// Pages of which one is missing, or leads nowhere.
    static let brokenPages = [
        UpstreamFault(#""fault":"paged","style":"link","size":300,"fail_page":3"#, "http_status", 500),
        UpstreamFault(#""fault":"paged","style":"link","size":300,"loop":true"#, "protocol"),
        UpstreamFault(
            #""fault":"paged","style":"link","size":300,"location":"file:///etc/passwd""#, "redirect"),
    ]

    static let soundPages = #"{"fault":"paged","style":"link","size":300}"#

    /// Answers that are unusual, but right.
    static let unusual = [
        #""fault":"none""#, #""fault":"no_length""#, #""fault":"chunked""#, #""fault":"gzip""#,
        #""fault":"etag_changes""#, #""fault":"redirect","count":3,"status":307"#, #""status":203"#,
    ].map { "{\($0)}" }
}
