// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension KeyTable {
    /// The keys of definition files, `collections.d/NAME.json5`, a table for each object.
    public static let definitions = [
        KeyTable(
            part: "definition", path: "",
            keys: [
                Key(
                    "title", .other("text by language"), default: "made from the name",
                    meaning: "What people call the collection."),
                Key(
                    "singular", .other("word"), default: "the name",
                    meaning:
                        "What one record is called, and the option of claimsctl that selects the collection. Of a-z, 0-9, `_` and `-`, beginning with a letter; no option of claimsctl, and no other collection's."
                ),
                Key("source", .other("object"), default: "{}", meaning: "Where the records come from, and how often."),
                Key(
                    "bundle", .other("path"), default: "null",
                    meaning:
                        "A file with an array of records that is served until an upstream has answered. A relative path begins at the folder above `collections.d`: `/usr/share/claimsd` or `/etc/claimsd`. The file must be there."
                ),
                Key(
                    "fields", .other("object of fields"), default: nil,
                    meaning:
                        "The fields by name, in the order of columns; at most 256. Exactly one is of the type `id`, and it is called `id`."
                ),
                Key(
                    "vocabularies", .other("object of vocabularies"), default: "{}",
                    meaning: "The codes of `enum` fields, by name."),
                Key(
                    "groups", .other("object of groups"), default: "{}",
                    meaning: "Groups of codes by name, in the order shown."),
                Key(
                    "group_by", .other("field"), default: "null",
                    meaning: "The `enum` field whose codes carry the groups."),
                Key(
                    "sort", .other("sort keys"), default: "[]",
                    meaning:
                        "The default order: an array of keys, or a text with commas; `-` descends. The names in `sorts` may be used. Every order ends in the id."
                ),
                Key(
                    "sorts", .other("object of sort keys"), default: "{}",
                    meaning: "Orders by name; their keys are fields."),
                Key("views", .other("object of filters"), default: "{}", meaning: "Filters by name."),
                Key(
                    "list", .other("array of fields"), default: "all fields",
                    meaning: "The fields of a list, at least one."),
                Key("archive", .bool, default: "false", meaning: "Whether records can be archived."),
                Key(
                    "volatile", .other("JSON Pointers"), default: "[]",
                    meaning:
                        "Places in upstream records, at most 64, whose changes alone count as no change: the new values are served, but history, clock and feeds do not tell them. A field read at, below or above one is volatile too: it is searched and sorted by, but no feed's filter may name it. The `id`, fields with `search: true` and the one that a join is on cannot be volatile."
                ),
                Key(
                    "history", .other("object"), default: "{}",
                    meaning: "How much of the past is kept, instead of what the settings say."),
                Key(
                    "writes", .other("object"), default: "null",
                    meaning: "Who may add, change and delete which records, and where that goes (<doc:Writing>)."),
                Key(
                    "deal", .other("object"), default: "null",
                    meaning: "What the method `deal` says; without it the collection has none."
                ),
            ]),
        source,
        sourceSites,
        access, accessBasic, accessKey, accessTokens, accessTLS,
        KeyTable(part: "definition source limits", path: "source.limits", keys: transfer.map(\.ofSource)),
        KeyTable(
            part: "definition history", path: "history", keys: HistorySettings.keys.map(Key.init).map(\.ofSource)),
        sourcePages,
        sourceSince,
        sourceJoin,
        KeyTable(
            part: "definition field", path: "fields.NAME",
            keys: [
                Key("type", .other("field type"), default: nil, meaning: "One of the types below."),
                Key(
                    "from", .other("JSON Pointers"), default: nil,
                    meaning:
                        "Where an upstream record may hold the value: an array, or one text. The first place that holds one wins. A field that the join takes needs none."
                ),
                Key(
                    "search", .bool, default: "false",
                    meaning: "Whether free text looks into the field: `text`, `id` and `url` only."),
                Key(
                    "required", .bool, default: "false",
                    meaning: "Whether a record without a value of the right type goes to quarantine."),
                Key(
                    "vocabulary", .other("name"), default: "null",
                    meaning: "The vocabulary of an `enum` field, which needs one."),
                Key(
                    "title", .other("text by language"), default: "made from the name",
                    meaning: "The heading of the column."),
                Key("bold", .bool, default: "false", meaning: "Whether a list shows the value bold."),
                Key("lines", .integer(1...20), default: "1", meaning: "How many lines of a list the value may take."),
            ]),
        KeyTable(
            part: "definition vocabulary", path: "vocabularies.NAME",
            keys: [
                Key(
                    "fallback", .other("code"), default: nil, meaning: "What a value that is none of the codes becomes."
                ),
                Key(
                    "absent", .other("code"), default: "null",
                    meaning: "What a missing value becomes; null: it stays absent."),
                Key(
                    "codes", .other("object of codes"), default: nil,
                    meaning: "The codes by name. No two may differ in case, space, `-` and `_` only."),
            ]),
        KeyTable(
            part: "definition code", path: "vocabularies.NAME.codes.CODE",
            keys: [
                Key("rank", .integer(-1_000_000...1_000_000), default: "0", meaning: "Its place in the order."),
                Key("group", .other("name"), default: "null", meaning: "The group of records with this code."),
                Key(
                    "badge", .other("true, false or text by language"), default: "false",
                    meaning: "What a badge beside the record says; true: the label."),
                Key("label", .other("text by language"), default: "made from the code", meaning: "What people read."),
            ]),
        KeyTable(
            part: "definition group", path: "groups.NAME",
            keys: [
                Key("label", .other("text by language"), default: "made from the name", meaning: "What people read.")
            ]),
        KeyTable(
            part: "definition view", path: "views.NAME",
            keys: [
                Key("filter", .other("filter"), default: nil, meaning: "Which records the view shows."),
                Key("title", .other("text by language"), default: "null", meaning: "What people read."),
            ]),
        KeyTable(
            part: "definition deal", path: "deal",
            keys: [
                Key(
                    "message", .other("text by language"), default: nil,
                    meaning: "The line, with `{field}` where a value of the record goes.")
            ]),
    ]
}

extension Key {
    /// The same key of a source, which takes the place of the daemon's.
    fileprivate var ofSource: Key { Key(name, type, default: "as in the settings", meaning: meaning) }
}
