// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

/// claimsctl: a command line in, an exit code out.
///
/// ```swift
/// let program = Program(version: "0.1.0", surroundings: .process, output: output, errors: errors)
/// exit(program.run(["count", "--book", "shelf=attic"]).rawValue)
/// ```
/// A run goes from ``ArgumentParser`` over the command of ``CommandTable`` and its answer to the printer of the format.
public struct Program {
    private let surroundings: Surroundings
    private let output: Output
    private let errors: Output
    /// The program's version, for `--version`.
    private let version: String
    /// The commands that are in modules above this one.
    private let commands: [ModuleCommand]

    /// Makes a program that prints to two outputs.
    ///
    /// - Parameters:
    ///   - version: the version that `--version` prints.
    ///   - output: the standard output.
    ///   - errors: the standard error, for notices and reports.
    ///   - commands: the commands of modules above this one, such as `browse`.
    public init(
        version: String, surroundings: Surroundings, output: Output, errors: Output, commands: [ModuleCommand] = []
    ) {
        self.commands = commands
        self.version = version
        self.surroundings = surroundings
        self.output = output
        self.errors = errors
    }

    /// Runs one command line to its end, and returns the exit code.
    ///
    /// An error is printed to standard error, so nothing is thrown. Standard error is flushed in every case.
    ///
    /// - Parameter arguments: the words of the line after the program's name.
    public func run(_ arguments: [String]) -> ExitCode {
        defer { try? errors.flush() }
        // Before the command line is understood, nothing but its words says how errors are wanted.
        let isJSON = wantsJSON(arguments)
        let messages = Messages(
            writtenLanguage(arguments) ?? (isJSON ? nil : Language.ofMessages(surroundings.environment)))
        do throws(CommandError) {
            return try obey(arguments, messages)
        } catch {
            guard let report = ErrorReport(error, messages: messages) else { return .done }
            let verb = ArgumentParser.verb(of: arguments, verbs: CommandTable.parsed)
            if let refusal = command(of: verb)?.refusal {
                return print(report, refusal(report, error, messages), isJSON: asksForJSON(arguments))
            }
            let text = report.text(isColored: false, width: surroundings.errorWidth)
            try? errors.write(isJSON ? report.json : Array(text.utf8))
            return report.code
        }
    }

    /// The command of a module above this one.
    private func command(of verb: Verb?) -> ModuleCommand? { commands.first { $0.verb == verb } }

    /// Prints an error as its verb reports it: on standard output, unless JSON is asked for.
    private func print(
        _ report: ErrorReport, _ refusal: (text: String, code: ExitCode), isJSON: Bool
    ) -> ExitCode {
        var report = report
        report.code = refusal.code
        do throws(CommandError) {
            if isJSON { try? errors.write(report.json) } else { try print(refusal.text) }
        } catch {
            // Nobody reads the output. The exit code still says what came of it.
        }
        return refusal.code
    }

    private func wantsJSON(_ arguments: [String]) -> Bool {
        let wanted = writtenFormat(arguments) ?? surroundings.environment("CLAIMSCTL_OUTPUT")
        return wanted.flatMap(OutputFormat.init(rawValue:))?.isJSON ?? false
    }

    /// Whether an option asks for JSON. A variable says how data is wanted, and is no such wish where texts are printed.
    private func asksForJSON(_ arguments: [String]) -> Bool {
        writtenFormat(arguments).flatMap(OutputFormat.init(rawValue:))?.isJSON ?? false
    }

    /// The format after `-o`; nil if the line has none.
    private func writtenFormat(_ arguments: [String]) -> String? {
        var wanted: String?
        for (index, argument) in arguments.enumerated() {
            if argument.hasPrefix("-o"), argument.utf8.count > 2 {
                let value = argument.dropFirst(2)
                wanted = String(value.first == "=" ? value.dropFirst() : value)
            }
            if argument == "-o", index + 1 < arguments.count { wanted = arguments[index + 1] }
        }
        return value(of: "--output", in: arguments) ?? wanted
    }

    /// The language after `--lang`; nil if the line has none.
    private func writtenLanguage(_ arguments: [String]) -> String? {
        value(of: "--lang", in: arguments).flatMap(Language.code)
    }

    /// The last value of a long option, apart or after an equals sign.
    private func value(of option: String, in arguments: [String]) -> String? {
        var value: String?
        for (index, argument) in arguments.enumerated() {
            if argument == option, index + 1 < arguments.count { value = arguments[index + 1] }
            if argument.hasPrefix("\(option)=") { value = String(argument.dropFirst(option.count + 1)) }
        }
        return value
    }

    private func obey(_ arguments: [String], _ messages: Messages) throws(CommandError) -> ExitCode {
        let help = HelpText(verbs: CommandTable.verbs, width: surroundings.width, messages: messages)
        let outcome: ArgumentParser.Outcome
        do throws(UsageError) {
            outcome = try ArgumentParser.parse(arguments, verbs: CommandTable.parsed)
        } catch {
            throw .usage(error)
        }
        let isJSON = asksForJSON(arguments)
        switch outcome {
        case .version:
            try print(isJSON ? JSONLayout.text([("version", version)]) : "claimsctl \(version)\n")
            return .done
        case .help(let verb, isAsked: true):
            let page = help.page(verb?.word) ?? help.overview
            try print(isJSON ? JSONLayout.text([("topic", verb?.word ?? ""), ("text", page)]) : page)
            return .done
        case .help(_, isAsked: false):
            if isJSON { throw .usage(.needsVerb) }
            let width = surroundings.errorWidth ?? surroundings.width
            try? errors.write(HelpText(verbs: CommandTable.verbs, width: width, messages: messages).overview)
            return .usage
        case .run(let invocation):
            let context = try CommandContext(invocation, surroundings, output: output, errors: errors)
            Interruption.setLanguage(context.messages)
            let own = command(of: invocation.verb)
            do throws(CommandError) {
                return try (own?.run ?? CommandTable.action(of: invocation.verb))?(context) ?? .usage
            } catch {
                guard let refusal = own?.refusal, let report = context.errorReport(error) else {
                    return context.report(error)
                }
                return print(report, refusal(report, error, context.messages), isJSON: isJSON)
            }
        }
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
