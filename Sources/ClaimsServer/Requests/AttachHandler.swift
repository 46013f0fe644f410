// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// `attach`: accepts a part of a file; answered once the part is written, and with the last one once the file is on disk.
///
/// A part is refused on the loop if that needs no disk, so that at most one part of each upload is in memory.
enum AttachHandler {
    static func answer(
        _ parameters: AttachParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let store = context.services.attachments
        let part =
            if let upload = parameters.upload {
                try next(of: upload, parameters, from: peer, context, store)
            } else {
                try first(parameters, from: peer, context, store)
            }
        let (bytes, now) = (parameters.data.bytes, context.served.now)
        return .later(cancellation: nil) { [files = context.files] done in
            files.perform(for: peer) { _ in
                do throws(AttachmentError) {
                    done(.success(text(of: try store.write(bytes, as: part, now: now))))
                } catch {
                    done(.failure(RequestError(error, part.new)))
                }
            }
        }
    }

    private static func next(
        of upload: String, _ parameters: AttachParameters, from peer: Peer, _ context: RequestContext,
        _ store: AttachmentStore
    ) throws(RequestError) -> AttachmentStore.Part {
        guard let offset = parameters.offset else {
            throw .missing(AttachParameters.offset, for: TranslatedText(en: "a further part", pl: "dalszej części"))
        }
        if let name = store.collection(of: upload, uid: peer.uid) {
            if let view = context.served.catalog[name] {
                _ = try rules(of: view.definition, for: peer)
            }
            if context.served.hides(name) {
                throw RequestError(.unknownUpload, nil)
            }
        }
        do throws(AttachmentError) {
            return try store.advance(upload, uid: peer.uid, offset: offset)
        } catch {
            throw RequestError(error, nil)
        }
    }

    private static func first(
        _ parameters: AttachParameters, from peer: Peer, _ context: RequestContext, _ store: AttachmentStore
    ) throws(RequestError) -> AttachmentStore.Part {
        let beginning = TranslatedText(en: "the first part", pl: "pierwszej części")
        guard let collection = parameters.collection else {
            throw .missing(AttachParameters.collection, for: beginning)
        }
        guard let name = parameters.name else { throw .missing(AttachParameters.name, for: beginning) }
        guard let size = parameters.size else { throw .missing(AttachParameters.size, for: beginning) }
        guard parameters.offset ?? 0 == 0 else { throw RequestError(AttachmentError.wrongOffset(received: 0), nil) }
        let definition = try context.served.view(named: collection).definition
        let files = try rules(of: definition, for: peer)
        let field = definition.fields[files.field].name
        let problems = [
            AttachmentRules.problem(ofName: name, field: field), files.problem(ofSize: size, field: field),
        ].compactMap(\.self)
        guard problems.isEmpty else { throw .invalid(problems) }
        let limits = context.configuration.limits
        do throws(AttachmentError) {
            return try store.begin(
                NewUpload(
                    name, size: size, for: definition.name, field: field, types: files.types, uid: peer.uid,
                    connection: peer.requester.connection),
                limits: UploadLimits(uploads: limits.uploads, bytes: Int64(limits.attachments)),
                now: context.served.now)
        } catch {
            throw RequestError(error, nil)
        }
    }

    /// The rules for the files of a collection, if the peer may do one of the actions that accept them.
    private static func rules(
        of definition: Definition, for peer: Peer
    ) throws(RequestError) -> AttachmentRules {
        guard let rules = definition.writes, let files = rules.attachments else {
            throw .notAllowed("attach", filter: nil)
        }
        let actions = rules.offered.filter { rules.attachments(of: $0) != nil }
        if let home = definition.home { throw .writtenElsewhere(definition.name, home) }
        guard !actions.isEmpty else { throw .notAllowed("attach", filter: nil) }
        if !actions.contains(where: { (try? peer.requireWriting($0, of: definition)) != nil }) {
            // Names the role that the first of them needs.
            try peer.requireWriting(actions.first, of: definition)
        }
        return files
    }

    private static func text(of progress: AttachmentStore.Progress) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(AttachResult.upload, progress.upload)
        writer.member(AttachResult.received, progress.received)
        if let file = progress.file {
            writer.member(AttachResult.type, file.type)
            writer.member(AttachResult.sha256, file.sha256)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension RequestError {
    /// The answer to a part of a file that was not accepted, or to a file that is not there.
    ///
    /// - Parameter new: the upload that the part belongs to; nil if that is not known.
    init(_ error: AttachmentError, _ new: NewUpload?) {
        switch error {
        case .unknownUpload, .notUsable:
            self.init(
                .notFound, TranslatedText(en: "there is no such upload", pl: "nie ma takiego przesyłania pliku"),
                hint: TranslatedText(
                    en: "an upload ends with its connection, when it is submitted, and after an hour; begin again",
                    pl: "przesyłanie kończy się wraz z połączeniem, po użyciu pliku i po godzinie; zacznij od nowa"))
        case .wrongOffset(let received):
            self.init(
                .conflict,
                TranslatedText(
                    en: "the part does not follow on the \(received) bytes that were received",
                    pl: "ta część nie następuje po odebranych bajtach (\(received))"),
                hint: TranslatedText(
                    en: "send each part after the answer to the last, with offset \(received)",
                    pl: "wysyłaj każdą część po odpowiedzi na poprzednią, z offset \(received)"),
                details: [Self.detail("\(AttachResult.received.name)", received)])
        case .tooManyUploads(let limit):
            self.init(
                .busy,
                TranslatedText(
                    en: "you have \(limit) uploads that are not submitted",
                    pl: "liczba Twoich przesłanych, a nieużytych plików wynosi już \(limit)"),
                hint: TranslatedText(
                    en: "submit some, or wait until their hour is over; the limit is limits.uploads",
                    pl: "użyj niektórych albo poczekaj, aż minie ich godzina; granicą jest limits.uploads"),
                details: [Self.detail("retry_after_ms", 60_000)])
        case .tooManyBytes(let limit):
            self.init(
                .storageFull,
                TranslatedText(
                    en: "the files of this host would take more than \(limit) bytes",
                    pl: "pliki tego komputera zajęłyby więcej bajtów niż \(limit)"),
                hint: TranslatedText(
                    en: "the limit is limits.attachments in claimsd.json5",
                    pl: "granicą jest limits.attachments w claimsd.json5"))
        case .diskFull:
            self.init(
                .storageFull, TranslatedText(en: "there is no room for the file", pl: "brakuje miejsca na plik"),
                hint: TranslatedText(
                    en: "free room on the disk, and try again", pl: "zwolnij miejsce na dysku i spróbuj ponownie"))
        case .tooLong:
            self = .invalid([
                FieldProblem(
                    new?.field ?? "attachments", .size,
                    TranslatedText(
                        en: "there are more bytes than the size that was told",
                        pl: "jest więcej bajtów, niż zapowiedziano"))
            ])
        case .wrongType:
            let rules = AttachmentRules(field: 0, types: new?.types ?? [])
            self = .invalid([rules.problem(ofType: nil, field: new?.field ?? "attachments")].compactMap(\.self))
        case .missing:
            self.init(.notFound, TranslatedText(en: "there is no such file", pl: "nie ma takiego pliku"))
        case .changed:
            self.init(
                .internal,
                TranslatedText(
                    en: "the file that is kept is not the one that was attached",
                    pl: "przechowywany plik nie jest tym, który dołączono"),
                hint: TranslatedText(
                    en: "its size differs, or it is no file; put the folder of the attachments back from a copy",
                    pl: "ma inny rozmiar albo nie jest plikiem; odtwórz folder załączników z kopii"))
        case .failed(let error):
            self.init(error, collection: new?.collection ?? "")
        }
    }

    /// The error about a parameter without which a part cannot be accepted.
    static func missing<Value: ParameterValue>(_ parameter: Parameter<Value>, for part: TranslatedText) -> RequestError
    {
        RequestError(
            parameter,
            TranslatedText(
                en: "'\(parameter.name)' is missing, and \(part.english) needs it",
                pl: "brakuje „\(parameter.name)”, wymaganego dla \(part.polish)"))
    }
}
