// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import Glibc

extension SystemError {
    /// The error as a phrase for people. The attempt is told in English, as it is for the journal.
    public var text: ErrorText {
        ErrorText(en: message, pl: "nie powiodło się (\(operation)): \(reasonText.polish)")
    }

    /// The cause without the attempt, such as "Permission denied".
    var reasonText: ErrorText {
        ErrorText(en: reason, pl: detail ?? Self.polishReason(errno) ?? reason)
    }

    /// The cause in Polish; nil for one that is rare, and told as the C library does.
    private static func polishReason(_ errno: Int32) -> String? {
        switch errno {
        case ENOENT: "nie ma takiego pliku ani folderu"
        case ENOTDIR: "to nie jest folder"
        case EISDIR: "to jest folder"
        case EEXIST: "już istnieje"
        case EACCES: "brak dostępu"
        case EPERM: "operacja niedozwolona"
        case EROFS: "system plików jest tylko do odczytu"
        case ENOSPC: "brak miejsca na urządzeniu"
        case EDQUOT: "przekroczono przydział miejsca"
        case EFBIG: "plik jest za duży"
        case EIO: "błąd wejścia lub wyjścia"
        case ELOOP: "zbyt wiele dowiązań"
        case ENAMETOOLONG: "nazwa jest za długa"
        case EMFILE, ENFILE: "otwarto zbyt wiele plików"
        case ECONNREFUSED: "połączenie odrzucone"
        case ECONNRESET: "połączenie zerwane"
        case ETIMEDOUT: "upłynął czas oczekiwania"
        case EILSEQ: "niepoprawne UTF-8"
        default: nil
        }
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
