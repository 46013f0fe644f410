// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterLine {
    static let logic: [FilterLine] = [
        FilterLine("water or c++", #"["or",["text","water"],["text","c++"]]"#, "1 02 007 big"),
        FilterLine("water and damage", #"["and",["text","water"],["text","damage"]]"#, "1 007"),
        FilterLine("not water", #"["not",["text","water"]]"#, allBut: "1 007 big"),
        FilterLine("not not water", #"["not",["not",["text","water"]]]"#, "1 007 big"),
        FilterLine("(water)", #"["text","water"]"#, "1 007 big"),
        FilterLine("((water) )", #"["text","water"]"#, "1 007 big"),
        FilterLine(
            "water (damage or c++)", #"["and",["text","water"],["or",["text","damage"],["text","c++"]]]"#, "1 007"),
        FilterLine(
            "water(damage or c++)", #"["and",["text","water"],["or",["text","damage"],["text","c++"]]]"#, "1 007"),
        FilterLine(
            "water or damage c++", #"["or",["text","water"],["and",["text","damage"],["text","c++"]]]"#, "1 007 big"),
        FilterLine(
            "(water or c++)damage", #"["and",["or",["text","water"],["text","c++"]],["text","damage"]]"#, "1 007"),
        FilterLine("not(water or c++)", #"["not",["or",["text","water"],["text","c++"]]]"#, allBut: "1 02 007 big"),
        FilterLine("not water or c++", #"["or",["not",["text","water"]],["text","c++"]]"#, allBut: "1 007 big"),
        FilterLine("not water c++", #"["and",["not",["text","water"]],["text","c++"]]"#, "02"),
        FilterLine(
            "water or (c++ or anna)", #"["or",["text","water"],["text","c++"],["text","anna"]]"#, "1 02 007 big x-3"),
        FilterLine("water and (damage and ii)", #"["and",["text","water"],["text","damage"],["text","ii"]]"#, "007"),
        FilterLine("state=lost water", #"["and",["eq","state","lost"],["text","water"]]"#, "1 007"),
        FilterLine("state=lost or state.none", #"["or",["eq","state","lost"],["none","state"]]"#, "1 007 x-20"),
        FilterLine("state=lost and pages>50", #"["and",["eq","state","lost"],["gt","pages","50"]]"#, "1"),
        FilterLine(
            "not (state=lost or pages>50)", #"["not",["or",["eq","state","lost"],["gt","pages","50"]]]"#,
            allBut: "1 007 10"),
        FilterLine(
            "state!=lost and state!=torn", #"["and",["ne","state","lost"],["ne","state","torn"]]"#, allBut: "1 02 007"),
        FilterLine("pages>2 pages<50", #"["and",["gt","pages","2"],["lt","pages","50"]]"#, "02 big"),
        FilterLine("not state!=lost", #"["not",["ne","state","lost"]]"#, "1 007"),
        FilterLine("note=or", #"["eq","note","or"]"#, ""),
        FilterLine(#"title~"or" or title~essay"#, #"["or",["has","title","or"],["has","title","essay"]]"#, "A1 a1"),
        FilterLine(#""state=lost""#, #"["text","state=lost"]"#, ""),
    ]
}
