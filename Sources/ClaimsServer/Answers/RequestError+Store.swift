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
        let later = TranslatedText(en: "try again in a moment", pl: "spróbuj ponownie za chwilę")
        let details = TranslatedText(en: error.message, pl: "szczegóły podaje dziennik usługi")
        switch error.code {
        case .storageFull:
            self.init(
                .storageFull,
                TranslatedText(en: "there is no room to write the change", pl: "brakuje miejsca na zapisanie zmiany"),
                hint: TranslatedText(
                    en: "free room on the disk, and try again", pl: "zwolnij miejsce na dysku i spróbuj ponownie"))
        case .notWritable:
            self.init(
                .storageFull,
                TranslatedText(en: "the state folder cannot be written", pl: "nie można pisać w folderze stanu"),
                hint: details)
        case .io, .missing, .misplaced, .unreadable:
            self.init(
                .storageFull,
                TranslatedText(en: "the disk did not take the change", pl: "dysk nie przyjął zmiany"), hint: details)
        case .busy:
            self.init(
                .busy,
                TranslatedText(
                    en: "another program has locked the state database",
                    pl: "inny program zablokował bazę danych stanu"),
                hint: later.joined(
                    "; ",
                    TranslatedText(
                        en: "fuser(1) tells which programs have state.db open",
                        pl: "fuser(1) podaje, które programy mają otwarty plik state.db")),
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .late:
            self.init(
                .busy,
                TranslatedText(
                    en: "the daemon is busy, and has not begun this", pl: "usługa jest zajęta i nie zaczęła tego"),
                hint: later,
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .closed:
            self.init(
                .busy, TranslatedText(en: "the daemon is stopping", pl: "usługa jest właśnie zatrzymywana"),
                hint: later,
                details: [Self.retry(afterMilliseconds: 1_000)])
        case .damaged, .foreign, .otherVersion, .inUse:
            self.init(
                .busy,
                TranslatedText(
                    en: "the state database is damaged, and is recovered by a restart of the daemon",
                    pl: "baza danych stanu jest uszkodzona i zostanie odtworzona przy ponownym uruchomieniu usługi"),
                hint: details, details: [Self.retry(afterMilliseconds: 10_000)])
        case .noCollection:
            self = .unknownCollection(
                collection, hint: TranslatedText(en: "it was removed meanwhile", pl: "w międzyczasie została usunięta"))
        case .mismatch:
            self.init(
                .conflict,
                TranslatedText(en: "the collection has changed meanwhile", pl: "kolekcja w międzyczasie się zmieniła"),
                hint: TranslatedText(en: "try again", pl: "spróbuj ponownie"))
        case .tooLarge:
            self.init(
                .tooLarge,
                TranslatedText(
                    en: "the change is larger than the state database can hold",
                    pl: "zmiana jest większa, niż mieści baza danych stanu"),
                hint: TranslatedText(en: "send fewer ids at a time", pl: "wyślij mniej identyfikatorów naraz"))
        case .fault:
            self.init(
                .internal,
                TranslatedText(
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
                TranslatedText(en: "the state database cannot be read", pl: "nie można odczytać bazy danych stanu"),
                hint: TranslatedText(en: error.message, pl: "szczegóły podaje dziennik usługi"))
        case .storageFull, .busy, .late, .closed, .damaged, .foreign, .otherVersion, .inUse, .noCollection, .mismatch,
            .tooLarge:
            self.init(error, collection: collection)
        }
    }

    /// The error about a collection that does not exist.
    static func unknownCollection(_ name: String, hint: TranslatedText) -> RequestError {
        RequestError(
            .unknownCollection, TranslatedText(en: "unknown collection '\(name)'", pl: "nieznana kolekcja „\(name)”"),
            hint: hint, details: [RequestError.detail("collection", name)])
    }

    /// The error about more ids than one request may have.
    static func tooManyIDs(_ count: Int, hint: TranslatedText) -> RequestError {
        RequestError(
            .tooLarge,
            TranslatedText(
                en: "\(count) ids in one request", pl: "zbyt wiele identyfikatorów w jednym żądaniu: \(count)"),
            hint: hint)
    }

    private static func retry(afterMilliseconds milliseconds: Int64) -> (name: String, json: [UInt8]) {
        detail("retry_after_ms", milliseconds)
    }
}

extension TranslatedText {
    /// The advice about records that come from a bundle.
    static let reloadReadsBundle = TranslatedText(
        en: "a reload after a change of the bundle reads it again",
        pl: "po zmianie tego pliku przeładowanie usługi wczyta go ponownie")
}
