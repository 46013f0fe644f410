// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A text as one word of a shell's command line.
enum ShellWord {
    /// The text, in single quotes where a shell would take any of it for something else.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            ArgumentShape.isNameByte(byte) || Array("-/:=,@%+".utf8).contains(byte)
        }
        if isPlain, !text.isEmpty { return text }
        var quoted = "'"
        for character in text.unicodeScalars {
            if character == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(character) }
        }
        return quoted + "'"
    }
}
