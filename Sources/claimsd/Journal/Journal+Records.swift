// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsServer
import ClaimsStore
import ClaimsSystemd

extension Journal {
    /// Writes what a client has done.
    func log(_ event: ServerEvent) {
        switch event {
        case .archived(let change, let result): log(result, of: change)
        case .erased(let name, let uid, let result): log(result, erasing: name, by: uid)
        case .forgotten(let order, let result): log(result, of: order)
        case .dropped(let count, let name, let uid): log(dropped: count, of: name, by: uid)
        case .retried(let name, let uid, let result): log(result, retrying: name, by: uid)
        case .refused(let uid): logRefusal(of: uid)
        }
    }

    /// Writes that a client archived or unarchived records, or that the change could not be stored.
    func log(_ result: Result<ArchiveChange.Outcome, StoreError>, of change: ArchiveChange) {
        switch result {
        case .success(let outcome):
            logRoom(for: Self.changes)
            logLock(false)
            guard !outcome.changed.isEmpty else { return }
            log.write(
                .info,
                "\(change.collection): \(Self.records(outcome.changed.count)) "
                    + "\(change.isArchiving ? "archived" : "unarchived") by uid \(change.uid)",
                event: .recordsArchived,
                fields: [.collection(change.collection), .records(outcome.changed.count), .peerUID(change.uid)])
        case .failure(let error):
            if error.code == .storageFull { return logNoRoom(for: Self.changes, error.message) }
            if error.code == .busy { return logLock(true) }
            log.write(
                .error, "\(change.collection): a change by uid \(change.uid) could not be stored",
                fields: [.collection(change.collection), .peerUID(change.uid), .reason(error.message)])
        }
    }

    /// Writes who was shown what in a span of counting.
    ///
    /// - Returns: false if it could not be written.
    func log(_ entry: LookEntry) -> Bool {
        let methods = entry.methods.map { "\($0.name)=\($0.count)" }.joined(separator: " ")
        var fields = [LogField("METHODS", methods), .records(entry.records)]
        let message: String
        if let subject = entry.subject {
            message = "\(subject.collection): \(Self.records(entry.records)) shown to uid \(subject.user)"
            fields += [.collection(subject.collection), .peerUID(subject.user)]
            if let unit = subject.unit { fields.append(LogField("PEER_UNIT", unit)) }
            if let login = subject.login { fields.append(LogField("PEER_LOGINUID", "\(login)")) }
            if let rule = subject.rule { fields.append(LogField("RULE", "\(rule)")) }
            if let purpose = subject.purpose { fields.append(LogField("PURPOSE", purpose)) }
            fields.append(LogField("IDS", entry.ids))
        } else {
            message = "\(Self.records(entry.records)) shown to others, who are too many to be told apart"
        }
        for (name, count) in [
            ("IDS_MORE", entry.moreIDs), ("MISSES", entry.misses), ("REFUSED", entry.refused), ("LOST", entry.lost),
        ] { fields.append(LogField(name, "\(count)")) }
        return log.deliver(.info, message, event: .recordsShown, fields: fields)
    }

    /// Writes that a removed collection was erased, or that it could not be.
    ///
    /// - Parameter uid: the user who asked for it; nil if its time was over.
    func log(_ result: Result<ErasedCollection, StoreError>, erasing name: String, by uid: UInt32?) {
        let user: [LogField] = uid.map { [.peerUID($0)] } ?? []
        switch result {
        case .success(let collection):
            let reason = uid.map { "the user \($0) had it forgotten" } ?? "the time for which it was kept is over"
            log.write(
                .notice, "\(name) was erased with its \(collection.records) records: \(reason)",
                event: .collectionErased, fields: [.collection(name), .records(collection.records)] + user)
        case .failure(let error):
            switch error.code {
            case .noCollection, .mismatch, .closed: break
            case .storageFull: logNoRoom(for: Self.changes, error.message)
            default:
                log.write(
                    .error, "\(name) could not be erased", fields: [.collection(name), .reason(error.message)] + user)
            }
        }
    }

    /// Writes that a user has dropped elements of a collection's quarantine.
    func log(dropped count: Int, of name: String, by uid: UInt32) {
        guard count > 0 else { return }
        log.write(
            .notice, "\(name): the user \(uid) has dropped \(Self.records(count)) from quarantine",
            fields: [.collection(name), .records(count), .peerUID(uid)])
    }

    /// Writes how many elements of a collection's quarantine are records now, because a user has retried them.
    func log(_ result: Result<QuarantineOutcome, StoreError>, retrying name: String, by uid: UInt32) {
        switch result {
        case .success(let outcome):
            guard !outcome.accepted.isEmpty else { return }
            log.write(
                .notice,
                "\(name): the user \(uid) has brought \(Self.records(outcome.accepted.count)) back from quarantine",
                fields: [.collection(name), .records(outcome.accepted.count), .peerUID(uid)])
        case .failure(let error):
            if error.code == .storageFull { logNoRoom(for: Self.changes, error.message) }
        }
    }
}
