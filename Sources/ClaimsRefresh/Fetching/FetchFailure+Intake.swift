// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore

extension FetchFailure {
    /// What a body that cannot be taken in means to people.
    init(_ error: IntakeError, root: JSONPointer) {
        switch error {
        case .notJSON(let error): self.init(.notJSON, Message(.notJSON, error.message))
        case .noRoot: self.init(.wrongShape, Message(.pointerMissing, root.text))
        case .rootIsNoArray(let kind):
            if root.tokens.isEmpty {
                self.init(.wrongShape, Message(.rootNotArray, Self.name(kind)))
            } else {
                self.init(.wrongShape, Message(.pointerNotArray, root.text, Self.name(kind)))
            }
        case .tooManyRecords(let limit): self.init(.tooLarge, Message(.tooManyRecords, "\(limit)"))
        case .store(let error): self.init(error)
        case .cancelled:
            self.init(.other, Message(.other, "cancelled"))
            isCancelled = true
        }
    }

    init(_ error: StoreError) {
        self.init(.other, error.code == .storageFull ? Message(.storageFull) : Message(.other, error.message))
    }

    private static func name(_ kind: JSONKind) -> String {
        switch kind {
        case .true, .false: "bool"
        default: "\(kind)"
        }
    }
}
