// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Verb {
    /// What its help page says.
    public var details: String {
        switch self {
        case .search:
            """
            Finds records. Terms are filter terms, and all must hold: claimsctl help filters. On a terminal a page
            of 50 is shown, and how many there are; into a pipe, and with --all, every record.
            """
        case .sort:
            """
            Shows the whole collection in an order. A key is a field, or an order the collection names; -key, or
            key:desc, descends. Without keys it is the collection's own order.
            """
        case .detail:
            """
            Shows all fields of records, and where they came from. With --raw also the object as the upstream
            sent it. Without a selector an id is COLLECTION/ID, as search -o name prints it.
            """
        case .archive:
            "Hides records from lists until they are unarchived. Prints what changed."
        case .unarchive:
            "Brings archived records back to the lists. Prints what changed."
        case .refresh:
            """
            Asks the upstream now, for one collection or all. It says that it started; with --wait, what came of it.
            """
        case .status:
            "Shows the daemon and its collections: state, freshness, next refresh, errors and what to do about them."
        case .count:
            "Prints how many records match. Terms are as for search."
        case .facets:
            """
            Counts records by the values of the fields named. Arguments with an operator are a filter; with --fields, \
            all arguments are.
            """
        case .deal:
            "Prints the deal of the day."
        case .describe:
            "Shows the fields, codes, orders and views of a collection, or the parameters of a protocol method."
        case .raw:
            """
            Sends lines of JSON to the daemon as they are and prints its answers as they are; - reads the lines from
            standard input.
            """
        case .completion:
            "Prints a completion script. For bash: source <(claimsctl completion bash)"
        case .help:
            "Explains a verb, the exit codes or filters."
        }
    }

    /// Command lines that work, without the program's name.
    public var examples: [String] {
        switch self {
        case .search:
            [
                "search --book shelf!=cellar", "search --book 'sea water'", "search --book --archived only",
                "search --book 'pages>100' --sort -pages -o json", "search water",
            ]
        case .sort: ["sort --book -shelf author", "sort --book", "sort --book pages:desc"]
        case .detail: ["detail --book 7", "detail --book 12 13 --raw", "detail books/7"]
        case .archive: ["archive --book 12 13", "archive --book --filter shelf=cellar --dry-run"]
        case .unarchive: ["unarchive --book 12"]
        case .refresh: ["refresh --book --wait", "refresh"]
        case .count: ["count --book shelf!=cellar", "count water"]
        case .facets: ["facets --book shelf", "facets --book shelf,author 'lent_on>=-7d'"]
        case .describe: ["describe", "describe --book", "describe search -o json"]
        case .raw: [#"raw '{"id":1,"method":"ping"}'"#]
        case .completion: ["completion bash"]
        case .help: ["help search", "help filters", "help exit-codes"]
        case .status, .deal: []
        }
    }
}
