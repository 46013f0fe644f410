// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// The command lines that help and manual show.
@Suite struct CommandLinesTests {
    @Test func `each command line of help and manual is one that claimsctl understands`() throws {
        let ofVerbs = CommandTable.verbs.flatMap(\.examples).map { "claimsctl \($0)" }
        let all = try ManualExamples.lines()
        #expect(ofVerbs.count > 60 && all.count > ofVerbs.count)
        #expect(Set(ofVerbs).isSubset(of: all))
        for line in ofVerbs + all {
            for words in Self.commands(of: line) where words.first == "claimsctl" {
                #expect(throws: Never.self, "\(line)") {
                    _ = try ArgumentParser.parse(Array(words.dropFirst()), verbs: CommandTable.verbs)
                }
            }
        }
    }

    @Test func `each term on the page about filters is one that claimsctl understands`() {
        for term in Examples.terms.all {
            let words = Self.commands(of: "count \(Examples.terms.selector) \(term)")[0]
            #expect(throws: Never.self, "\(term)") {
                _ = try ArgumentParser.parse(words, verbs: CommandTable.verbs)
            }
        }
    }

    @Test func `each verb has an example`() {
        for verb in CommandTable.verbs where !verb.isHidden { #expect(!verb.examples.isEmpty, "\(verb.word)") }
    }

    /// The commands of a line of a shell, without redirections.
    private static func commands(of line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        func end() {
            if let word { commands[commands.count - 1].append(word) }
            word = nil
        }
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                end()
            } else if character == "|" || character == "&" {
                end()
                if commands[commands.count - 1] != [] { commands.append([]) }
            } else {
                word = (word ?? "") + String(character)
            }
        }
        end()
        return commands.map { words in
            guard let redirection = words.firstIndex(where: { $0.hasPrefix(">") }) else { return words }
            return Array(words[..<redirection])
        }
    }
}
