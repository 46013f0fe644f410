// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// The command line of claims-upstream.
struct UpstreamOptions {
    private(set) var folder: String?
    private(set) var port: UInt16 = 0
    private(set) var untilEOF = false
    private(set) var wantsHelp = false
    /// The faults of paths, in force from the start.
    private(set) var script: [(path: String, behaviours: [Behaviour])] = []

    static let help = """
        claims-upstream: an HTTP server for demonstrations and tests: it serves a folder, and misbehaves on command.

        usage: claims-upstream --folder DIR [OPTION...]

          --folder DIR      serve the files of DIR: ETag, Last-Modified, 304
          --port N          listen on 127.0.0.1:N; 0, the default, is any free port
          --fault PATH=JSON what PATH does instead; as PUT /_control/faults/PATH, may be repeated
          --script FILE     a JSON object with one such member for each path
          --until-eof       exit when stdin ends
          --help            this text

        Prints "listening on 127.0.0.1:PORT" once it does. Exits on SIGTERM and SIGINT.

          PUT    /_control/faults/PATH    {"fault": NAME, …}, or an array of such steps; * is any path
          DELETE /_control/faults/PATH    PATH behaves again, held requests go on; without a path all
          POST   /_control/release/PATH   lets the held requests for PATH go on ("hold": true)
          PUT    /_control/accept         {"times": N}: the next N connections are reset
          GET    /_control/requests       what was asked; ?path=P&count=N waits until there were N requests for P
          DELETE /_control/requests       forgets them

        Faults: \(Fault.allCases.map(\.rawValue).joined(separator: " "))
        Members of a step: \(Behaviour.members.joined(separator: " "))

        """

    init(_ arguments: ArraySlice<String>) throws(UpstreamError) {
        var rest = arguments
        while let name = rest.popFirst() {
            switch name {
            case "--help": wantsHelp = true
            case "--until-eof": untilEOF = true
            case "--folder": folder = try Self.value(&rest, of: name)
            case "--port":
                guard let number = UInt16(try Self.value(&rest, of: name)) else {
                    throw UpstreamError("--port takes a number up to 65535")
                }
                port = number
            case "--fault":
                let parts = try Self.value(&rest, of: name).split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw UpstreamError("--fault takes PATH=JSON") }
                script.append((parts[0], try Behaviour.steps(Array(parts[1].utf8))))
            case "--script":
                try read(try Self.value(&rest, of: name))
            default:
                throw UpstreamError("unknown option \(name); see --help")
            }
        }
        if folder == nil && !wantsHelp { throw UpstreamError("--folder is missing; see --help") }
    }

    private mutating func read(_ path: String) throws(UpstreamError) {
        let script: JSONValue
        do {
            script = try JSONValue.parse(try Files.readAll(path, cap: 1 << 20))
        } catch {
            throw UpstreamError("\(path): \(error)")
        }
        guard let members = script.object?.members else { throw UpstreamError("\(path) is not an object") }
        for member in members { self.script.append((member.key, try Behaviour.steps(member.value))) }
    }

    private static func value(_ rest: inout ArraySlice<String>, of name: String) throws(UpstreamError) -> String {
        guard let value = rest.popFirst() else { throw UpstreamError("\(name) takes a value") }
        return value
    }
}
