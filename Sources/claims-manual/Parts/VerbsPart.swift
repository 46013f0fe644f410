// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The verbs of claimsctl, from the tables that its help is made of.
enum VerbsPart {
    static var blocks: [Block] { CommandTable.verbs.flatMap(blocks) }

    private static func blocks(_ verb: Verb) -> [Block] {
        let aliases = verb.aliases.map { ", `\($0)`" }.joined()
        var blocks: [Block] = [
            .heading(level: 3, "`\(verb.word)`\(aliases)"),
            .code(["claimsctl \(verb.word) \(verb.synopsis)".trimmingEnd()]),
            .paragraph(verb.details.text("en").split(separator: "\n").joined(separator: " ")),
        ]
        let options = Option.allCases.filter(verb.options.contains)
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

/// The options of claimsctl, from the table that its parser reads.
enum OptionsPart {
    static var block: Block {
        .table(header: ["Option", "With", "Meaning"], rows: Option.allCases.map(row))
    }

    private static func row(_ option: Option) -> [String] {
        let short = option.short.map { "-\($0), " } ?? ""
        let value = option.value.map { " \($0)" } ?? ""
        let verbs = CommandTable.verbs.filter { $0.takes(option) }.map { "`\($0.word)`" }.joined(separator: ", ")
        return [
            "`\(short)--\(option.rawValue)\(value)`",
            option == .host ? "every verb that asks the daemon" : option.isCommon ? "every verb" : verbs,
            option.summary.text("en").withNamesInCode.punctuated,
        ]
    }
}

extension String {
    /// The names of values and verbs with which a summary begins.
    private static var names: Set<String> {
        Set(
            OutputFormat.allCases.map(\.rawValue) + ColorMode.allCases.map(\.rawValue)
                + ArchivedMode.allCases.map(\.rawValue) + OutboxResolution.allCases.map(\.rawValue)
                + CommandTable.verbs.map(\.word))
    }

    /// The text with code marks around the names at the beginning, if they are a list or one name with a colon: "table,
    /// wide or name".
    var withNamesInCode: String {
        var shown: [String] = []
        var rest = split(separator: " ")[...]
        while let word = rest.first {
            let name = word.prefix { $0 != "," && $0 != ":" }
            let isName = Self.names.contains(String(name))
            guard isName || !shown.isEmpty && word == "or" else { break }
            shown.append(isName ? "`\(name)`\(word.dropFirst(name.count))" : String(word))
            rest = rest.dropFirst()
        }
        // A single word such as "only" may be no name.
        guard shown.count > 1 || shown.first?.hasSuffix(":") == true else { return self }
        return (shown + rest.map(String.init)).joined(separator: " ")
    }
}

extension String {
    /// With a capital and a full stop.
    var punctuated: String { prefix(1).uppercased() + dropFirst() + "." }
}

/// The exit codes of claimsctl.
enum ExitCodesPart {
    static var block: Block {
        .table(
            header: ["Code", "Kinds of errors", "Meaning"],
            rows: ExitCode.allCases.map { code in
                let kinds = ErrorKind.allCases.filter { ExitCode($0) == code }.map { "`\($0.rawValue)`" }
                return ["`\(code.rawValue)`", kinds.joined(separator: ", "), code.meaning.text("en").punctuated]
            })
    }
}
