// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

enum Shell {
    /// The words of a command line with single quotes and nothing else of a shell.
    static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in line {
            if character == "'" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                words.append(word)
                word = ""
            } else {
                word.append(character)
            }
        }
        return words + [word]
    }
}
