// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

extension RequestError {
    /// The answer to a part of a file that was not taken, or to a file that is not there.
    ///
    /// - Parameter new: the upload that the part belongs to; nil where that is not known.
    init(_ error: AttachmentError, _ new: NewUpload?) {
        switch error {
        case .unknownUpload, .notUsable:
            self.init(
                .notFound, ErrorText(en: "there is no such upload", pl: "nie ma takiego przesyłania pliku"),
                hint: ErrorText(
                    en: "an upload ends with its connection, when it is submitted, and after an hour; begin again",
                    pl: "przesyłanie kończy się wraz z połączeniem, po użyciu pliku i po godzinie; zacznij od nowa"))
        case .wrongOffset(let received):
            self.init(
                .conflict,
                ErrorText(
                    en: "the part does not follow on the \(received) bytes that were received",
                    pl: "ta część nie następuje po odebranych bajtach (\(received))"),
                hint: ErrorText(
                    en: "send each part after the answer to the last, with offset \(received)",
                    pl: "wysyłaj każdą część po odpowiedzi na poprzednią, z offset \(received)"),
                details: [Self.detail("\(AttachResult.received.name)", received)])
        case .tooManyUploads(let limit):
            self.init(
                .busy,
                ErrorText(
                    en: "you have \(limit) uploads that are not submitted",
                    pl: "liczba Twoich przesłanych, a nieużytych plików wynosi już \(limit)"),
                hint: ErrorText(
                    en: "submit some, or wait until their hour is over; the limit is limits.uploads",
                    pl: "użyj niektórych albo poczekaj, aż minie ich godzina; granicą jest limits.uploads"),
                details: [Self.detail("retry_after_ms", 60_000)])
        case .tooManyBytes(let limit):
            self.init(
                .storageFull,
                ErrorText(
                    en: "the files of this host would take more than \(limit) bytes",
                    pl: "pliki tego komputera zajęłyby więcej bajtów niż \(limit)"),
                hint: ErrorText(
                    en: "the limit is limits.attachments in claimsd.json5",
                    pl: "granicą jest limits.attachments w claimsd.json5"))
        case .diskFull:
            self.init(
                .storageFull, ErrorText(en: "there is no room for the file", pl: "brakuje miejsca na plik"),
                hint: ErrorText(
                    en: "free room on the disk, and try again", pl: "zwolnij miejsce na dysku i spróbuj ponownie"))
        case .tooLong:
            self = .invalid([
                FieldProblem(
                    new?.field ?? "attachments", .size,
                    ErrorText(
                        en: "there are more bytes than the size that was told",
                        pl: "jest więcej bajtów, niż zapowiedziano"))
            ])
        case .wrongType:
            let rules = AttachmentRules(field: 0, types: new?.types ?? [])
            self = .invalid([rules.problem(ofType: nil, field: new?.field ?? "attachments")].compactMap(\.self))
        case .missing:
            self.init(.notFound, ErrorText(en: "there is no such file", pl: "nie ma takiego pliku"))
        case .changed:
            self.init(
                .internal,
                ErrorText(
                    en: "the file that is kept is not the one that was attached",
                    pl: "przechowywany plik nie jest tym, który dołączono"),
                hint: ErrorText(
                    en: "its size differs, or it is no file; put the folder of the attachments back from a copy",
                    pl: "ma inny rozmiar albo nie jest plikiem; odtwórz folder załączników z kopii"))
        case .failed(let error):
            self.init(error, collection: new?.collection ?? "")
        }
    }

    /// The error about a parameter without which a part cannot be taken.
    static func missing<Value: ParameterValue>(_ parameter: Parameter<Value>, for part: ErrorText) -> RequestError {
        RequestError(
            parameter,
            ErrorText(
                en: "'\(parameter.name)' is missing, and \(part.english) needs it",
                pl: "brakuje „\(parameter.name)”, wymaganego dla \(part.polish)"))
    }
}
