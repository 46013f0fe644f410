// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One parameter of a method, as `describe`, the man page and the reader know it.
public struct ParameterDescription: Sendable {
    public let key: ParameterName
    public let type: ParameterType
    public let isRequired: Bool
    /// What it does, in one sentence.
    public let summary: String
    public var name: String { key.text }

    public init(_ key: ParameterName, _ type: ParameterType, required: Bool = false, _ summary: String) {
        self.key = key
        self.type = type
        self.isRequired = required
        self.summary = summary
    }
}
