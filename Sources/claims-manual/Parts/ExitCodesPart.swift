// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol
import ClaimsTerminal

/// How claimsctl ends.
enum ExitCodesPart {
    static var block: Block {
        .table(
            header: ["Code", "Kinds of errors", "Meaning"],
            rows: ExitCode.allCases.map { code in
                let kinds = ErrorKind.allCases.filter { ExitCode($0) == code }.map { "`\($0.rawValue)`" }
                return ["`\(code.rawValue)`", kinds.joined(separator: ", "), code.meaning.asSentence]
            })
    }
}
