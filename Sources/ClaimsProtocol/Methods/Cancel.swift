// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `cancel`: cancels a request of this connection that is still in flight.
    static let cancel = MethodDescription(
        .cancel, "Cancels a request of this connection that is still in flight.",
        parameters: [
            ParameterDescription(.request, .requestID, required: true, "The id of that request.")
        ],
        result: [],
        example: #"{"id":2,"method":"cancel","params":{"request":1}}"#)
}
