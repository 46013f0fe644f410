// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The kinds of failed refreshes, by their names in the protocol.
public enum FailureKind: String, Error, Sendable, Hashable, CaseIterable {
    case invalidURL = "invalid_url"
    case unreachable
    case tls
    case timeout
    case httpStatus = "http_status"
    case redirect
    case tooLarge = "too_large"
    case truncated
    case `protocol`
    case encoding
    case notJSON = "not_json"
    case wrongShape = "wrong_shape"
    case credential
    case file
    case join
    case held
    case other
}
