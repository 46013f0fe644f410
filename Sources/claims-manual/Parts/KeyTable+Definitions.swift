// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension KeyTable {
    /// Definition files, collections.d/NAME.json5.
    public static let definitions = [
        KeyTable(
            part: "definition", path: "",
            keys: [
                Key("title", .other("text"), "made from the name", "What people call the collection."),
                Key(
                    "singular", .other("word"), "the name",
                    "What one record is called, and the option of claimsctl that selects the collection. Of a-z, 0-9, `_` and `-`, beginning with a letter; no option of claimsctl, and no other collection's."
                ),
                Key("source", .other("object"), "{}", "Where the records come from, and how often."),
                Key(
                    "bundle", .other("path"), "null",
                    "A file with an array of records that is served until an upstream has answered. A relative path is relative to the folder of the daemon's files that the definition lies in, not to `collections.d`."
                ),
                Key(
                    "fields", .other("object of fields"), nil,
                    "The fields by name, in the order of columns; at most 256. Exactly one is of the type `id`, and it is called `id`."
                ),
                Key("vocabularies", .other("object of vocabularies"), "{}", "The codes of `enum` fields, by name."),
                Key("groups", .other("object of groups"), "{}", "Groups of codes by name, in the order shown."),
                Key("group_by", .other("field"), "null", "The `enum` field whose codes carry the groups."),
                Key(
                    "sort", .other("sort keys"), "[]",
                    "The default order: an array of keys, or a text with commas; `-` descends. The names in `sorts` may be used. Every order ends in the id."
                ),
                Key("sorts", .other("object of sort keys"), "{}", "Orders by name; their keys are fields."),
                Key("views", .other("object of filters"), "{}", "Filters by name."),
                Key("list", .other("array of fields"), "all fields", "The fields of a list."),
                Key("archive", .bool, "false", "Whether records can be archived."),
                Key(
                    "deal", .other("object"), "null", "What the method `deal` says; without it the collection has none."
                ),
            ]),
        KeyTable(
            part: "definition source", path: "source",
            keys: [
                Key(
                    "url", .other("address"), "null",
                    "`https:`, `http:` or `file:`. Without one the collection is `unconfigured`, or serves its bundle."),
                Key("interval", .span(atLeast: 100), "\"5min\"", "How often the source is asked."),
                Key("ttl", .span(atLeast: 0), "twice the interval", "How long an answer counts as fresh."),
                Key("expires", .span(atLeast: 0), "\"24h\"", "How long it counts as stale; after that it is expired."),
                Key("root", .other("JSON Pointer"), "\"\"", "Where in the body the array of records is (RFC 6901)."),
                Key(
                    "headers", .other("object of texts"), "{}",
                    "Headers to send. They are sent to the host of `url` only, never to one it redirects to."),
                Key(
                    "credential", .other("name"), "null",
                    "The name of a systemd credential, sent as a bearer token to the host of `url` only."),
                Key("next", .other("object"), "null", "How an upstream in pages tells the next one."),
                Key("join", .other("object"), "null", "A second request that fills in fields."),
                Key("limits", .other("object"), "{}", "Limits of this source, instead of those in the settings."),
            ]),
        KeyTable(part: "definition source limits", path: "source.limits", keys: transfer.map(\.ofSource)),
        KeyTable(
            part: "definition source next", path: "source.next",
            keys: [
                Key("pointer", .other("JSON Pointer"), "null", "Where in the body the address of the next page is."),
                Key("link", .bool, "null", "The address is in the header `Link` with `rel=\"next\"` (RFC 8288)."),
                Key(
                    "parameter", .other("text"), "null",
                    "The name of a query parameter in which the pages are counted from 1."),
                Key(
                    "size", .integer(1...1_000_000), "null",
                    "With `parameter`, and required there: the records of a full page. One with fewer is the last."),
            ]),
        KeyTable(
            part: "definition source join", path: "source.join",
            keys: [
                Key("url", .other("address"), "null", "Without one the join is declared, but off."),
                Key("root", .other("JSON Pointer"), "\"\"", "Where in the body the array of the other records is."),
                Key("headers", .other("object of texts"), "{}", "As in `source`."),
                Key("credential", .other("name"), "null", "As in `source`."),
                Key(
                    "on", .other("field and JSON Pointer"), nil,
                    "A `text` or `id` field here and the place in the other records that must be equal, such as `[\"author_id\", \"/id\"]`."
                ),
                Key(
                    "take", .other("object of JSON Pointers"), nil,
                    "The fields to fill where a record has no value of its own, and the places of the values."),
            ]),
        KeyTable(
            part: "definition field", path: "fields.NAME",
            keys: [
                Key("type", .other("field type"), nil, "One of the types below."),
                Key(
                    "from", .other("JSON Pointers"), nil,
                    "Where an upstream record may hold the value: an array, or one text. The first place that holds one wins. A field that the join takes needs none."
                ),
                Key("search", .bool, "false", "Whether free text looks into the field: `text`, `id` and `url` only."),
                Key(
                    "required", .bool, "false",
                    "Whether a record without a value of the right type goes to quarantine."),
                Key("vocabulary", .other("name"), "null", "The vocabulary of an `enum` field, which needs one."),
                Key("title", .other("text by language"), "made from the name", "The heading of the column."),
                Key("bold", .bool, "false", "Whether a list shows the value bold."),
                Key("lines", .integer(1...20), "1", "How many lines of a list the value may take."),
            ]),
        KeyTable(
            part: "definition vocabulary", path: "vocabularies.NAME",
            keys: [
                Key("fallback", .other("code"), nil, "What a value that is none of the codes becomes."),
                Key("absent", .other("code"), "null", "What a missing value becomes; null: it stays absent."),
                Key(
                    "codes", .other("object of codes"), nil,
                    "The codes by name. No two may differ in case, space, `-` and `_` only."),
            ]),
        KeyTable(
            part: "definition code", path: "vocabularies.NAME.codes.CODE",
            keys: [
                Key("rank", .integer(-1_000_000...1_000_000), "0", "Its place in the order."),
                Key("group", .other("name"), "null", "The group of records with this code."),
                Key(
                    "badge", .other("true, false or text by language"), "false",
                    "What a badge beside the record says; true: the label."),
                Key("label", .other("text by language"), "made from the code", "What people read."),
            ]),
        KeyTable(
            part: "definition group", path: "groups.NAME",
            keys: [Key("label", .other("text by language"), "made from the name", "What people read.")]),
        KeyTable(
            part: "definition view", path: "views.NAME",
            keys: [
                Key("filter", .other("filter"), nil, "Which records the view shows."),
                Key("title", .other("text by language"), "null", "What people read."),
            ]),
        KeyTable(
            part: "definition deal", path: "deal",
            keys: [
                Key(
                    "message", .other("text by language"), nil,
                    "The line, with `{field}` where a value of the record goes.")
            ]),
    ]
}

extension Key {
    /// The same key of a source, which takes the place of the daemon's.
    fileprivate var ofSource: Key { Key(name, type, "as in the settings", meaning) }
}
