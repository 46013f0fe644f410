// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
@testable import ClaimsTerminal
import Testing

struct PolishHelpTests {
    @Test func `every verb, option and exit code is explained in both languages`() {
        for verb in CommandTable.verbs {
            for text in [verb.summary, verb.details] {
                #expect(!text.text("en").isEmpty && !text.text("pl").isEmpty, "\(verb.word)")
                #expect(text.text("en") != text.text("pl"), "\(verb.word)")
            }
        }
        for option in Option.allCases {
            #expect(!option.summary.english.isEmpty && !option.summary.polish.isEmpty, "\(option)")
        }
        for code in ExitCode.allCases { #expect(code.meaning.text("en") != code.meaning.text("pl")) }
    }

    @Test func `help is in the language of the line, or else of the locale`() {
        let polish = Run(["help", "--lang", "pl"]).output
        #expect(polish.contains("Opcje każdego polecenia"))
        #expect(Run(["help"], environment: ["LC_MESSAGES": "pl_PL.UTF-8"]).output == polish)
        #expect(Run(["search", "--help", "--lang=pl"]).output.contains("Szuka rekordów"))
        #expect(Run(["help", "filters", "--lang", "pl"]).output.contains("zaczyna się od"))
        #expect(!Run(["help", "--lang", "de"]).output.contains("Opcje"))
    }

    @Test func `a mistake on the line is told in Polish, but in JSON only where that is asked for`() {
        let polish = ["LC_ALL": "pl_PL.UTF-8"]
        #expect(
            Run(["serch"], environment: polish).errors
                == "claimsctl: nieznane polecenie „serch”\n  czy chodziło o „search”?\n")
        #expect(Run(["serch", "-o", "json"], environment: polish).errors.contains("unknown verb"))
        #expect(Run(["serch", "-o", "json", "--lang", "pl"]).errors.contains("nieznane polecenie"))
        #expect(Run(["search", "--limit", "x"], environment: polish).errors.contains("nie jest liczbą od 1"))
    }
}
