// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

extension Settling {
    /// The records that are the record of one of a view's creates: of those that came since the view, or were first seen
    /// since the first of its creates was submitted.
    static func references(in snapshot: Snapshot?, since view: CollectionView) -> [OperationID: String] {
        guard let snapshot, let pointer = view.definition.writes?.reference else { return [:] }
        let operations = view.condition.operations.map(\.operation).filter { $0.action == .create }
        guard let since = operations.map(\.submittedAt).min() else { return [:] }
        let creates = Set(operations.map(\.id))
        let isSame = snapshot === view.snapshot
        var references: [OperationID: String] = [:]
        var tape = JSONTape()
        for row in 0..<snapshot.count {
            let isNew = !isSame && view.snapshot?.row(forID: snapshot.id(row)) == nil
            guard isNew || snapshot.firstSeen(row) >= since - maxClockError else { continue }
            let object = snapshot.upstream(row)
            guard (try? tape.parse(object, from: 0, depth: JSONElements.bodyDepth)) != nil,
                let node = tape.resolve(pointer, in: object), tape[node].kind == .string,
                tape[node].end - tape[node].start > 2,
                let id = OperationID(object.extracting(tape[node].start + 1..<tape[node].end - 1)), creates.contains(id)
            else { continue }
            references[id] = String(decoding: snapshot.idBytes(row), as: UTF8.self)
        }
        return references
    }

    /// How far the clock that records were first seen by may be behind this one, in milliseconds: it may be another host's.
    private static let maxClockError: Int64 = 60_000
}
