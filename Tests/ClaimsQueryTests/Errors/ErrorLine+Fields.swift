// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension ErrorLine {
    static let fields: [ErrorLine] = [
        ErrorLine("statsu=lost", 0, 6, "unknown field 'statsu'", hint: "did you mean 'state'?"),
        ErrorLine("water and statsu=lost", 10, 6, "unknown field 'statsu'", hint: "did you mean 'state'?"),
        ErrorLine("Title=x", 0, 5, "unknown field 'Title'", hint: "did you mean 'title'?"),
        ErrorLine("statsu.any", 0, 6, "unknown field 'statsu'", hint: "did you mean 'state'?"),
        ErrorLine("statsu.raw=x", 0, 10, "unknown field 'statsu'", hint: "did you mean 'state'?"),
        ErrorLine("a=b", 0, 1, "unknown field 'a'", hint: #"to look for this text, quote it: "a=b""#),
        ErrorLine("a->b", 0, 2, "unknown field 'a-'", hint: #"to look for this text, quote it: "a->b""#),
        ErrorLine("zzz.any", 0, 3, "unknown field 'zzz'", hint: #"to look for this text, quote it: "zzz.any""#),
        ErrorLine("ł=5", 0, 2, "unknown field 'ł'", hint: "the fields are id, title"),
        ErrorLine("it's=5", 0, 4, "'it's' is not a field", hint: #"quote it: "it's=5""#),
        ErrorLine("!state=lost", 0, 6, "'!state' is not a field", hint: "write 'not' before a term"),
        ErrorLine("title.foo=x", 0, 9, "unknown operator '.foo='", hint: "there are no paths"),
        ErrorLine("title.hsa=x", 0, 9, "unknown operator '.hsa='", hint: "did you mean '.has='?"),
        ErrorLine("title.startz=x", 0, 12, "unknown operator '.startz='", hint: "did you mean '.starts='?"),
        ErrorLine("state.rwa=x", 0, 9, "unknown operator '.rwa='", hint: "did you mean '.raw='?"),
        ErrorLine("a.b.raw=x", 0, 7, "'a.b.raw' is not a field", hint: "there are no paths"),
        ErrorLine("a.b~x", 0, 3, "'a.b' is not a field", hint: "there are no paths"),
        ErrorLine("state.raw.raw=x", 0, 13, "'state.raw.raw' is not a field", hint: "there are no paths"),
        ErrorLine("title.any=x", 0, 9, "'.any' takes no value", hint: "write 'title.any'"),
        ErrorLine("title.raw=x", 0, 9, "'title' has no raw value", hint: "only an enum"),
        ErrorLine("id.raw.any", 0, 6, "'id' has no raw value", hint: "only an enum"),
        ErrorLine("state.raw>x", 0, 11, "'>' does not apply to 'state.raw'", hint: "= != ~ !~ ^= .any .none"),
        ErrorLine("state.raw=a..b", 10, 4, "a range does not apply to 'state.raw'", hint: "= != ~ !~ ^= .any .none"),
        ErrorLine("lent>true", 0, 9, "'>' does not apply to 'lent', of type bool", hint: "= != .any .none"),
        ErrorLine("a lent=true..false", 7, 11, "a range does not apply to 'lent'", hint: "= != .any .none"),
        ErrorLine("added~2026", 0, 10, "'~' does not apply to 'added'", hint: "lo..hi .any .none"),
        ErrorLine("state!~lost", 0, 11, "'!~' does not apply to 'state'", hint: "= != >"),
        ErrorLine("extra=1", 0, 7, "'=' does not apply to 'extra', of type json", hint: "it takes .any .none"),
        ErrorLine("link<x", 0, 6, "'<' does not apply to 'link', of type url", hint: "= != ~ !~ ^="),
        ErrorLine("link=a..b", 5, 4, "a range does not apply to 'link'", hint: "= != ~ !~ ^="),
    ]
}
