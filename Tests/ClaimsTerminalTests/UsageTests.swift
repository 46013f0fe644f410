// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// An option or argument that a verb does not know is told before anything is sent, with exit code 2.
struct UsageTests {
    /// Answers whatever is asked, but knows no collection.
    private static func strictDaemon() throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            guard let name = request.params["collection"]?.string else {
                return .lines([request.result(#"{"collections":[]}"#)])
            }
            return .lines([request.error("unknown_collection", "no collection '\(name)'")])
        }
    }

    @Test(arguments: CommandTable.verbs.map(\.word))
    func `no verb takes an option that it does not know`(_ word: String) throws {
        let daemon = try Self.strictDaemon()
        let verb = try #require(CommandTable.verbs.first { $0.word == word })
        // The arguments of the verb's first example, so that nothing but the option is wrong.
        let example = Shell.words(verb.examples.first ?? word)
        let arguments =
            (verb.maxArguments == 0 ? [word] : example.filter { !$0.hasPrefix("--") })
            + (verb == .wait ? ["--until", "shelf=attic"] : [])
        for option in ["--watch", "--foo=1", "--Foo", "-Z", "--no-such-option", "-limit"] {
            if verb == .sort, option == "-limit" { continue }
            // A command of another module finds itself that a selector names no collection.
            if verb == .check, option == "--watch" || option == "--no-such-option" { continue }
            let run = Run(arguments + [option], daemon, input: "")
            #expect(run.code == .usage, "\(arguments) \(option): \(run.output)\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("option"), "\(arguments) \(option): \(run.errors)")
        }
        for option in Option.allCases where !verb.takes(option) {
            let values: [Option: String] = [.limit: "1", .as: "done"]
            let value = option.value == nil ? [] : [values[option] ?? "1s"]
            let run = Run(arguments + ["--\(option.rawValue)"] + (option == .archived ? ["only"] : value), daemon)
            #expect(run.code == .usage, "\(word) --\(option.rawValue)")
            #expect(run.errors.contains("'\(word)' "), "\(run.errors)")
        }
    }

    @Test(arguments: CommandTable.verbs.filter { $0.maxArguments < .max }.map(\.word))
    func `no verb takes an argument too many`(_ word: String) throws {
        let daemon = try Self.strictDaemon()
        let verb = try #require(CommandTable.verbs.first { $0.word == word })
        let run = Run([word] + (0...verb.maxArguments).map { "a\($0)" }, daemon)
        #expect(run.code == .usage)
        #expect(run.errors.contains("'a\(verb.maxArguments)'"), "\(run.errors)")
        #expect(daemon.requests.isEmpty)
    }

    @Test func `a mistake is told with what may be meant`() throws {
        let daemon = try Self.strictDaemon()
        #expect(Run(["status", "--watch"], daemon).errors.contains("what it takes: claimsctl help status"))
        #expect(Run(["status", "--quit"], daemon).errors.contains("did you mean '--quiet'?"))
        #expect(Run(["raw", "--foo", "{}"], daemon).errors.contains("'raw' has no option '--foo'"))
        #expect(Run(["refresh", "units"], daemon).errors.contains("claimsctl refresh --collection units"))
        #expect(Run(["help", "serch"]).errors.contains("did you mean 'search'?"))
        #expect(daemon.requests.isEmpty)
        #expect(Run(["ping", "x"], daemon).code == .usage)
        let watch = Run(["search", "--limt", "5"], daemon)
        #expect(watch.errors.contains("unknown option '--limt'") && watch.errors.contains("did you mean '--limit'?"))
    }

    @Test(arguments: [("unts", "unit"), ("pakcs", "pack"), ("pcak", "pack")])
    func `a misspelt selector is answered with the option that is meant`(_ word: String, _ meant: String) throws {
        let daemon = try ScriptedDaemon { request in
            let described = #"{"methods":[],"collections":[\#(Example.packs),\#(Example.units)]}"#
            return request.method == "describe" && request.params["collection"] == nil
                ? .lines([request.result(described)])
                : .lines([request.error("unknown_collection", "no collection '\(word)'")])
        }
        for verb in [["search"], ["browse"], ["count"]] {
            let run = Run(verb + ["--\(word)"], daemon)
            #expect(run.code == .usage && run.errors.hasSuffix("did you mean '--\(meant)'?\n"), "\(verb) \(run.errors)")
        }
        #expect(Run(["search", "--collection", word], daemon).errors.contains("no collection '\(word)'"))
    }

    @Test func `a hint names only collections in which the verb can do something`() throws {
        func daemon(_ collections: String...) throws -> ScriptedDaemon {
            try ScriptedDaemon { request in
                .lines([request.result(#"{"collections":[\#(collections.joined(separator: ","))]}"#)])
            }
        }
        let archiving = try daemon(WritingExample.forms(), Example.packs)
        for verb in ["archive", "unarchive"] {
            let errors = Run([verb], archiving).errors
            #expect(errors.contains("--pack") && !errors.contains("--form"), "\(errors)")
        }
        let writing = try daemon(Example.packs, WritingExample.forms())
        let errors = Run(["add"], writing).errors
        #expect(errors.contains("--form") && !errors.contains("--pack"), "\(errors)")
    }

    @Test(arguments: [["-ojson"], ["-o=json"], ["-o", "json"], ["--output=json"]])
    func `a mistake is one JSON object however JSON is asked for`(_ format: [String]) throws {
        let run = Run(["status", "--watch"] + format)
        #expect(run.output.isEmpty)
        #expect(try JSONValue.parse(run.errors)["error"]?["exit_code"]?.integer == 2)
    }
}
