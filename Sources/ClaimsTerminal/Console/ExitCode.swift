// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsProtocol

/// The exit code of claimsctl. Scripts rely on these numbers, which never change.
public enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failure = 1
    case usage = 2
    case notFound = 3
    case unreachable = 4
    case forbidden = 5
    case noData = 6
    case tooOld = 7
    case invalid = 8
    case conflict = 9
    case timeout = 10
    case upstreamFailed = 11
    case interrupted = 130

    /// Makes the exit code for an error kind of the protocol.
    public init(_ kind: ErrorKind) {
        self =
            switch kind {
            case .badFilter, .badSort, .badCursor, .badParams, .unknownCollection: .usage
            case .parseError, .invalidRequest, .tooLarge, .invalid: .invalid
            case .notFound: .notFound
            case .forbidden: .forbidden
            case .noData: .noData
            case .notFresh: .tooOld
            case .conflict, .notArchivable, .notAllowed: .conflict
            case .timeout, .busy: .timeout
            case .upstreamFailed: .upstreamFailed
            case .cancelled: .interrupted
            case .unknownMethod, .internal, .storageFull, .outboxFull: .failure
            }
    }

    /// Makes the exit code for the name of an error kind; a name that this version does not know gives `failure`.
    public init(kind: String) {
        self = ErrorKind(rawValue: kind).map { ExitCode($0) } ?? .failure
    }

    /// The meaning of the code in a few words, for help pages and the manual.
    public var meaning: TranslatedText {
        switch self {
        case .done: TranslatedText(en: "done, also where nothing was found", pl: "gotowe, także gdy nic nie znaleziono")
        case .failure: TranslatedText(en: "failure", pl: "niepowodzenie")
        case .usage:
            TranslatedText(
                en: "a wrong command line, filter, order or collection",
                pl: "złe wywołanie, filtr, porządek lub kolekcja")
        case .notFound:
            TranslatedText(
                en: "no such record; with --exists: nothing found",
                pl: "nie ma takiego rekordu; z --exists: nic nie znaleziono")
        case .unreachable: TranslatedText(en: "the daemon cannot be reached", pl: "nie można połączyć się z demonem")
        case .forbidden: TranslatedText(en: "not allowed", pl: "niedozwolone")
        case .noData: TranslatedText(en: "no data to serve yet", pl: "nie ma jeszcze danych")
        case .tooOld: TranslatedText(en: "data is older than --max-age", pl: "dane są starsze niż --max-age")
        case .invalid:
            TranslatedText(
                en: "not valid: the request, values, or a definition with a mistake",
                pl: "niepoprawne: żądanie, wartości albo definicja z błędem")
        case .conflict:
            TranslatedText(
                en: "in conflict with what is there, not allowed now, or held back (try)",
                pl: "konflikt z tym, co jest, niedozwolone w tym stanie albo wstrzymane (try)")
        case .timeout:
            TranslatedText(
                en: "no answer in time, or the daemon is busy",
                pl: "brak odpowiedzi na czas albo demon jest zajęty")
        case .upstreamFailed:
            TranslatedText(
                en: "the upstream failed or was not asked, or an operation is stuck (--wait)",
                pl: "serwer zawiódł albo nie został zapytany, albo operacja utknęła (--wait)")
        case .interrupted: TranslatedText(en: "interrupted or cancelled", pl: "przerwano lub anulowano")
        }
    }
}
