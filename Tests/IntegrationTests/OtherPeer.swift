// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport

/// A connection of another user: `claimsctl stdio`, which runs as that user.
final class OtherPeer {
    private let program: RunningProgram
    private var number = 0

    /// - Parameter groups: its supplementary groups.
    init(_ site: Site, user: Int, group: Int, groups: [Int] = []) throws {
        let more = groups.isEmpty ? ["--clear-groups"] : ["--groups", groups.map(String.init).joined(separator: ",")]
        program = try RunningProgram(
            "/usr/bin/setpriv",
            ["--reuid", "\(user)", "--regid", "\(group)"] + more
                + [try BuiltProgram.path("claimsctl"), "stdio", "--socket", site.daemon.socket],
            environment: BuiltProgram.environment())
    }

    func send(_ method: String, _ params: String = "{}") throws {
        number += 1
        try program.write(#"{"id":\#(number),"method":"\#(method)","params":\#(params)}"# + "\n")
    }

    func receive() throws -> JSONValue { try JSONValue.parse(program.readLine()) }

    func request(_ method: String, _ params: String = "{}") throws -> JSONValue {
        try send(method, params)
        while true {
            let line = try receive()
            if line["id"] != nil { return line }
        }
    }

    /// The next event of a kind.
    func event(_ kind: String) throws -> JSONValue {
        while true {
            let params = try receive()["params"]
            if let params, params["type"]?.string == kind { return params }
        }
    }
}
