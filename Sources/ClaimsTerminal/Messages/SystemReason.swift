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
        }
    }
}
