// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
@testable import ClaimsTerminal
import Testing

struct ArgumentParserTests {
    private func parse(_ arguments: String...) throws -> Invocation {
        guard case .run(let invocation) = try ArgumentParser.parse(arguments, verbs: CommandTable.verbs) else {
            throw UsageError(en: "no invocation", pl: "brak wywołania")
        }
        return invocation
    }

    private func complaint(_ arguments: String...) -> UsageError? {
        #expect(throws: UsageError.self) { try ArgumentParser.parse(arguments, verbs: CommandTable.verbs) }
    }

    @Test(arguments: [
        ["search", "--unit", "status!=ok", "-o", "json"], ["search", "status!=ok", "--unit", "-o", "json"],
        ["-o", "json", "search", "--unit", "status!=ok"], ["--output=json", "--unit", "search", "status!=ok"],
        ["list", "--collection", "unit", "status!=ok", "--output", "json"],
    ])
    func `options and terms come in any order`(_ arguments: [String]) throws {
        guard case .run(let invocation) = try ArgumentParser.parse(arguments, verbs: CommandTable.verbs) else {
            Issue.record("not run")
            return
        }
        #expect(invocation.verb == .search)
        #expect(invocation.selector?.name == "unit")
        #expect(invocation.terms == [.argument("status!=ok")])
        #expect(invocation.output == .json)
    }

    @Test func `an option that is none of ours selects a collection`() throws {
        #expect(try parse("search", "--gadget").selector == Selector("gadget", isOption: true))
        #expect(try parse("search", "--collection", "gadgets").selector == Selector("gadgets", isOption: false))
        #expect(try parse("status").selector == nil)
    }

    @Test func `in sort a hyphen with two or more letters is a key`() throws {
        let invocation = try parse("sort", "--unit", "-status", "name", "-q", "id:desc")
        #expect(invocation.terms == [.argument("-status"), .argument("name"), .argument("id:desc")])
        #expect(invocation.isQuiet)
    }

    @Test func `after two hyphens everything is a term`() throws {
        #expect(try parse("search", "--", "-x", "--unit").terms == [.argument("-x"), .argument("--unit")])
        #expect(try parse("detail", "--unit", "--", "-7").terms == [.argument("-7")])
    }

    @Test func `every option reaches its place`() throws {
        let list = try parse(
            "search", "--sort", "-a,b", "--sort", "c:desc", "--limit", "7", "--fields", "a, b", "--view", "v",
            "--archived", "include", "--group", "--facets", "x,y", "--exists", "--max-age", "10m", "--lang", "pl",
            "--timeout", "500ms", "--socket", "/s", "--color", "never", "--quiet", "--filter", "a=1", "--text", "b=2")
        #expect(list.sort == ["-a", "b", "c:desc"])
        #expect(list.limit == 7)
        #expect(list.fields == ["a", "b"])
        #expect(list.view == "v")
        #expect(list.archived == .include)
        #expect(list.isGrouped)
        #expect(list.facets == ["x", "y"])
        #expect(list.mustExist)
        #expect(list.maxAge == WrittenSpan(text: "10m", duration: .seconds(600)))
        #expect(list.language == "pl")
        #expect(list.timeout == WrittenSpan(text: "500ms", duration: .milliseconds(500)))
        #expect(list.socket == "/s")
        #expect(list.color == .never)
        #expect(list.isQuiet)
        #expect(list.filter == "a=1")
        #expect(list.terms == [.literal("b=2")])
        #expect(try parse("search", "--fields", "help").wantsFieldHelp)
        #expect(try parse("search", "--all").wantsAll)
        #expect(try parse("detail", "--raw", "1").wantsUpstream)
        #expect(try parse("archive", "--dry-run", "1").isDryRun)
        let refresh = try parse("refresh", "--wait", "--force", "--accept")
        #expect(refresh.waits && refresh.isForced && refresh.accepts)
    }

    @Test func `help and version are found wherever they stand`() throws {
        #expect(try ArgumentParser.parse([], verbs: CommandTable.verbs) == .help(nil, isAsked: false))
        #expect(try ArgumentParser.parse(["-h"], verbs: CommandTable.verbs) == .help(nil, isAsked: true))
        #expect(
            try ArgumentParser.parse(["search", "--unit", "--help"], verbs: CommandTable.verbs)
                == .help(.search, isAsked: true))
        #expect(try ArgumentParser.parse(["--version"], verbs: CommandTable.verbs) == .version)
    }

    @Test func `mistakes say what to do instead`() {
        #expect(complaint("serch")?.hint?.english == "did you mean 'search'?")
        #expect(complaint("search", "--limit=x")?.message.english == "--limit 'x' is no number from 1")
        #expect(complaint("search", "--limit", "0")?.message.english == "--limit '0' is no number from 1")
        #expect(complaint("search", "--limit")?.message.english == "--limit needs a value")
        #expect(complaint("search", "--limt=5")?.hint?.english == "did you mean '--limit'?")
        #expect(
            complaint("search", "-o", "yaml")?.message.english.hasPrefix("--output 'yaml' is none of table, wide")
                == true)
        #expect(complaint("search", "--all=yes")?.message.english == "--all takes no value")
        #expect(complaint("search", "--max-age", "soon")?.message.english == "--max-age 'soon' is no span of time")
        #expect(complaint("search", "--unit", "--pack")?.message.english == "two collections: 'unit' and 'pack'")
        #expect(
            complaint("status", "--limit", "3")?.hint?.english
                == "it belongs to: search, sort, outbox, refreshes, history, quarantine")
        #expect(complaint("search", "-x")?.message.english == "unknown option '-x'")
        #expect(complaint("search", "--filter", "a", "--filter", "b")?.message.english == "--filter is given twice")
    }

    @Test(arguments: [["-o", "name"], ["-oname"], ["-o=name"], ["--output", "name"], ["--output=name"]])
    func `the value of an option stands apart, joined, or after an equals sign`(_ words: [String]) throws {
        for verb in ["search", "sort"] where verb == "search" || words != ["-oname"] {
            for line in [[verb, "--unit"] + words, words + [verb, "--unit"]] {
                guard case .run(let invocation) = try ArgumentParser.parse(line, verbs: CommandTable.verbs) else {
                    Issue.record("\(line)")
                    continue
                }
                #expect(invocation.output == .name, "\(line)")
                #expect(invocation.terms.isEmpty, "\(line)")
            }
        }
    }

    @Test func `a verb tells how many arguments it takes`() {
        let one = complaint("history", "--book", "7", "8")?.message
        #expect(one?.english == "'history' takes at most 1 argument: '8' is one too many")
        let two = complaint("open", "--book", "7", "1", "2")?.message
        #expect(two?.english == "'open' takes at most 2 arguments: '2' is one too many")
        #expect(two?.polish == "„open” przyjmuje najwyżej 2 argumenty: „2” to o jeden za dużo")
    }

    @Test func `a short option without a value takes none`() {
        for letter in ["q", "h"] {
            #expect(complaint("search", "-\(letter)=1")?.message.english == "unknown option '-\(letter)=1'")
            #expect(complaint("search", "-\(letter)x")?.hint?.english == "-\(letter) takes no value, and stands alone")
        }
        #expect(complaint("search", "-o")?.message.english == "-o needs a value")
        #expect(complaint("search", "-limit", "5")?.hint?.english == "did you mean '--limit'?")
        #expect(complaint("search", "-output", "json")?.hint?.english == "did you mean '--output'?")
    }

    @Test func `a misspelt option beside a selector is no second collection`() {
        for line in [["search", "--unit", "--limt", "5"], ["search", "--limt", "5", "--collection", "units"]] {
            let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(line, verbs: CommandTable.verbs) }
            #expect(error?.hint?.english == "did you mean '--limit'?", "\(line)")
            #expect(
                error?.message.english.hasPrefix("unknown option '--limt', or a second collection beside 'unit") == true
            )
        }
        #expect(complaint("detail", "--unit", "--rw", "7")?.hint?.english == "did you mean '--raw'?")
        #expect(complaint("--limt", "5", "search", "--unit")?.hint?.english == "did you mean '--limit'?")
    }

    @Test func `no collection can take the name of an option`() {
        for option in Option.allCases {
            #expect(ReservedNames.options.contains(option.rawValue), "--\(option.rawValue)")
        }
    }
}
