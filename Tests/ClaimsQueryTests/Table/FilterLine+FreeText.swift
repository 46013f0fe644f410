// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterLine {
    static let freeText: [FilterLine] = [
        FilterLine("water", #"["text","water"]"#, "1 007 big"),
        FilterLine("WATER", #"["text","WATER"]"#, "1 007 big"),
        FilterLine("water damage", #"["and",["text","water"],["text","damage"]]"#, "1 007"),
        FilterLine(#""water damage""#, #"["text","water damage"]"#, "1 007"),
        FilterLine("'damage water'", #"["text","damage water"]"#, ""),
        FilterLine("damage anna", #"["and",["text","damage"],["text","anna"]]"#, "1"),
        FilterLine(#""ui es""#, #"["text","ui es"]"#, "a1"),
        FilterLine("c++", #"["text","c++"]"#, "02"),
        FilterLine("d'iv", #"["text","d'iv"]"#, "2"),
        FilterLine(#""a=b""#, #"["text","a=b"]"#, "A1"),
        FilterLine("a..b", #"["text","a..b"]"#, "x-3"),
        FilterLine(#""and""#, #"["text","and"]"#, "A1"),
        FilterLine("AND", #"["text","AND"]"#, "A1"),
        FilterLine(#""(draft),""#, #"["text","(draft),"]"#, "x-3"),
        FilterLine("wyslana", #"["text","wyslana"]"#, "10"),
        FilterLine("jug", #"["text","jug"]"#, ""),
        FilterLine("water\tand\n damage", #"["and",["text","water"],["text","damage"]]"#, "1 007"),
        FilterLine("\u{3000}water\u{A0}damage", #"["and",["text","water"],["text","damage"]]"#, "1 007"),
    ]
}
