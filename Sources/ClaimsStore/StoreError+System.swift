// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

extension StoreError {
    /// What a failed system call means to a store.
    public init(_ error: SystemError) {
        let code: Code =
            if error.isOutOfSpace { .storageFull } else if error.isReadOnly { .notWritable } else if error.isNotFound {
                .missing
            } else { .io }
        self.init(code, error.operation, number: error.errno, detail: error.detail ?? "")
    }
}
