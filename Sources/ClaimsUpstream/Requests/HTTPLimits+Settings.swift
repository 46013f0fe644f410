// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

extension HTTPLimits {
    /// The limits of one request under those of a transfer, which may have several.
    public init(_ limits: TransferLimits) {
        self.init(
            body: limits.body, expansion: limits.expansion, redirects: limits.redirects, connect: limits.connect,
            firstByte: limits.firstByte, total: limits.transfer)
    }
}
