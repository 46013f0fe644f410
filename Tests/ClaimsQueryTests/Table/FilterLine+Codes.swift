// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterLine {
    static let codes: [FilterLine] = [
        FilterLine("state=lost", #"["eq","state","lost"]"#, "1 007"),
        FilterLine("state=LOST", #"["eq","state","LOST"]"#, "1 007"),
        FilterLine("state='On Shelf'", #"["eq","state","On Shelf"]"#, "10 big"),
        FilterLine("state=ON-SHELF", #"["eq","state","ON-SHELF"]"#, "10 big"),
        FilterLine("state!=lost", #"["ne","state","lost"]"#, allBut: "1 007"),
        FilterLine("state=lost,torn", #"["eq","state",["lost","torn"]]"#, "1 02 007"),
        FilterLine("state!=lost,torn", #"["ne","state",["lost","torn"]]"#, allBut: "1 02 007"),
        FilterLine("state=other", #"["eq","state","other"]"#, "a1"),
        FilterLine("state<damaged", #"["lt","state","damaged"]"#, "1 007 a1"),
        FilterLine("state<=damaged", #"["le","state","damaged"]"#, "1 2 02 007 a1"),
        FilterLine("state>damaged", #"["gt","state","damaged"]"#, "10 big A1 x-3"),
        FilterLine("state>=torn", #"["ge","state","torn"]"#, "2 02 10 big A1 x-3"),
        FilterLine("state.lt=damaged", #"["lt","state","damaged"]"#, "1 007 a1"),
        FilterLine("state.le=damaged", #"["le","state","damaged"]"#, "1 2 02 007 a1"),
        FilterLine("state.gt=damaged", #"["gt","state","damaged"]"#, "10 big A1 x-3"),
        FilterLine("state.ge=torn", #"["ge","state","torn"]"#, "2 02 10 big A1 x-3"),
        FilterLine("state.before=lost", #"["before","state","lost"]"#, "a1"),
        FilterLine("state.after=on_shelf", #"["after","state","on_shelf"]"#, "A1 x-3"),
        FilterLine("state<damaged,on_loan", #"["lt","state",["damaged","on_loan"]]"#, "1 2 02 007 10 big a1"),
        FilterLine("state=damaged..on_shelf", #"["range","state","damaged","on_shelf"]"#, "2 02 10 big"),
        FilterLine("state=on_shelf..", #"["range","state","on_shelf",null]"#, "10 big A1 x-3"),
        FilterLine("state=..lost", #"["range","state",null,"lost"]"#, "1 007 a1"),
        FilterLine("state=on_loan..lost", #"["range","state","on_loan","lost"]"#, ""),
        FilterLine(
            "state!=damaged..on_shelf", #"["not",["range","state","damaged","on_shelf"]]"#, allBut: "2 02 10 big"),
        FilterLine("state.any", #"["any","state"]"#, allBut: "x-20"),
        FilterLine("state.none", #"["none","state"]"#, "x-20"),
        FilterLine("state.raw=BROKEN_STATUS", #"["eq","state.raw","BROKEN_STATUS"]"#, "a1"),
        FilterLine("state.raw=broken_status", #"["eq","state.raw","broken_status"]"#, ""),
        FilterLine("state.raw!=BROKEN_STATUS", #"["ne","state.raw","BROKEN_STATUS"]"#, allBut: "a1"),
        FilterLine("state.raw~EN_ST", #"["has","state.raw","EN_ST"]"#, "a1"),
        FilterLine("state.raw!~EN_ST", #"["lacks","state.raw","EN_ST"]"#, allBut: "a1"),
        FilterLine("state.raw^=BROKEN,X", #"["starts","state.raw",["BROKEN","X"]]"#, "a1"),
        FilterLine("state.raw.any", #"["any","state.raw"]"#, "a1"),
        FilterLine("state.raw.none", #"["none","state.raw"]"#, allBut: "a1"),
        FilterLine("kind=book", #"["eq","kind","book"]"#, "1 02 007 A1 x-3 x-20"),
        FilterLine("kind.raw=Vinyl", #"["eq","kind.raw","Vinyl"]"#, "a1"),
    ]
}
