// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension KeyTable {
    /// The keys of `access` in definition files, a table for each object.
    public static let rules = [
        KeyTable(
            part: "definition access", path: "access",
            keys: [
                TableKey(
                    "journal", .bool, default: "false",
                    meaning: "Whether the system's journal is told who was shown what; also where there are no rules."),
                TableKey(
                    "rules", .other("array of rules, at most \(AccessRules.maxRules)"), default: "null: all see all",
                    meaning:
                        "The first rule that names a peer holds for it, alone. For a peer that none names there is no such collection."
                ),
            ]),
        KeyTable(
            part: "definition access rule", path: "access.rules",
            keys: [
                TableKey(
                    "to", .other("`\"all\"`, or object of `users` and `groups`"), default: nil,
                    meaning: "The peers, by names or numbers of users and groups."),
                TableKey(
                    "rows", .other("filter, object GROUP: filter, or false"), default: "null: all records",
                    meaning:
                        "The records that they see: those that the filter selects, or any filter of their groups, at most \(AccessRules.maxGroups). With false, and where no group is theirs, there is no such collection for them."
                ),
                TableKey(
                    "fields", .other("array of fields"), default: "null: all",
                    meaning:
                        "The fields that they see whole, beside the id and those in `masks`. For them there are no others."
                ),
                TableKey(
                    "masks", .other("object FIELD: mask"), default: "{}",
                    meaning:
                        "The forms in which they see fields: `\"hidden\"`, not at all; `\"last4\"`, the last four characters of a text or url; `\"year\"` of a date or instant; `{ hash: NAME }`, 32 hexadecimal digits of HMAC-SHA-256 of a text, url, number or date, keyed by the credential of that name, without which the field is hidden."
                ),
                TableKey(
                    "may", .other("array of acts"), default: "null: all that their roles give",
                    meaning:
                        "The acts that they may do if their roles give them: `archive` (and unarchive), `create`, `update`, `delete`, and the actions of the definition. It only narrows."
                ),
            ]),
    ]

    /// The keys of definition files, `collections.d/NAME.json5`, a table for each object.
    public static let definitions = [
        KeyTable(
            part: "definition", path: "",
            keys: [
                TableKey(
                    "title", .other("text by language"), default: "made from the name",
                    meaning: "What people call the collection."),
                TableKey(
                    "singular", .other("word"), default: "the name",
                    meaning:
                        "What one record is called, and the option of claimsctl that selects the collection. Of a-z, 0-9, `_` and `-`, beginning with a letter; no option of claimsctl, and no other collection's."
                ),
                TableKey(
                    "source", .other("object"), default: "{}", meaning: "Where the records come from, and how often."),
                TableKey(
                    "bundle", .other("path"), default: "null",
                    meaning:
                        "A file with an array of records that is served until an upstream has answered. A relative path begins at the folder above `collections.d`: `/usr/share/claimsd` or `/etc/claimsd`. The file must be there."
                ),
                TableKey(
                    "fields", .other("object of fields"), default: nil,
                    meaning:
                        "The fields by name, in the order of columns; at most 256. Exactly one is of the type `id`, and it is called `id`."
                ),
                TableKey(
                    "vocabularies", .other("object of vocabularies"), default: "{}",
                    meaning: "The codes of `enum` fields, by name."),
                TableKey(
                    "groups", .other("object of groups"), default: "{}",
                    meaning: "Groups of codes by name, in the order shown."),
                TableKey(
                    "group_by", .other("field"), default: "null",
                    meaning: "The `enum` field whose codes carry the groups."),
                TableKey(
                    "sort", .other("sort keys"), default: "[]",
                    meaning:
                        "The default order: an array of keys, or a text with commas; `-` descends. The names in `sorts` may be used. Every order ends in the id."
                ),
                TableKey(
                    "sorts", .other("object of sort keys"), default: "{}",
                    meaning: "Orders by name; their keys are fields."),
                TableKey("views", .other("object of filters"), default: "{}", meaning: "Filters by name."),
                TableKey(
                    "list", .other("array of fields"), default: "all fields",
                    meaning: "The fields of a list, at least one."),
                TableKey("archive", .bool, default: "false", meaning: "Whether records can be archived."),
                TableKey(
                    "volatile", .other("JSON Pointers"), default: "[]",
                    meaning:
                        "Places in upstream records, at most 64, whose changes alone count as no change: the new values are served, but history, clock and feeds do not tell them. A field read at, below or above one is volatile too: it is searched and sorted by, but no feed's filter may name it. The `id`, fields with `search: true` and the one that a join is on cannot be volatile."
                ),
                TableKey(
                    "history", .other("object"), default: "{}",
                    meaning: "How much of the past is kept, instead of what the settings say."),
                TableKey(
                    "writes", .other("object"), default: "null",
                    meaning: "Who may add, change and delete which records, and where that goes (<doc:Writing>)."),
                TableKey(
                    "access", .other("object"), default: "null: all who can open the socket",
                    meaning: "Who sees the collection, and may do what with its records (<doc:Access>)."),
                TableKey(
                    "deal", .other("object"), default: "null",
                    meaning: "What the method `deal` says; without it the collection has none."
                ),
            ]),
        source,
        sourceSites,
        access, accessBasic, accessKey, accessTokens, accessTLS,
        KeyTable(part: "definition source limits", path: "source.limits", keys: transfer.map(\.ofSource)),
        KeyTable(
            part: "definition history", path: "history", keys: HistorySettings.keys.map(TableKey.init).map(\.ofSource)),
        sourcePages,
        sourceSince,
        sourceJoin,
        KeyTable(
            part: "definition field", path: "fields.NAME",
            keys: [
                TableKey("type", .other("field type"), default: nil, meaning: "One of the types below."),
                TableKey(
                    "from", .other("JSON Pointers"), default: nil,
                    meaning:
                        "Where an upstream record may hold the value: an array, or one text. The first place that holds one wins. A field that the join takes needs none."
                ),
                TableKey(
                    "search", .bool, default: "false",
                    meaning: "Whether free text looks into the field: `text`, `id` and `url` only."),
                TableKey(
                    "required", .bool, default: "false",
                    meaning: "Whether a record without a value of the right type goes to quarantine."),
                TableKey(
                    "vocabulary", .other("name"), default: "null",
                    meaning: "The vocabulary of an `enum` field, which needs one."),
                TableKey(
                    "title", .other("text by language"), default: "made from the name",
                    meaning: "The heading of the column."),
                TableKey("bold", .bool, default: "false", meaning: "Whether a list shows the value bold."),
                TableKey(
                    "lines", .integer(1...20), default: "1", meaning: "How many lines of a list the value may take."),
            ]),
        KeyTable(
            part: "definition vocabulary", path: "vocabularies.NAME",
            keys: [
                TableKey(
                    "fallback", .other("code"), default: nil, meaning: "What a value that is none of the codes becomes."
                ),
                TableKey(
                    "absent", .other("code"), default: "null",
                    meaning: "What a missing value becomes; null: it stays absent."),
                TableKey(
                    "codes", .other("object of codes"), default: nil,
                    meaning: "The codes by name. No two may differ in case, space, `-` and `_` only."),
            ]),
        KeyTable(
            part: "definition code", path: "vocabularies.NAME.codes.CODE",
            keys: [
                TableKey("rank", .integer(-1_000_000...1_000_000), default: "0", meaning: "Its place in the order."),
                TableKey("group", .other("name"), default: "null", meaning: "The group of records with this code."),
                TableKey(
                    "badge", .other("true, false or text by language"), default: "false",
                    meaning: "What a badge beside the record says; true: the label."),
                TableKey(
                    "label", .other("text by language"), default: "made from the code", meaning: "What people read."),
            ]),
        KeyTable(
            part: "definition group", path: "groups.NAME",
            keys: [
                TableKey(
                    "label", .other("text by language"), default: "made from the name", meaning: "What people read.")
            ]),
        KeyTable(
            part: "definition view", path: "views.NAME",
            keys: [
                TableKey("filter", .other("filter"), default: nil, meaning: "Which records the view shows."),
                TableKey("title", .other("text by language"), default: "null", meaning: "What people read."),
            ]),
        KeyTable(
            part: "definition deal", path: "deal",
            keys: [
                TableKey(
                    "message", .other("text by language"), default: nil,
                    meaning: "The line, with `{field}` where a value of the record goes.")
            ]),
    ]
}

extension TableKey {
    /// The same key of a source, which replaces the daemon's.
    fileprivate var ofSource: TableKey { TableKey(name, type, default: "as in the settings", meaning: meaning) }
}
