// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// `attach`: takes a part of a file; answered once the part is written, and with the last one once the file is on disk.
///
/// A part is refused on the loop where that needs no disk, so that of each upload one part at most is in memory.
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
            files.perform(for: peer.requester) { _ in
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
            throw .missing(AttachParameters.offset, for: ErrorText(en: "a further part", pl: "dalszej części"))
        }
        if let name = store.collection(of: upload, uid: peer.uid), let view = context.served.catalog[name] {
            _ = try rules(of: view.definition, for: peer)
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
        let beginning = ErrorText(en: "the first part", pl: "pierwszej części")
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

    /// The rules for the files of a collection, if the peer may do one of the actions that take them.
    private static func rules(
        of definition: Definition, for peer: Peer
    ) throws(RequestError) -> AttachmentRules {
        guard let rules = definition.writes, let files = rules.attachments else {
            throw .notAllowed("attach", filter: nil)
        }
        let actions = rules.offered.filter { rules.attachments(of: $0) != nil }
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
