// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The cells of a screen at one moment, and the position of the cursor.
public struct Frame: Equatable, Sendable {
    public let size: ScreenSize

    public init(_ size: ScreenSize) { self.size = size }
}
