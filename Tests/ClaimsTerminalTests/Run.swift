// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
@testable import ClaimsTerminal
import ClaimsTestSupport

/// One run of the program in process: its own surroundings, a scripted daemon, outputs kept.
struct Run {
    let code: ExitCode
    let output: String
    let errors: String

    /// - Parameters:
    ///   - terminal: the width of the terminal that standard output is; `nil` for a pipe.
    ///   - input: the standard input; `nil` for a terminal.
    ///   - errorColumns: the width of the terminal that standard error is, whatever standard output is; `nil` for none.
    ///   - typed: the lines that a person types on a terminal, where standard error is one, too; `nil` for none.
    init(
        _ arguments: [String], _ daemon: ScriptedDaemon? = nil, terminal: Int? = nil,
        environment: [String: String] = [:], input: String? = nil, silenceLimit: Duration = .seconds(3),
        errorColumns: Int? = nil, typed: [String]? = nil
    ) {
        var environment = environment
        if let daemon { environment["CLAIMSD_SOCKET"] = daemon.path }
        environment["PAGER"] = environment["PAGER"] ?? ""
        let variables = environment
        var lines = Array((typed ?? []).reversed())
        var surroundings = Surroundings(
            environment: { variables[$0] },
            isTerminal: {
                $0 == 1 && terminal != nil || $0 == 0 && input == nil
                    || $0 == 2 && (typed != nil || errorColumns != nil)
            },
            terminalSize: { terminal.map { ($0, 24) } }, now: { Example.now }, zoneName: { "UTC" }, zone: { .utc },
            nextLine: { lines.popLast() })
        surroundings.errorColumns = { errorColumns }
        surroundings.silenceLimit = silenceLimit
        // As the program does, but for the screen: it asks what there is.
        let browse: CommandTable.Action = { context throws(CommandError) in
            var parameters = DescribeParameters()
            parameters.collection = context.invocation.selector?.name
            _ = try context.call(.describe, parameters)
            return .done
        }
        surroundings.readInput = { maxBytes in
            let bytes = Array((input ?? "").utf8)
            return bytes.count <= maxBytes ? bytes : nil
        }
        let output = Output(descriptor: nil)
        let errors = Output(descriptor: nil)
        let program = Program(
            version: "1.2.3", surroundings: surroundings, output: output, errors: errors,
            commands: [ModuleCommand(.browse, browse)])
        code = program.run(arguments)
        self.output = String(decoding: output.bytes, as: UTF8.self)
        self.errors = String(decoding: errors.bytes, as: UTF8.self)
    }
}

extension ScriptedDaemon {
    /// Answers each method with one result; `describe` with the example collections.
    static func answering(_ results: [String: String]) throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            if let result = results[request.method] { return .lines([request.result(result)]) }
            guard request.method == "describe" else {
                return .lines([request.error("unknown_method", "no method '\(request.method)'")])
            }
            switch request.params["collection"]?.string {
            case nil:
                return .lines([request.result(#"{"methods":[],"collections":[\#(Example.packs),\#(Example.units)]}"#)])
            case "unit", "units": return .lines([request.result(#"{"collections":[\#(Example.units)]}"#)])
            case "pack", "packs": return .lines([request.result(#"{"collections":[\#(Example.packs)]}"#)])
            case let name?: return .lines([request.error("unknown_collection", "no collection '\(name)'")])
            }
        }
    }
}
