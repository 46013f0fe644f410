// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `detail`: everything about one record.
enum DetailHandler {
    static func answer(
        _ parameters: DetailParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let served = context.served
        let collection = try served.collection(named: parameters.collection)
        // The user is looked up in the log of changes, which waits for the disk.
        if collection.view.isLocal {
            let operation = DetailOperation(
                parameters: parameters, peer: peer, timeout: context.configuration.limits.request)
            return context.runOnWorker(operation, for: peer)
        }
        try DetailAnswer(parameters, peer, served).write(collection, to: &writer)
        return .answered
    }
}

/// `detail` of a record that is written here, with the user who wrote it.
struct DetailOperation: QueryOperation {
    let parameters: DetailParameters
    let peer: Peer
    let timeout: Duration
    static let takesTimeout = false

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        var answer = DetailAnswer(parameters, peer, context.served)
        answer.writeOf = { view, record, time in
            // If the log cannot be read, the other members are answered.
            (try? context.changeLog().reader.write(of: view.condition.row.number, id: record, at: time)) ?? nil
        }
        do throws(RequestError) {
            try answer.write(try context.served.collection(named: parameters.collection), to: &writer)
        } catch {
            throw .refused(error)
        }
    }
}

/// The answer to one request.
private struct DetailAnswer {
    private let parameters: DetailParameters
    private let peer: Peer
    private let served: ServedCatalog
    /// Returns the write of a record that was changed at a time, in milliseconds since 1970; nil if it is not known.
    var writeOf: (_ view: CollectionView, _ record: [UInt8], _ time: Int64) -> RecordWrite? = { _, _, _ in nil }

    init(_ parameters: DetailParameters, _ peer: Peer, _ served: ServedCatalog) {
        self.parameters = parameters
        self.peer = peer
        self.served = served
    }

    func write(_ collection: ServedCollection, to writer: inout JSONWriter) throws(RequestError) {
        let view = collection.view
        let language = parameters.language
        let rows = try served.rows(of: view, language: language)
        try served.requireAge(view, maxAge: parameters.maxAge, language: language)
        let id = parameters.id.text
        // Bytes have no padding; padding makes `Span.bytes` unsafe in general.
        if view.overlay == nil, let snapshot = collection.snapshot, collection.shown == nil, language == nil,
            !view.isLocal,
            let location = unsafe snapshot.location(ofID: id.utf8.span.bytes),
            !collection.exceptions.contains(location.row)
        {
            let record = snapshot.record(at: location)
            collection.withDetail(now: served.now) { $0.write(record, to: &writer) }
            peer.record(Look(.detail, at: snapshot.id(location.row)), of: view.definition)
            return
        }
        guard let row = view.servedRow(Array(id.utf8)), let (snapshot, own) = rows.layer(of: row),
            let location = snapshot.location(own)
        else { throw .recordNotFound(id: id, in: view, language: language, served) }
        let record = snapshot.record(at: location)
        var extras = extras(of: row, in: view, changedAt: record.changedAt)
        extras.shown = collection.shown?.object(record.document)
        if let language {
            var labels = LabelCollector(view.definition)
            labels.collect(row, rows)
            var text = JSONWriter()
            labels.write(language: language, to: &text)
            extras.labels = text.bytes
            extras.meta = served.meta(view, language: language)
        }
        collection.withDetail(now: served.now) { $0.write(record, with: extras, to: &writer) }
        peer.record(Look(.detail, at: snapshot.id(own)), of: view.definition)
    }

    /// The parts of the answer that come from archive marks and from writes.
    ///
    /// - Parameter changedAt: in milliseconds since 1970.
    private func extras(of row: Int, in view: CollectionView, changedAt: Int64) -> DetailWriter.Extras {
        var extras = DetailWriter.Extras(isArchived: view.rows.isArchived(row))
        guard let id = view.rows.idBytes(row) else { return extras }
        if extras.isArchived, let mark = view.archive.mark(id) {
            extras.archivedAt = mark.at
            extras.archivedBy = mark.foreignUser ?? served.userName(mark.uid)
        }
        let own = view.rows.overlayRow(row)
        let write = view.isLocal ? writeOf(view, id, changedAt) : own.flatMap { view.overlay?.written($0) }
        extras.written = write.map { ($0, served.userName($0.uid)) }
        guard let own else { return extras }
        extras.pending = view.overlay?.pending(own).map {
            ShownMembers.pending(withMessages($0, view), view.definition)
        }
        // If this host is the truth, the written record is the object itself.
        if !view.isLocal {
            extras.upstream = Array("null".utf8)
            if let below = view.committed?.record(forID: id.rawSpan), isShown(below.snapshot, below.row, view) {
                extras.upstream = below.snapshot.upstream(below.row).array
            }
        }
        return extras
    }

    /// Whether the peer may see a record below the served one.
    private func isShown(_ snapshot: Snapshot, _ row: Int, _ view: CollectionView) -> Bool {
        view.limit?.shows(row, of: snapshot) ?? true
    }

    /// The member `pending` of a record, with texts about the state of each operation.
    private func withMessages(_ pending: PendingRecord, _ view: CollectionView) -> [UInt8] {
        guard var object = (try? JSONValue.parse(pending.json, depth: JSONValue.maximumDepth))?.object,
            let operations = object["\(PendingMark.ops.name)"]?.array, operations.count == pending.numbers.count
        else { return pending.json }
        let language = parameters.language ?? served.configuration.language
        let text = OutboxText(peer: peer, isWhole: false, language: language, served: served)
        object["\(PendingMark.ops.name)"] = .array(
            zip(operations, pending.numbers).map { operation, number in
                guard var object = operation.object, let known = view.condition.operation(numbered: number),
                    let message = text.message(of: known.operation)
                else { return operation }
                object["\(PendingMark.Operation.message.name)"] = .string(message)
                return .object(object)
            })
        return JSONValue.object(object).compactBytes
    }
}
