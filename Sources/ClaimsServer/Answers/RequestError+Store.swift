// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsStore

extension RequestError {
    /// The answer to a change that the store could not make.
    ///
    /// `internal` is for defects of the daemon, and for data that cannot be read. Other failures of the disk, the file
    /// or another program have a kind that shows whether to try again.
    init(_ error: StoreError, collection: String) {
        let later = ErrorText(en: "try again in a moment", pl: "spróbuj ponownie za chwilę")
        let details = ErrorText(en: error.message, pl: "szczegóły podaje dziennik usługi")
        switch error.code {
        case .storageFull:
            self.init(
                .storageFull,
                ErrorText(en: "there is no room to write the change", pl: "brakuje miejsca na zapisanie zmiany"),
                hint: ErrorText(
                    en: "free room on the disk, and try again", pl: "zwolnij miejsce na dysku i spróbuj ponownie"))
        case .notWritable:
            self.init(
                .storageFull,
                ErrorText(en: "the state folder cannot be written", pl: "nie można pisać w folderze stanu"),
                hint: details)
        case .io, .missing, .misplaced, .unreadable:
            self.init(
                .storageFull,
                ErrorText(en: "the disk did not take the change", pl: "dysk nie przyjął zmiany"), hint: details)
        case .busy:
            self.init(
                .busy,
                ErrorText(
                    en: "another program has locked the state database",
                    pl: "inny program zablokował bazę danych stanu"),
                hint: later.joined(
                    "; ",
                    ErrorText(
                        en: "fuser(1) tells which programs have state.db open",
                        pl: "fuser(1) podaje, które programy mają otwarty plik state.db")),
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .late:
            self.init(
                .busy,
                ErrorText(
                    en: "the daemon is busy, and has not begun this", pl: "usługa jest zajęta i nie zaczęła tego"),
                hint: later,
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .closed:
            self.init(
                .busy, ErrorText(en: "the daemon is stopping", pl: "usługa jest właśnie zatrzymywana"), hint: later,
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .damaged, .foreign, .otherVersion, .inUse:
            self.init(
                .busy,
                ErrorText(
                    en: "the state database is damaged, and is recovered by a restart of the daemon",
                    pl: "baza danych stanu jest uszkodzona i zostanie odtworzona przy ponownym uruchomieniu usługi"),
                hint: details, details: [Self.retry(afterMilliseconds: 10_000)])
        case .noCollection:
            self = .unknownCollection(
                collection, hint: ErrorText(en: "it was removed meanwhile", pl: "w międzyczasie została usunięta"))
        case .mismatch:
            self.init(
                .conflict,
                ErrorText(en: "the collection has changed meanwhile", pl: "kolekcja w międzyczasie się zmieniła"),
                hint: ErrorText(en: "try again", pl: "spróbuj ponownie"))
        case .tooLarge:
            self.init(
                .tooLarge,
                ErrorText(
                    en: "the change is larger than the state database can hold",
                    pl: "zmiana jest większa, niż mieści baza danych stanu"),
                hint: ErrorText(en: "send fewer ids at a time", pl: "wyślij mniej identyfikatorów naraz"))
        case .fault:
            self.init(
                .internal,
                ErrorText(
                    en: "the change could not be stored: \(error.message)",
                    pl: "nie udało się zapisać zmiany; szczegóły podaje dziennik usługi"))
        }
    }

    /// The answer to a request that only reads, if the store could not be read.
    init(reading error: StoreError, collection: String) {
        switch error.code {
        case .io, .missing, .misplaced, .unreadable, .notWritable, .fault:
            self.init(
                .internal,
                ErrorText(en: "the state database cannot be read", pl: "nie można odczytać bazy danych stanu"),
                hint: ErrorText(en: error.message, pl: "szczegóły podaje dziennik usługi"))
        case .storageFull, .busy, .late, .closed, .damaged, .foreign, .otherVersion, .inUse, .noCollection, .mismatch,
            .tooLarge:
            self.init(error, collection: collection)
        }
    }

    /// The error about a collection that does not exist.
    static func unknownCollection(_ name: String, hint: ErrorText) -> RequestError {
        RequestError(
            .unknownCollection, ErrorText(en: "unknown collection '\(name)'", pl: "nieznana kolekcja „\(name)”"),
            hint: hint, details: [RequestError.detail("collection", name)])
    }

    /// The error about more ids than one request may have.
    static func tooManyIDs(_ count: Int, hint: ErrorText) -> RequestError {
        RequestError(
            .tooLarge,
            ErrorText(
                en: "\(count) ids in one request", pl: "zbyt wiele identyfikatorów w jednym żądaniu: \(count)"),
            hint: hint)
    }

    private static func retry(afterMilliseconds milliseconds: Int64) -> (name: String, json: [UInt8]) {
        detail("retry_after_ms", milliseconds)
    }
}

extension ErrorText {
    /// The advice about records that come from a bundle.
    static let reloadReadsBundle = ErrorText(
        en: "a reload after a change of the bundle reads it again",
        pl: "po zmianie tego pliku przeładowanie usługi wczyta go ponownie")
}
