// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsStore

extension OutboxBridge {
    /// Holds each operation that was not sent and that the rules in force do not allow. It does not wait for that.
    ///
    /// An operation that is not held here, because the store cannot write now, is looked at again before it is sent.
    func holdUnfitting() {
        decisions.post { [self] in
            let correction = OperationCorrection(store.catalog.current())
            var messages: [OperationID: Message] = [:]
            for operation in store.catalog.current().unsettledOperations where operation.isUnsent {
                messages[operation.id] = correction.objection(to: operation)
            }
            guard !messages.isEmpty else { return }
            let found = messages
            do throws(StoreError) {
                _ = try StoredOperations(store: store).changeOperations { lookup in
                    found.compactMap { id, message in
                        guard let operation = lookup(id), operation.isUnsent else { return nil }
                        return operation.with(.held, reason: .definition, message: message)
                    }
                }
            } catch {
                report(.notNoted(error))
            }
        }
    }
}
