// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The pages of `help`, made from the same descriptions as the parser.
struct HelpText {
    /// All verbs there are.
    let verbs: [Verb]
    /// The width of a line in cells.
    let width: Int

    /// The width of a line that is still easy to read, in cells.
    private static let maxWidth = 100

    init(verbs: [Verb], width: Int = maxWidth) {
        self.verbs = verbs
        self.width = max(20, min(width, Self.maxWidth))
    }

    static let topics = ["exit-codes", "filters"]

    /// The page of a topic; `nil` where there is none of that name.
    func page(_ topic: String?) -> String? {
        guard let topic else { return overview }
        if let verb = verbs.first(where: { $0.words.contains(topic) }) { return fitted(page(verb)) }
        switch topic {
        case "exit-codes": return fitted(Self.exitCodes)
        case "filters": return fitted(Self.filters)
        default: return nil
        }
    }

    var overview: String { fitted(wholeOverview) }

    private var wholeOverview: String {
        var text = """
            claimsctl [OPTIONS] VERB [SELECTOR] [TERMS…] [OPTIONS]

            A selector is --collection NAME, or the singular of any collection, such as --book. Without
            one, search, count and refresh are about all collections. Options and terms come in any order.


            """
        let width = verbs.reduce(0) { max($0, $1.word.utf8.count) }
        for verb in verbs {
            text += "  \(Fitting.pad(verb.word, to: width))  \(verb.summary)\n"
        }
        text +=
            "\nOptions of every verb (-H: of those that ask the daemon):\n"
            + Self.options(Option.allCases.filter(\.isCommon))
        text += """

            claimsctl help VERB explains a verb; claimsctl help filters and claimsctl help exit-codes the rest.

            Environment: CLAIMSD_SOCKET, CLAIMSCTL_OUTPUT, CLAIMSCTL_TIMEOUT, CLAIMSCTL_SSH, PAGER, VISUAL, EDITOR, NO_COLOR,
            TZ, LC_ALL, LC_MESSAGES, LANG. An option goes before its variable.

            """
        return text
    }

    private func page(_ verb: Verb) -> String {
        let space = verb.synopsis.isEmpty ? "" : " "
        var text = "claimsctl \(verb.word)\(space)\(verb.synopsis)\n\n\(verb.details)\n"
        let own = Option.allCases.filter(verb.options.contains)
        if !own.isEmpty { text += "\nOptions:\n" + Self.options(own) }
        if !verb.examples.isEmpty {
            text += "\nExamples:\n" + verb.examples.map { "  claimsctl \($0)\n" }.joined()
        }
        return text + "\nclaimsctl help shows the options of every verb.\n"
    }

    /// The text with lines that fit. Lines that begin at the margin flow together; a line that is set in stays one, and
    /// goes on below its second column, if it has one.
    private func fitted(_ text: String) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, first != " " {
                paragraph.append(line)
                continue
            }
            if !paragraph.isEmpty { lines += Fitting.wrap(paragraph.joined(separator: " "), to: width) }
            paragraph = []
            lines += fittedLine(line)
        }
        return lines.joined(separator: "\n") + (paragraph.isEmpty ? "" : paragraph.joined(separator: " "))
    }

    private func fittedLine(_ line: Substring) -> [String] {
        guard DisplayWidth.cells(of: String(line)) > width else { return [String(line)] }
        let margin = line.prefix { $0 == " " }.count
        let content = line.dropFirst(margin)
        let space = String(repeating: " ", count: margin)
        guard let (left, right) = Self.columns(content) else {
            return [space + Fitting.hang(String(content), to: width - margin, indent: margin + 2)]
        }
        let indent = margin + DisplayWidth.cells(of: String(left))
        if indent <= width / 2 {
            return [space + left + Fitting.hang(right, to: width - indent, indent: 0).indented(indent)]
        }
        let below = margin + 4
        return [
            space + left.trimmed,
            String(repeating: " ", count: below)
                + Fitting.hang(right, to: width - below, indent: 0).indented(below),
        ]
    }

    /// The two columns of a line, divided by two spaces or more, which belong to the first.
    private static func columns(_ line: Substring) -> (left: String, right: String)? {
        var index = line.startIndex
        while index < line.endIndex {
            let next = line.index(after: index)
            if line[index] == " ", next < line.endIndex, line[next] == " ",
                let start = line[next...].firstIndex(where: { $0 != " " })
            {
                // After a short option's place comes the long one.
                if line[..<index].isEmpty { return nil }
                return (String(line[..<start]), String(line[start...]))
            }
            index = next
        }
        return nil
    }

    private static func options(_ options: [Option]) -> String {
        let names = options.map { option in
            let short = option.short.map { "-\($0), " } ?? "    "
            return "\(short)--\(option.rawValue)" + (option.value.map { " \($0)" } ?? "")
        }
        let width = names.reduce(0) { max($0, $1.count) }
        return zip(names, options).map { "  \(Fitting.pad($0, to: width))  \($1.summary)\n" }.joined()
    }

    private static var exitCodes: String {
        var text = "How claimsctl ends. These numbers never change.\n\n"
        for code in ExitCode.allCases {
            text += "  \(Fitting.pad(String(code.rawValue), to: 3, isRight: true))  \(code.meaning)\n"
        }
        return text
    }
}

extension String {
    /// The text with this many spaces at the start of each line but the first.
    fileprivate func indented(_ count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n" + String(repeating: " ", count: count))
    }

    fileprivate var trimmed: String { trimmingSpaces() }
}

extension HelpText {
    static var filters: String {
        """
        Terms that stand side by side must all hold; 'and', 'or', 'not' and parentheses join them.

          water                    the text is in a searched field, whatever its case and accents
          'sea water'              the phrase is in one field
          shelf=attic              equal; a comma list is any of them: shelf=attic,cellar
          shelf!=attic             everything else, also records without a shelf
          author~austen            contains; 'author~jane austen' takes all after ~ as the value
          author!~austen           does not contain
          author^=jane             starts with
          pages=100..500           between, both ends included; 100.. and ..500 are open
          'pages>100'              compare; quote it, or the shell takes > for a redirection,
          pages.ge=100             or write it in letters: .gt .ge .lt .le .before .after
          lent_on.none             has no value; lent_on.any has one
          shelf.raw=ATTIC          compares the value as the upstream sent it

        The operators in letters: .eq= .ne= .has= .lacks= .starts= .gt= .ge= .lt= .le= .before= .after=

        Dates: 2026-11-20, 2026-11-20T08:01:00Z, now, today, yesterday, tomorrow, -3d, +2w. A day is that whole
        day where you are. No white space around an operator. Quotes hold what has spaces, commas or parentheses:
        'author="Bang, Herman"'. To look for a text that would be a filter: --text 'a=b (c)'.

        claimsctl search --fields help --book lists the fields, their types and operators.

        """
    }
}
