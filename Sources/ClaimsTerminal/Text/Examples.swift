// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The command lines and terms that help and manual show.
///
/// They name collections that are shipped, so that a person can run them as they are printed; a test does. No other file
/// knows such a name.
public enum Examples {
    /// A collection whose records are fetched, as requests name it.
    public static let collection = "packs"
    /// A selector of one.
    public static let selector = "--unit"
    /// An action in the place of a verb.
    static let action = "verify --claim 7"

    /// The lines of each verb, without the program's name; none for a verb that has no examples.
    static func lines(of verb: String) -> [String] { lines[verb] ?? [] }

    private static let lines: [String: [String]] = [
        "browse": ["browse", "browse --unit status!=ok", "browse --unit --view attention --plain"],
        "search": [
            "search --unit status!=ok", "search --claim 'water damage'", "search --pack --archived only",
            "search --claim 'amount>100' --sort -amount -o json", "search water",
            "search --unit --view attention -o spreadsheet --to units.csv",
        ],
        "sort": ["sort --unit -status name", "sort --pack", "sort --claim amount:desc"],
        "detail": ["detail --unit 7", "detail --unit 12 13 --raw", "detail units/7", "detail --unit -"],
        "archive": [
            "archive --pack 12 13", "archive --pack --filter status=DELIVERED --dry-run", "archive --pack -",
        ],
        "unarchive": ["unarchive --pack 12"],
        "refresh": ["refresh --unit --wait", "refresh"],
        "add": [
            "add --document type=identification title=Passport --attach passport.jpg",
            "add --claim --json claim.json",
            "add --document type=identification title=Passport --attach - --wait",
        ],
        "edit": [
            "edit --claim 7 title='Water damage'", "edit --document 7 notes= --attach page-2.jpg", "edit --claim 7",
        ],
        "delete": ["delete --claim 7", "delete --claim 12 13 --yes", "delete --claim 7 --dry-run"],
        "act": ["act verify --claim 7 8", "act resubmit --document 7 notes='a sharper scan' --attach scan.jpg"],
        "open": ["open --document 7", "open --document 7 2"],
        "share": ["share --document 7 ~/documents", "share --document 7 12 --tar > documents.tar"],
        "outbox": [
            "outbox", "outbox --claim --state stuck", "outbox get 0192f3a1", "outbox retry 0192f3a1 amount=80",
            "outbox resolve 0192f3a1 --as done --id 77",
        ],
        "status": ["status", "status --plot --since 7d"],
        "check": [
            "check", "check --unit --view attention -w 0 -c 10", "check --document --view expired -c 0 --lang pl",
        ],
        "metrics": ["metrics", "metrics --to claimsd.prom"],
        "access": ["access", "access root", "access -o json"],
        "fleet": ["fleet", "fleet -o json"],
        "refreshes": ["refreshes", "refreshes --unit --limit 10", "refreshes --unit -o csv"],
        "count": ["count --unit status!=ok", "count water"],
        "facets": [
            "facets --pack status", "facets --pack status,shipment_type 'pickup_date>=-7d'",
            "facets --pack status --plot",
        ],
        "changes": [
            "changes --pack --cursor-file packs.clock -o jsonl", "changes --unit status=faulty --since now",
            "changes --cursor-file all.clock",
        ],
        "watch": ["watch --unit status=faulty", "watch --pack --initial -o jsonl", "watch --unit --since now"],
        "wait": [
            "wait --unit id=7 --until status=ok",
            "wait --pack shipment_type=COURIER --until status=DELIVERED --all --for 1min",
            "wait --unit --until status=faulty --none --timeout 1h",
        ],
        "history": ["history --unit 7", "history units/7 -o json", "history --unit 7 --limit 1"],
        "explain": ["explain --claim 'amount>100' water", "explain --unit status!=ok --id 7"],
        "quarantine": [
            "quarantine --unit", "quarantine --unit get 3", "quarantine --unit retry", "quarantine --unit drop 3 4",
        ],
        "forget": [
            "forget --collection units", "forget --collection units --yes", "forget --claim 7",
            "forget --claim 7 8 --dry-run",
        ],
        "deal": ["deal", "deal --country"],
        "describe": ["describe", "describe --unit", "describe search -o json"],
        "define": [
            "define answer.json", "define https://erp.example/v1/machines --name machines",
            "define - --root /data/items",
        ],
        "try": ["try units", "try units --site warsaw", "try units.json5 --credential units-token=token.txt"],
        "trigger": [
            "trigger", "trigger test documents-expiring",
            "trigger test documents-expiring | claimsctl trigger text --lang pl",
        ],
        "raw": [#"raw '{"id":1,"method":"ping"}'"#],
        "stdio": ["stdio"],
        "completion": ["completion bash"],
        "help": ["help search", "help filters", "help exit-codes"],
    ]
}

// The terms on the page about filters, which fit one collection.

extension Examples {
    static let text = "water"
    static let phrase = "'water damage'"
    static let equal = "status=pending"
    static let anyOf = "status=pending,rejected"
    static let notEqual = "status!=pending"
    static let contains = "title~water"
    static let containsPhrase = "'title~water damage'"
    static let lacks = "title!~water"
    static let starts = "title^=water"
    static let range = "amount=100..500"
    static let greater = "'amount>100'"
    static let greaterInLetters = "amount.gt=100"
    static let none = "submitted_at.none"
    static let any = "submitted_at.any"
    static let raw = "status.raw=PENDING"
    static let quoted = #"'title="Kitchen, flooded"'"#

    /// All terms that stand alone, and the selector of the collection that they fit.
    public static let terms = (
        selector: "--claim",
        all: [
            text, phrase, equal, anyOf, notEqual, contains, containsPhrase, lacks, starts, range, greater,
            greaterInLetters, none, any, raw, quoted,
        ]
    )
    /// The field of ``equal``.
    static let field = "status"
}
