// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Verb {
    public static let browse = Verb(
        "browse", summary: "look through collections, and change them, on a whole terminal",
        synopsis: "[SELECTOR] [TERMS…]",
        details: """
            Shows collections, searches them as you type, and follows their changes. ? lists the keys; claimsctl-browse(1)
            explains them. Terms become the filter. With --plain it reads lines and writes lines, without any escape
            sequence: for screen readers, for terminals that are none, and for scripts.
            """,
        examples: ["browse", "browse --book shelf=attic", "browse --book --view open --plain"],
        options: [.sort, .view, .archived, .filter, .text, .plain], terms: .filters)
}

/// `browse`, whose screen and lines are in a module above this one.
enum BrowseHandover {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        guard let browse = context.surroundings.browse else {
            throw .failed(.failure, kind: "browse", message: "this program has no screen")
        }
        return try browse(context)
    }
}
