// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `ping`: answers an empty object.
    static let ping = MethodDescription(
        .ping, "Answers an empty object.",
        parameters: [],
        result: [],
        example: #"{"id":1,"method":"ping"}"#)
}
