// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// The reason why a request of an upstream brought no answer.
public enum AccessFailure: Error, Sendable, Equatable {
    /// The transfer failed.
    case transfer(HTTPError)
    /// A secret is not to be had, or not accepted.
    ///
    /// - Parameter status: the status of the answer that refuses it; nil where there was none.
    case credential(FailureReason, Message, status: Int? = nil)
    /// The request for a token failed at the token server with this address.
    case token(HTTPError, url: String)
    /// A good answer of the token server that is not JSON: hardly that of a token server.
    case tokenNotJSON(JSONError)
    /// The waits for the host, or those that it asked for, would take longer than they may.
    case pause

    /// Whether the caller ended the request.
    public var isCancelled: Bool {
        if case .transfer(let error) = self { error.kind == .cancelled } else { false }
    }
}
