// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MethodDescription {
    /// `hello`: tells who serves, what it can do and what you may do. Optional.
    static let hello = MethodDescription(
        .hello, "Tells who serves, what it can do and what you may do. Optional.",
        parameters: [
            ParameterDescription(.client, .string, "The name and version of the client."),
            ParameterDescription(.protocol, .versions, "The lowest and the highest version the client speaks."),
            ParameterDescription(.require, .strings, "Capabilities without which the client cannot work."),
            ParameterDescription(.want, .strings, "Capabilities the client would use."),
        ],
        result: [
            ("server", "Name and version."),
            ("protocol", "The version spoken."),
            ("capabilities", "What this server can do; of `want`, what it has."),
            ("epoch", "The epoch of the clock."),
            ("you", "uid, gid, pid, unit and roles of the peer."),
            ("limits", "Every bound by its name."),
        ],
        example: #"{"id":1,"method":"hello","params":{"client":"example/1.0","protocol":[1,1]}}"#)
}
