// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension KeyTable {
    /// The keys of `writes` in definition files, a table for each object.
    public static let writes = [
        KeyTable(
            part: "definition writes", path: "writes",
            keys: [
                TableKey(
                    "to", .other("`\"local\"` or `\"upstream\"`"), default: "null",
                    meaning:
                        "`\"local\"`: this host is the truth; then there is no `source.url` and no `bundle`. `\"upstream\"`: to the source, which has a `url`. null: nothing can be written."
                ),
                TableKey(
                    "role", .other("object of `users` and `groups`"), default: "null",
                    meaning: "Who may write, instead of the setting `roles.write`."),
                TableKey(
                    "fields", .other("object of fields"), default: "{}",
                    meaning:
                        "What a caller may give. The `id`, fields from the join and volatile ones cannot be given, nor a field that is read through an array."
                ),
                TableKey(
                    "create", .other("object"), default: "null", meaning: "How a record is added; null: not at all."),
                TableKey("update", .other("object"), default: "null", meaning: "How a record is changed."),
                TableKey("delete", .other("object"), default: "null", meaning: "How a record is deleted."),
                TableKey(
                    "actions", .other("object of actions"), default: "{}",
                    meaning: "Other actions on a record, by name, at most 64."),
                TableKey("attachments", .other("object"), default: "null", meaning: "The files of records."),
                TableKey(
                    "headers", .other("object of texts"), default: "those of the source",
                    meaning:
                        "Headers to send to the addresses of this block. Without them, those of the source are sent to its own origin (scheme, host and port)."
                ),
                TableKey(
                    "auth", .other("object"), default: "that of the source",
                    meaning: "How the requests tell who asks, as in `source`; likewise."),
                TableKey(
                    "credential", .other("name"), default: "that of the source",
                    meaning: "The name of a credential that is sent as a bearer token; likewise."),
                TableKey(
                    "tls", .other("object"), default: "that of the source",
                    meaning: "Authorities and a client certificate, as in `source`; likewise."),
                TableKey(
                    "idempotency", .other("object"), default: "null",
                    meaning: "How the upstream recognises a request that it has had already."),
                TableKey(
                    "reference", .other("JSON Pointer"), default: "null",
                    meaning: "Where a new record has the operation's id, in the body sent and in records fetched."),
                TableKey(
                    "match", .other("address"), default: "null",
                    meaning: "Where a record is read before it is written, with `{id}`."),
                TableKey(
                    "confirm", .span(atLeast: 1000), default: "\"15min\"",
                    meaning: "How long an accepted write may take to be seen."),
            ]),
        KeyTable(
            part: "definition writes field", path: "writes.fields.NAME",
            keys: [
                TableKey(
                    "required", .bool, default: "false",
                    meaning: "Whether a new record needs a value, and nothing may clear it."),
                TableKey(
                    "codes", .other("array of codes"), default: "all but the fallback",
                    meaning: "Of an `enum`: the codes that may be given."),
                TableKey(
                    "max_length", .other("integer; of `json` a size"), default: "4096",
                    meaning: "Unicode scalars of a `text`, or of a `url` (2048); bytes of `json` (16K)."),
                TableKey(
                    "min", .other("number or date"), default: "null",
                    meaning:
                        "The smallest `integer`, `decimal`, `instant` or `date`; a date as in filters, such as `today` or `-3d`."
                ),
                TableKey("max", .other("number or date"), default: "null", meaning: "The greatest one."),
                TableKey(
                    "scale", .integer(0...100), default: "null",
                    meaning: "Of a `decimal`: the digits after the point, zeros at the end not counted."),
                TableKey(
                    "refs", .other("collection"), default: "null",
                    meaning: "The collection whose ids the value holds: a `text`, or `json` with an array of ids."),
                TableKey(
                    "at", .other("JSON Pointer"), default: "the first of `from`",
                    meaning: "Where the body of a request has the value."),
            ]),
        KeyTable(
            part: "definition writes action", path: "writes.actions.NAME",
            keys: [
                TableKey(
                    "when", .other("filter"), default: "null",
                    meaning: "What the served record must match. A create has none."),
                TableKey(
                    "fields", .other("array of fields"), default: "all of `writes.fields`; of actions none",
                    meaning: "What a caller may give."),
                TableKey(
                    "set", .other("object of values"), default: "{}",
                    meaning: "Values that the action gives itself; `\"now\"` is the time of the operation."),
                TableKey(
                    "shows", .other("object of values"), default: "{}",
                    meaning: "Values that the upstream sets itself: shown meanwhile, but not sent."),
                TableKey(
                    "attachments", .bool, default: "`true`; of actions `false`",
                    meaning: "Whether files may be attached."),
                TableKey(
                    "label", .other("text by language"), default: "made from the name", meaning: "What people read."),
                TableKey(
                    "role", .other("object of `users` and `groups`"), default: "null",
                    meaning: "Who may do it, instead of those who may write."),
                TableKey(
                    "method", .other("text"), default: "`POST`; of update `PATCH`; of delete `DELETE`",
                    meaning: "`POST`, `PUT` or `PATCH`; of delete `DELETE` or `POST`."),
                TableKey(
                    "url", .other("address"), default: "null",
                    meaning:
                        "The address, with `{id}` for the record's id, percent-encoded. Without one the action is not offered upstream. Only a create, and a `POST` of the whole record, may do without `{id}`."
                ),
                TableKey(
                    "accept", .other("array of statuses"), default: "[200, 201, 202, 204]",
                    meaning: "The statuses that mean success, each from 200 to 299."),
                TableKey(
                    "body", .other("`\"fields\"`, `\"record\"` or object"),
                    default: "`\"fields\"`; of PUT `\"record\"`",
                    meaning:
                        "The values given and set, with null for those that are cleared; or the upstream's whole object with the changes; or an object into which the values are put."
                ),
                TableKey(
                    "id", .other("JSON Pointer or `\"location\"`"), default: "null",
                    meaning:
                        "Of create: where the answer has the new record's id. Not needed with `{id}` in `url`, which keeps the id that the daemon has given, or with `reference`."
                ),
            ]),
        KeyTable(
            part: "definition writes attachments", path: "writes.attachments",
            keys: [
                TableKey(
                    "field", .other("field"), default: nil,
                    meaning: "A `json` field that lists the files. It cannot be in `writes.fields`."),
                TableKey(
                    "types", .other("array of media types"), default: "all five",
                    meaning:
                        "Of `image/png`, `image/jpeg`, `application/pdf`, `image/tiff` and `image/heic`; the first bytes of a file tell its type."
                ),
                TableKey("min", .integer(0...1000), default: "0", meaning: "How many files a record needs."),
                TableKey("max", .integer(1...1000), default: "10", meaning: "How many it may have."),
                TableKey("size", .size(atLeast: 1), default: "\"20M\"", meaning: "Bytes of a file."),
                TableKey(
                    "send", .other("`\"multipart\"` or object"), default: "null",
                    meaning:
                        "How files get to the upstream: with a create, as `multipart/form-data`; or a request for each, of `method` (`POST` or `PUT`), `url` and `accept`. Without it files are for local records only."
                ),
            ]),
        KeyTable(
            part: "definition writes idempotency", path: "writes.idempotency",
            keys: [
                TableKey(
                    "header", .other("text"), default: nil, meaning: "The header with the key: the operation's id."),
                TableKey("life", .span(atLeast: 1000), default: nil, meaning: "How long the upstream knows a key."),
            ]),
    ]
}
