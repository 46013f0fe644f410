// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

/// The verbs of claimsctl, from the tables that its help is made of.
enum VerbsPart {
    static var blocks: [Block] { Verb.allCases.flatMap(blocks) }

    private static func blocks(_ verb: Verb) -> [Block] {
        let aliases = Verb.aliases.filter { $0.value == verb }.keys.sorted().map { ", `\($0)`" }.joined()
        var blocks: [Block] = [
            .heading(level: 3, "`\(verb.rawValue)`\(aliases)"),
            .code(["claimsctl \(verb.rawValue) \(verb.synopsis)".trimmingEnd()]),
            .paragraph(verb.details.split(separator: "\n").joined(separator: " ")),
        ]
        let options = Option.allCases.filter { $0.verbs?.contains(verb) ?? false }
        if !options.isEmpty {
            let names = options.map { "`--\($0.rawValue)`" }.joined(separator: ", ")
            blocks.append(.paragraph("Options of its own: \(names)."))
        }
        if !verb.examples.isEmpty { blocks.append(.code(verb.examples.map { "claimsctl \($0)" })) }
        return blocks
    }
}

extension String {
    fileprivate func trimmingEnd() -> String { last == " " ? String(dropLast()) : self }
}
