// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

/// claimsctl: a command line in, an exit code out.
public struct Program {
    private let surroundings: Surroundings
    private let output: Output
    private let errors: Output
    /// The program's version, for `--version`.
    private let version: String

    public init(version: String, surroundings: Surroundings, output: Output, errors: Output) {
        self.version = version
        self.surroundings = surroundings
        self.output = output
        self.errors = errors
    }

    /// Does what `arguments` (without the program's name) say.
    public func run(_ arguments: [String]) -> ExitCode {
        defer { try? errors.flush() }
        do throws(CommandError) {
            return try obey(arguments)
        } catch {
            // Before the command line is understood, nothing says how errors are wanted but its words.
            guard let report = ErrorReport(error) else { return .done }
            try? errors.write(wantsJSON(arguments) ? report.json : Array(report.text(isColored: false).utf8))
            return report.code
        }
    }

    private func wantsJSON(_ arguments: [String]) -> Bool {
        var wanted = surroundings.environment("CLAIMSCTL_OUTPUT")
        for (index, argument) in arguments.enumerated() {
            if argument == "-o" || argument == "--output", index + 1 < arguments.count { wanted = arguments[index + 1] }
            if argument.hasPrefix("--output=") { wanted = String(argument.dropFirst(9)) }
        }
        return wanted.flatMap(OutputFormat.init(rawValue:))?.isJSON ?? false
    }

    private func obey(_ arguments: [String]) throws(CommandError) -> ExitCode {
        let outcome: ArgumentParser.Outcome
        do throws(UsageError) {
            outcome = try ArgumentParser.parse(arguments)
        } catch {
            throw .usage(error)
        }
        switch outcome {
        case .version:
            try print("claimsctl \(version)\n")
            return .done
        case .help(let verb, isAsked: true):
            try print(HelpText.page(verb?.rawValue) ?? HelpText.overview)
            return .done
        case .help(_, isAsked: false):
            try? errors.write(HelpText.overview)
            return .usage
        case .run(let invocation):
            let session = try Session(invocation, surroundings, output: output, errors: errors)
            do throws(CommandError) {
                return try perform(session)
            } catch {
                return session.report(error)
            }
        }
    }

    private func perform(_ session: Session) throws(CommandError) -> ExitCode {
        switch session.invocation.verb {
        case .search, .sort: try ListCommand.run(session)
        case .detail: try DetailCommand.run(session)
        case .archive, .unarchive: try ArchiveCommand.run(session)
        case .refresh: try RefreshCommand.run(session)
        case .status: try StatusCommand.run(session)
        case .count: try CountCommand.run(session)
        case .facets: try FacetsCommand.run(session)
        case .deal: try DealCommand.run(session)
        case .describe: try DescribeCommand.run(session)
        case .raw: try RawCommand.run(session)
        case .completion: try complete(session.invocation.terms.map(\.text))
        case .help: try help(session.invocation.terms.map(\.text))
        }
    }

    private func help(_ topics: [String]) throws(CommandError) -> ExitCode {
        guard topics.count <= 1, let page = HelpText.page(topics.first) else {
            let known = Verb.words + HelpText.topics
            throw .usage(
                UsageError(
                    "no help on '\(topics.joined(separator: " "))'", hint: "there is: \(known.joined(separator: ", "))")
            )
        }
        try print(page)
        return .done
    }

    private func complete(_ shells: [String]) throws(CommandError) -> ExitCode {
        guard shells.count == 1, let script = CompletionScript.text(shells[0]) else {
            throw .usage(UsageError("'completion' needs a shell: \(CompletionScript.shells.joined(separator: ", "))"))
        }
        try print(script)
        return .done
    }

    private func print(_ text: String) throws(CommandError) {
        do throws(OutputError) {
            try output.write(text)
            try output.flush()
        } catch {
            throw .output(error)
        }
    }
}
