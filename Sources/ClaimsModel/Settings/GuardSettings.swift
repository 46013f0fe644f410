// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// When a new generation is held instead of served.
public struct GuardSettings: Sendable, Hashable {
    /// The share of records, 0 to 1, that may be lost at once.
    public var loss: Double
    /// The share of records, 0 to 1, that may be in quarantine.
    public var quarantine: Double
    /// How long until the same body, coming again, is believed.
    public var confirm: Duration

    public init(loss: Double = 0.5, quarantine: Double = 0.2, confirm: Duration = .seconds(600)) {
        self.loss = loss
        self.quarantine = quarantine
        self.confirm = confirm
    }
}
