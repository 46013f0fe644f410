// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `fetch_attachment`: answers a part of a file that a record has, or that an unsettled operation of it brings.
enum FetchAttachmentHandler {
    static func answer(
        _ parameters: FetchAttachmentParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let store = context.services.attachments
        let view = try context.served.view(named: parameters.collection)
        try context.served.requireShown(view, language: parameters.language)
        let id = parameters.id.text
        let current = view.currentID(Array(id.utf8))
        let isShown = view.limit == nil || view.rows.row(forID: current.rawSpan) != nil
        guard isShown, let listed = AttachedFiles(of: current, in: view) else {
            throw .recordNotFound(id: id, in: view, language: parameters.language, context.served)
        }
        guard let file = listed.files.first(where: { $0.sha256 == parameters.sha256 }) else {
            if let home = view.definition.home { throw .filesElsewhere(view.definition.name, home) }
            throw RequestError(AttachmentError.missing, nil)
        }
        peer.record(Look(.fetchAttachment, at: current.rawSpan), of: view.definition)
        let (offset, length) = (parameters.offset, parameters.length)
        return .later(cancellation: nil) { [workers = context.workers] done in
            workers.perform(for: peer) { worker in
                // Fewer bytes than asked for are a good answer, so that many large ones do not fill the memory.
                let count = min(length, Int64(worker.maxAnswerBytes / 4 * 3))
                let end = offset.addingReportingOverflow(count)
                do throws(AttachmentError) {
                    let range = offset..<(end.overflow ? .max : end.partialValue)
                    done(.success(text(of: try store.read(file.sha256, size: file.size, range), at: offset, file)))
                } catch {
                    done(.failure(RequestError(error, nil)))
                }
            }
        }
    }

    private static func text(of bytes: [UInt8], at offset: Int64, _ file: OperationFile) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(FetchAttachmentResult.data, Base64.encode(bytes))
        writer.member(FetchAttachmentResult.size, file.size)
        writer.member(FetchAttachmentResult.type, file.type)
        writer.member(FetchAttachmentResult.name, file.name)
        writer.member(FetchAttachmentResult.isEnd, offset >= file.size || Int64(bytes.count) >= file.size - offset)
        writer.endObject()
        return writer.bytes
    }
}

extension RequestError {
    /// The error about a file of a record that is written on another host of the fleet.
    fileprivate static func filesElsewhere(_ collection: String, _ home: String) -> RequestError {
        RequestError(
            .notFound,
            TranslatedText(
                en: "the files of \(collection) are on \(home), where its records are written",
                pl: "pliki kolekcji \(collection) są na hoście \(home), na którym zapisuje się jej rekordy"),
            hint: TranslatedText(en: "ask there: claimsctl -H \(home)", pl: "zapytaj tam: claimsctl -H \(home)"))
    }
}

/// The files of a record: the files in its list, if this host is the truth, and the files that operations bring.
struct AttachedFiles {
    private(set) var files: [OperationFile] = []

    /// The files of the record with this id; nil if there is no such record.
    init?(of id: [UInt8], in view: CollectionView) {
        let overlay = view.overlay
        // The field that lists them is hidden.
        if view.definition.hasSights, view.definition.writes?.attachments == nil { return nil }
        if let pending = overlay?.entry(forID: id)?.pending,
            let object = try? JSONValue.parse(pending.json)
        {
            append(object[Self.pendingMember])
        }
        let isLocal = view.isLocal
        guard let (snapshot, row) = Self.record(id, view) else {
            if overlay?.contains(id) == true { return }
            return nil
        }
        guard isLocal, let field = view.definition.writes?.attachments?.field,
            let document = try? JSONValue.parse(snapshot.document(row))
        else { return }
        append(document[view.definition.fields[field].name])
    }

    /// The snapshot that has the served record, and its row there.
    private static func record(_ id: [UInt8], _ view: CollectionView) -> (Snapshot, Int)? {
        if let record = view.overlay?.record(forID: id.rawSpan) { return (record.snapshot, record.row) }
        if view.overlay?.contains(id) == true { return nil }
        return view.committed?.record(forID: id.rawSpan).map { ($0.snapshot, $0.row) }
    }

    private mutating func append(_ list: JSONValue?) {
        for entry in list?.array ?? [] {
            guard let name = entry["\(AttachmentEntry.name.name)"]?.string,
                let type = entry["\(AttachmentEntry.type.name)"]?.string,
                let size = entry["\(AttachmentEntry.size.name)"]?.integer,
                let sha256 = entry["\(AttachmentEntry.sha256.name)"]?.string
            else { continue }
            files.append(OperationFile(sha256: sha256, name: name, type: type, size: size))
        }
    }

    /// The member of `pending` that lists files.
    private static let pendingMember = "attachments"
}
