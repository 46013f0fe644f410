// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsQuery
@testable import ClaimsTerminal
import Testing

struct FilterComposerTests {
    /// Arguments, and the filter they come to.
    private static let lines: [([String], String?)] = [
        ([], nil),
        (["water"], "water"),
        (["water", "damage"], "water damage"),
        (["water damage"], #""water damage""#),
        (["status!=ok"], "status!=ok"),
        (["status!=ok", "name~pump"], "status!=ok name~pump"),
        (["status=faulty", "or", "status=not_reachable"], "status=faulty or status=not_reachable"),
        (["not", "status=ok"], "not status=ok"),
        (["title~water damage"], #"title~"water damage""#),
        (["title~ water "], "title~water"),
        (["status=pending,rejected"], "status=pending,rejected"),
        (["title~water damage,fire"], #"title~"water damage",fire"#),
        (["title=a b..c d"], #"title="a b".."c d""#),
        (["title~wait... what"], #"title~"wait... what""#),
        ([#"title~"water damage" status=ok"#], #"title~"water damage" status=ok"#),
        (["title~water and name~pump"], "title~water and name~pump"),
        (["title~water or name~pump", "status=ok"], "(title~water or name~pump) status=ok"),
        (["status=ok", "(a=1 or b=2)"], "status=ok (a=1 or b=2)"),
        (["(", "a=1", "or", "b=2", ")", "c=3"], "( a=1 or b=2 ) c=3"),
        (["not a=1 b=2", "c=3"], "(not a=1 b=2) c=3"),
        (["capital.none"], "capital.none"),
        (["status.raw.any"], "status.raw.any"),
        (["status.raw=READY TO PICKUP"], #"status.raw="READY TO PICKUP""#),
        (["amount.ge=100"], "amount.ge=100"),
        (["amount>=100"], "amount>=100"),
        (["pickup_date=now..+30d"], "pickup_date=now..+30d"),
        (["d'Ivoire"], "d'Ivoire"),
        (["Côte d'Ivoire"], #""Côte d'Ivoire""#),
        (["name=Côte d'Ivoire"], #"name="Côte d'Ivoire""#),
        (["c++"], "c++"),
        ([#"say "hi" now"#], #""say \"hi\" now""#),
        ([#""water damage""#], #""water damage""#),
        ([#"back\slash"#], #""back\\slash""#),
        (["a..b"], #""a..b""#),
        (["a,b"], #""a,b""#),
        (["a=b"], "a=b"),
        (["status = ok"], "status = ok"),
        (["status="], "status="),
        (["and"], "and"),
        ([""], nil),
        (["  "], nil),
        (["foo(bar"], "foo(bar"),
        (["what is this.any"], "what is this.any"),
        (["see any.thing"], #""see any.thing""#),
    ]

    @Test(arguments: lines)
    func `arguments come to a filter`(_ arguments: [String], _ filter: String?) {
        #expect(FilterComposer.compose(arguments.map(Term.argument)) == filter)
    }

    @Test func `the value of --text is always literal`() {
        #expect(FilterComposer.compose([.literal("a=b (c)")]) == #""a=b (c)""#)
        #expect(FilterComposer.compose([.literal("and"), .argument("or"), .literal("x")]) == #""and" or "x""#)
    }

    /// The daemon's reading of it.
    @Test(arguments: [
        (["water damage"], #"["text","water damage"]"#),
        (["a..b"], #"["text","a..b"]"#),
        ([#"say "hi" \ now"#], #"["text","say \"hi\" \\ now"]"#),
        (["title~water damage"], #"["has","title","water damage"]"#),
        (["title~water damage,fire"], #"["has","title",["water damage","fire"]]"#),
        (["a=1 or b=2", "c=3"], #"["and",["or",["eq","a","1"],["eq","b","2"]],["eq","c","3"]]"#),
        (["not", "a=1", "b=2"], #"["and",["not",["eq","a","1"]],["eq","b","2"]]"#),
    ])
    func `the daemon understands it as it was meant`(_ arguments: [String], _ tree: String) throws {
        let filter = try #require(FilterComposer.compose(arguments.map(Term.argument)))
        #expect(String(decoding: try FilterParser.parse(filter).tree.compactBytes, as: UTF8.self) == tree)
    }

    @Test func `any phrase survives as it is`() throws {
        let pieces = [
            "a", "\"", "'", "\\", " ", "(", ")", ",", "..", "=", "~", "<", "and", ".any", "ł", "\u{A0}", "!", "^",
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let text = first + second + third
                    let filter = FilterComposer.compose([.literal(text)]) ?? ""
                    let node = try FilterParser.parse(filter)
                    #expect(
                        try node == FilterParser.parse(tree: .array([.string("text"), .string(text)])), "\(filter)")
                }
            }
        }
    }

    @Test(arguments: [
        ("sender!~InPost status=CONFIRMED", ["status="]), ("title~water status.raw = x", ["status.raw ="]),
        ("title~a, b!=c d>=5 e.none", ["b!=", "d>=", "e.none"]), ("title~x not a=1", ["a="]),
        ("title~water damage", []), (#"title~"water damage" status=ok"#, []), (#"title~x, "y status=ok""#, []),
        ("title~x or status=ok", []), ("(title~x status=ok)", []), ("see status=ok", []),
        ("title~see http://x?a=b", []),
        ("title~d'Ivoire status=ok", ["status="]), ("title~x see any.thing", []),
    ])
    func `conditions within the value of a condition are found`(_ argument: String, _ inner: [String]) {
        #expect(FilterComposer.innerConditions(argument).map(\.text) == inner)
    }

    @Test func `two filters stand side by side, each as one term`() {
        #expect(FilterComposer.conjunction(nil, "a=1 b=2") == "a=1 b=2")
        #expect(FilterComposer.conjunction("a=1 or b=2", nil) == "a=1 or b=2")
        #expect(FilterComposer.conjunction("a=1", "b=2") == "a=1 b=2")
        #expect(FilterComposer.conjunction("a=1 or b=2", "c~x d=3") == "(a=1 or b=2) (c~x d=3)")
        #expect(FilterComposer.conjunction("a=1", "b=2) or (c=3") == "b=2) or (c=3")
        #expect(FilterComposer.conjunction(" ", nil) == nil)
    }

    @Test func `bare words are told from filters`() {
        let terms = ["amount", "or", "status=ok", "water damage", "(x)"].map(Term.argument) + [.literal("price")]
        #expect(FilterComposer.words(terms) == ["amount", "water damage"])
    }
}
