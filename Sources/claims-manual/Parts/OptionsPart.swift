// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

/// The options of claimsctl, from the table that its parser reads.
enum OptionsPart {
    static var block: Block {
        .table(header: ["Option", "With", "Meaning"], rows: Option.allCases.map(row))
    }

    private static func row(_ option: Option) -> [String] {
        let short = option.short.map { "-\($0), " } ?? ""
        let value = option.value.map { " \($0)" } ?? ""
        let verbs = option.verbs.map { $0.map { "`\($0.rawValue)`" }.joined(separator: ", ") }
        return ["`\(short)--\(option.rawValue)\(value)`", verbs ?? "every verb", option.summary.asSentence]
    }
}

extension String {
    /// With a capital and a full stop.
    var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
