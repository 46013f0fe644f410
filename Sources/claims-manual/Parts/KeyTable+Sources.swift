// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The keys of sources: their requests, pages, sites and joins.
extension KeyTable {
    static let source = KeyTable(
        part: "definition source", path: "source",
        keys: [
            TableKey(
                "url", .other("address"), default: "null",
                meaning:
                    "`https:`, `http:` or `file:`, without a user. Without one the collection is `unconfigured`, or serves its bundle."
            ),
            TableKey(
                "method", .other("GET or POST"), default: "\"GET\"",
                meaning:
                    "The method. A POST must be a read: it is repeated like a GET, and never goes to another host."
            ),
            TableKey(
                "query", .other("object of parameters"), default: "{}",
                meaning:
                    "Parameters behind those of `url`, percent-encoded: texts, numbers, `true`, `false`, or arrays of these."
            ),
            TableKey("interval", .span(atLeast: 100), default: "\"5min\"", meaning: "How often the source is asked."),
            TableKey(
                "ttl", .span(atLeast: 0), default: "twice the interval",
                meaning: "How long an answer counts as fresh; not longer than `expires`."),
            TableKey(
                "expires", .span(atLeast: 0), default: "\"24h\"",
                meaning: "How long it counts as stale; after that it is expired."),
            TableKey(
                "withhold", .span(atLeast: 0), default: "null",
                meaning:
                    "The age from which on the records are withheld; at least `expires`. Not with `sites`, and not where `writes.to` is `\"local\"`."
            ),
            TableKey(
                "root", .other("JSON Pointer"), default: "\"\"",
                meaning: "Where in the body the array of records is (RFC 6901)."),
            TableKey(
                "headers", .other("object of texts"), default: "{}",
                meaning:
                    "Headers to send. They are sent to the origin of `url` (scheme, host and port) only, never to one that it redirects to. Not `Host`, `Content-Length`, `Transfer-Encoding` and `Connection`, which belong to each connection."
            ),
            TableKey(
                "body", .other("JSON"), default: "null",
                meaning: "The body of a POST, sent as JSON with its numbers as written."),
            TableKey(
                "auth", .other("object"), default: "null",
                meaning: "How the request tells who asks. What it sends goes to the origin of `url` only."),
            TableKey(
                "credential", .other("name"), default: "null",
                meaning:
                    "The name of a credential that is sent as a bearer token: short for `auth: { bearer: NAME }`."),
            TableKey(
                "tls", .other("object"), default: "{}",
                meaning: "Authorities and a client certificate of the connection, instead of the system's."),
            TableKey(
                "fails", .other("JSON Pointer"), default: "null",
                meaning:
                    "Where an answer of a good status says that the request has failed: anything there but null, false, `\"\"`, `[]` and `{}` fails the refresh with `reported`."
            ),
            TableKey(
                "next", .other("object"), default: "null", meaning: "How an upstream in pages tells the next one."),
            TableKey(
                "since", .other("object"), default: "null",
                meaning: "How the upstream is asked only for what has changed since the last answer."),
            TableKey(
                "deleted", .other("JSON Pointer or object"), default: "null",
                meaning:
                    "How answers name records that are gone: a pointer in a record, whose value is anything but null, false, 0 and `\"\"`; or, with `since`, `{ ids: POINTER }`, an array of ids, or of records, in a page."
            ),
            TableKey("join", .other("object"), default: "null", meaning: "A second request that fills in fields."),
            TableKey(
                "sites", .other("object"), default: "null",
                meaning:
                    "Equal upstreams whose records the collection joins. Not beside `join.url`, `writes.to` and `withhold`."
            ),
            TableKey(
                "limits", .other("object"), default: "{}",
                meaning: "Limits of this source, instead of those in the settings."),
        ])

    static let sourceSites = KeyTable(
        part: "definition source sites", path: "source.sites",
        keys: [
            TableKey(
                "field", .other("field"), default: nil,
                meaning:
                    "The field whose value is the name of the site: a `text` field without `from`. The ids become `SITE:ID`."
            ),
            TableKey(
                "each", .other("object of requests"), default: nil,
                meaning:
                    "The sites by name, 1 to 256. A name has a-z, 0-9, `_` and `-`, at most 32, and begins with a letter. Each has `url`, `query`, `headers`, `body`, `auth`, `credential` and `tls`, as far as they differ from those of the source: objects are merged member by member, and null takes a member out. A site with `auth` or `credential` has nothing of those of the source."
            ),
        ])

    static let sourcePages = KeyTable(
        part: "definition source next", path: "source.next",
        keys: [
            TableKey(
                "pointer", .other("JSON Pointer"), default: "null",
                meaning: "Where in the body the address of the next page is."),
            TableKey(
                "link", .bool, default: "null",
                meaning: "The address is in the header `Link` with `rel=\"next\"` (RFC 8288)."),
            TableKey(
                "cursor", .other("JSON Pointer"), default: "null",
                meaning:
                    "Where in the body the cursor is, a text or a number, that the request for the next page sends in `to`. None, null and `\"\"` are the end."
            ),
            TableKey(
                "to", .other("parameter"), default: "null",
                meaning:
                    "With `cursor`, and required there: the name of a query parameter, or `{ body: POINTER }`, a member of the body whose parent is there. The first request leaves it as written."
            ),
            TableKey(
                "page", .other("parameter"), default: "null",
                meaning:
                    "The query parameter, or the member of the body as in `to`, in which the pages are counted."),
            TableKey("parameter", .other("parameter"), default: "null", meaning: "The same as `page`."),
            TableKey(
                "offset", .other("parameter"), default: "null",
                meaning:
                    "The query parameter, or the member of the body as in `to`, in which the records of the pages before are counted."
            ),
            TableKey(
                "size", .integer(1...1_000_000), default: "null",
                meaning:
                    "With `page` and `offset`, and required there: the records of a full page. One with fewer is the last; after a first one with fewer, one more page is asked for."
            ),
            TableKey(
                "from", .integer(0...1_000_000), default: "1", meaning: "With `page`: the number of the first page."
            ),
            TableKey(
                "more", .other("JSON Pointer"), default: "null",
                meaning:
                    "With `cursor`, `page` and `offset`: where the body says whether there is a further page, true or false. It decides instead of the number of records."
            ),
            TableKey(
                "stable", .bool, default: "false",
                meaning:
                    "With `page` and `offset`: the server pages over a set that does not change meanwhile. Then what is missing is not asked for a second time."
            ),
        ])

    static let sourceSince = KeyTable(
        part: "definition source since", path: "source.since",
        keys: [
            TableKey(
                "to", .other("parameter"), default: nil,
                meaning:
                    "The query parameter, or `{ body: POINTER }`, a member of the body whose parent is there, that says since when. A request for all records leaves it as written."
            ),
            TableKey(
                "field", .other("name"), default: "null",
                meaning:
                    "A field of the type instant, date or integer. Its largest value is sent, less `overlap`; one that is more than a minute later than its page does not count."
            ),
            TableKey(
                "token", .other("JSON Pointer"), default: "null",
                meaning:
                    "Instead of `field`: where the last page of an answer has the text or number that the next request sends."
            ),
            TableKey(
                "overlap", .other("span or number"), default: "`\"5min\"`, or `0`",
                meaning:
                    "With `field`: how far a request goes back. A span for instants and dates, of dates whole days and at least one; a number for integers."
            ),
            TableKey(
                "full", .span(atLeast: 100), default: "\"24h\"",
                meaning:
                    "The time between two requests for all records. Records that went without a word leave with these."),
        ])

    static let sourceJoin = KeyTable(
        part: "definition source join", path: "source.join",
        keys: [
            TableKey("url", .other("address"), default: "null", meaning: "Without one the join is declared, but off."),
            TableKey(
                "root", .other("JSON Pointer"), default: "\"\"",
                meaning: "Where in the body the array of the other records is."),
            TableKey(
                "method", .other("GET or POST"), default: "\"GET\"",
                meaning: "As in `source`, like the keys up to `next`."),
            TableKey(
                "query", .other("object of parameters"), default: "{}",
                meaning: "The parameters behind those of `url`."),
            TableKey(
                "headers", .other("object of texts"), default: "{}",
                meaning: "The headers to send, to the origin of this `url` only."),
            TableKey("body", .other("JSON"), default: "null", meaning: "The body of a POST."),
            TableKey(
                "auth", .other("object"), default: "null",
                meaning: "How the request tells who asks, to the origin of this `url` only."),
            TableKey("credential", .other("name"), default: "null", meaning: "Short for `auth: { bearer: NAME }`."),
            TableKey("tls", .other("object"), default: "{}", meaning: "Authorities and a client certificate."),
            TableKey(
                "fails", .other("JSON Pointer"), default: "null",
                meaning: "Where an answer says that the request has failed."),
            TableKey("next", .other("object"), default: "null", meaning: "How its pages are told."),
            TableKey(
                "on", .other("field and JSON Pointer"), default: nil,
                meaning:
                    "A `text` or `id` field here and the place in the other records that must be equal, such as `[\"author_id\", \"/id\"]`."
            ),
            TableKey(
                "take", .other("object of JSON Pointers"), default: nil,
                meaning: "The fields to fill where a record has no value of its own, and the places of the values."),
        ])
}
