// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsStore
import ClaimsSystemd

extension Journal {
    /// Writes how many records of a collection were erased, or that they could not be. The entry has no ids.
    func log(_ result: Result<ForgetOutcome, StoreError>, of order: ForgetOrder) {
        let name = order.collection
        switch result {
        case .success(let outcome):
            guard !order.isDryRun, !outcome.forgotten.isEmpty else { return }
            log.write(
                .notice, "\(name): the user \(order.uid) had \(Self.records(outcome.forgotten.count)) forgotten",
                event: .recordsForgotten,
                fields: [.collection(name), .records(outcome.forgotten.count), .peerUID(order.uid)])
        case .failure(let error):
            switch error.code {
            case .noCollection, .mismatch, .closed: break
            case .storageFull: logNoRoom(for: Self.changes, error.message)
            default:
                log.write(
                    .error, "\(name): records could not be erased",
                    fields: [.collection(name), .reason(error.message), .peerUID(order.uid)])
            }
        }
    }
}
