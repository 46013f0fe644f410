// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform

extension SystemError {
    /// The error as a phrase for people. The attempt is told in English, as it is for the journal.
    public var text: ErrorText {
        ErrorText(en: message, pl: "\(ReasonPhrase.polish(failed: operation)): \(reasonText.polish)")
    }

    /// The cause without the attempt, such as "Permission denied".
    public var reasonText: ErrorText {
        ErrorText(en: reason, pl: ReasonPhrase.polish(reason))
    }
}

extension OutputError {
    /// Why the output could not be written; nil where its reader has gone.
    var text: ErrorText? {
        switch self {
        case .closed: nil
        case .failed(let error):
            ErrorText(en: error.message, pl: "nie można zapisać wyniku: \(error.reasonText.polish)")
        case .unprintable(let name):
            ErrorText(
                en: "'\(Escaping.controls(name))' has control characters and is not printed",
                pl: "„\(Escaping.controls(name))” ma znaki sterujące i nie zostaje wypisany")
        }
    }

    /// The suggestion what to do; nil if there is none.
    var hint: ErrorText? {
        switch self {
        case .closed, .failed: nil
        case .unprintable:
            ErrorText(
                en: "it would be read as another name or as two; -o jsonl writes it with escapes",
                pl: "zostałby odczytany jako inny lub jako dwa; -o jsonl zapisuje go z sekwencjami \\u")
        }
    }
}
