// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterLine {
    static let identities: [FilterLine] = [
        FilterLine("id=2", #"["eq","id","2"]"#, "2"),
        FilterLine("id=02", #"["eq","id","02"]"#, "02"),
        FilterLine("id=2,02,007", #"["eq","id",["2","02","007"]]"#, "2 02 007"),
        FilterLine("id!=2", #"["ne","id","2"]"#, allBut: "2"),
        FilterLine("id=9999999999999999999999999", #"["eq","id","9999999999999999999999999"]"#, "big"),
        FilterLine("id<10", #"["lt","id","10"]"#, "1 2 02 007"),
        FilterLine("id<=10", #"["le","id","10"]"#, "1 2 02 007 10"),
        FilterLine("id>10", #"["gt","id","10"]"#, "big A1 a1 x-3 x-20"),
        FilterLine("id>02", #"["gt","id","02"]"#, "007 10 big A1 a1 x-3 x-20"),
        FilterLine("id>=2", #"["ge","id","2"]"#, "2 02 007 10 big A1 a1 x-3 x-20"),
        FilterLine("id>x-3", #"["gt","id","x-3"]"#, "x-20"),
        FilterLine("id=1..10", #"["range","id","1","10"]"#, "1 2 02 007 10"),
        FilterLine("id=a1", #"["eq","id","a1"]"#, "a1"),
        FilterLine("id^=a", #"["starts","id","a"]"#, "A1 a1"),
        FilterLine("id~9", #"["has","id","9"]"#, "big"),
        FilterLine("id!~x", #"["lacks","id","x"]"#, allBut: "x-3 x-20"),
        FilterLine("id.any", #"["any","id"]"#, allBut: ""),
        FilterLine("id.none", #"["none","id"]"#, ""),
        FilterLine("link~EXAMPLE", #"["has","link","EXAMPLE"]"#, "1 2"),
        FilterLine("link^=https:", #"["starts","link","https:"]"#, "1"),
        FilterLine("link=https://a.example/Q?x=1", #"["eq","link","https://a.example/Q?x=1"]"#, "1"),
        FilterLine("link=https://a.example/q?x=1", #"["eq","link","https://a.example/q?x=1"]"#, ""),
        FilterLine("link~e/Ä", #"["has","link","e/Ä"]"#, "2"),
        FilterLine("link!~example", #"["lacks","link","example"]"#, allBut: "1 2"),
        FilterLine("link!=http://b.example/ä", #"["ne","link","http://b.example/ä"]"#, allBut: "2"),
        FilterLine("link.any", #"["any","link"]"#, "1 2"),
        FilterLine("extra.any", #"["any","extra"]"#, "1"),
        FilterLine("extra.none", #"["none","extra"]"#, allBut: "1"),
    ]
}
