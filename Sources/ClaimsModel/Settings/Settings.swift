// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The daemon's own settings: `claimsd.json5`. Every one has a default.
public struct Settings: Sendable, Hashable {
    /// The language of labels and messages where a client asks for none.
    public var language: String
    /// The caps of a transfer; a source may override its own.
    public var transfer: TransferLimits
    public var limits: ServingLimits
    public var shrinkGuard: GuardSettings
    public var history: HistorySettings
    public var roles: RoleSettings

    public init(
        language: String = "en", transfer: TransferLimits = TransferLimits(), limits: ServingLimits = ServingLimits(),
        shrinkGuard: GuardSettings = GuardSettings(), history: HistorySettings = HistorySettings(),
        roles: RoleSettings = RoleSettings()
    ) {
        self.language = language
        self.transfer = transfer
        self.limits = limits
        self.shrinkGuard = shrinkGuard
        self.history = history
        self.roles = roles
    }
}
