// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// Writes the versions of a record in the form in which a rule of access shows it: a record that comes into the shown
/// rows is added, and one that leaves them is removed, for any reason. Made to be reused for the versions of one
/// request.
struct LimitedHistory {
    /// A version of the record on one side of a change.
    struct Side {
        /// The members that are shown; nil: the record is not shown, or not there.
        fileprivate let members: JSONObject?

        static let nothing = Side(members: nil)

        /// Whether the record is shown.
        var isShown: Bool { members != nil }
    }

    private let definition: Definition
    private let matcher: PredicateMatcher?
    private var decoder: ServedDecoder
    private var record = DecodedRecord()
    private let members: ShownMembers

    init(_ limit: ViewLimit) {
        definition = limit.definition
        matcher = limit.predicate.map { PredicateMatcher($0, definition: limit.whole) }
        decoder = ServedDecoder(limit.whole)
        let definition = limit.definition
        members = ShownMembers(
            definition.shownFields.filter { !definition.fields[$0].isVolatile }, of: definition)
    }

    /// The side of a change on which the record has a document.
    ///
    /// - Parameter document: nil: there is no record.
    mutating func side(_ document: [UInt8]?) -> Side {
        guard let document else { return .nothing }
        if let matcher {
            guard decoder.decode(document.rawSpan, into: &record), matcher.matches(record) else { return .nothing }
        }
        return Side(members: (try? JSONValue.parse(members.ordered(document.rawSpan)))?.object ?? JSONObject())
    }

    /// Whether a change is reported.
    ///
    /// - Parameters:
    ///   - before: the side before it; `after` is the side after it.
    func isVersion(_ change: LoggedChange, _ before: Side, _ after: Side) -> Bool {
        switch change.operation {
        case _ where change.cause == .forget: false
        case .archived, .unarchived: after.isShown
        case .added, .removed, .updated, .definition: before.members != after.members
        }
    }

    /// Writes a change that is reported.
    func write(
        _ change: LoggedChange, _ before: Side, _ after: Side, userName: (UInt32) -> String,
        to writer: inout JSONWriter
    ) {
        typealias Version = HistoryResult.Version
        let staysShown = before.isShown && after.isShown
        let op: LoggedOperation = staysShown ? change.operation : after.isShown ? .added : .removed
        // The cause would reveal whether the record is still there.
        let cause: ChangeCause = op == .removed ? .refresh : change.cause
        writer.beginObject()
        HistoryPage.writeCommit(
            seq: change.seq, at: change.at, generation: change.generation, cause: cause, to: &writer)
        writer.member(Version.op, op.rawValue)
        if staysShown {
            if change.operation == .updated || change.operation == .definition {
                writer.key(Version.changes)
                writeDifferences(before, after, to: &writer)
            }
            if let user = change.foreignUser {
                writer.member(Version.byName, user)
            } else if let uid = change.uid {
                writer.member(Version.by, Int64(uid))
                writer.member(Version.byName, userName(uid))
            }
        } else if let record = after.members ?? before.members {
            writer.key(Version.record)
            JSONValue.object(record).write(to: &writer)
        }
        writer.endObject()
    }

    /// Writes that a whole commit brought the record.
    func write(beginning commit: LogCommit, _ side: Side, to writer: inout JSONWriter) {
        writer.beginObject()
        HistoryPage.writeCommit(
            seq: commit.end, at: commit.at, generation: commit.generation, cause: commit.cause, to: &writer)
        writer.member(HistoryResult.Version.op, LoggedOperation.added.rawValue)
        writer.key(HistoryResult.Version.record)
        JSONValue.object(side.members ?? JSONObject()).write(to: &writer)
        writer.endObject()
    }

    /// Writes the members that differ: `{NAME: [from, to]}`, null for an absent one.
    private func writeDifferences(_ before: Side, _ after: Side, to writer: inout JSONWriter) {
        let names = definition.shownNames.flatMap { [$0, $0 + ".raw"] }
        writer.beginObject()
        for name in names {
            let (old, new) = (before.members?[name], after.members?[name])
            if old == new { continue }
            writer.key(name)
            writer.beginArray()
            for value in [old, new] { (value ?? .null).write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
    }
}
