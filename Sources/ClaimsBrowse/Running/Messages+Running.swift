// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

// The texts of the loop: copying, opening, sending files.

extension Messages {
    func fileChanged(_ name: String) -> String {
        text(en: "\(name) has changed while it was read", pl: "plik \(name) zmienił się podczas odczytu")
    }

    var connectionLost: String {
        text(en: "claimsd does not answer", pl: "claimsd nie odpowiada")
    }

    var tooLongToCopy: String {
        text(en: "it is too long for the terminal", pl: "tekst jest za długi dla terminala")
    }

    var isNoAddress: String {
        text(en: "only http and https addresses are opened", pl: "otwierane są tylko adresy http i https")
    }

    func programFailed(_ program: String, code: Int32) -> String {
        text(en: "\(program) ended with code \(code)", pl: "program \(program) zakończył się z kodem \(code)")
    }
}
