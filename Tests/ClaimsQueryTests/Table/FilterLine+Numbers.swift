// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterLine {
    static let numbers: [FilterLine] = [
        FilterLine("pages=10", #"["eq","pages","10"]"#, "02"),
        FilterLine("pages=10.0", #"["eq","pages","10.0"]"#, "02"),
        FilterLine("pages=1e1", #"["eq","pages","1e1"]"#, "02"),
        FilterLine(#"pages="10""#, #"["eq","pages","10"]"#, "02"),
        FilterLine("pages!=10", #"["ne","pages","10"]"#, allBut: "02"),
        FilterLine("pages=2,100", #"["eq","pages",["2","100"]]"#, "1 2"),
        FilterLine("pages>2", #"["gt","pages","2"]"#, "1 02 10 big"),
        FilterLine("pages>=2", #"["ge","pages","2"]"#, "1 2 02 10 big"),
        FilterLine("pages<0", #"["lt","pages","0"]"#, "A1"),
        FilterLine("pages<=-0", #"["le","pages","-0"]"#, "A1 a1"),
        FilterLine("pages=1234567890123456789012345", #"["eq","pages","1234567890123456789012345"]"#, "10"),
        FilterLine("pages>1234567890123456789012344", #"["gt","pages","1234567890123456789012344"]"#, "10"),
        FilterLine("pages<2.5", #"["lt","pages","2.5"]"#, "2 A1 a1"),
        FilterLine("pages=2..10", #"["range","pages","2","10"]"#, "2 02 big"),
        FilterLine("pages=10..2", #"["range","pages","10","2"]"#, ""),
        FilterLine("pages=0,3..100", #"["or",["eq","pages","0"],["range","pages","3","100"]]"#, "1 02 big a1"),
        FilterLine(
            "pages=3..10,..-1,100..",
            #"["or",["range","pages","3","10"],["range","pages",null,"-1"],["range","pages","100",null]]"#,
            "1 02 10 big A1"),
        FilterLine(
            "pages!=0,3..100", #"["and",["ne","pages","0"],["not",["range","pages","3","100"]]]"#, allBut: "1 02 big a1"
        ),
        FilterLine("pages.none", #"["none","pages"]"#, "007 x-3 x-20"),
        FilterLine("price=12.5", #"["eq","price","12.5"]"#, "1 2"),
        FilterLine("price=12.50", #"["eq","price","12.50"]"#, "1 2"),
        FilterLine("price=1.25e+1", #"["eq","price","1.25e+1"]"#, "1 2"),
        FilterLine("price=0.1", #"["eq","price","0.1"]"#, "10 big"),
        FilterLine("price!=0.1,100", #"["ne","price",["0.1","100"]]"#, "1 2 02 007 x-3 x-20"),
        FilterLine("price=100", #"["eq","price","100"]"#, "A1 a1"),
        FilterLine("price=1E2", #"["eq","price","1E2"]"#, "A1 a1"),
        FilterLine("price<0", #"["lt","price","0"]"#, "02"),
        FilterLine("price.lt=0.1", #"["lt","price","0.1"]"#, "02"),
        FilterLine("price.ge=12.5", #"["ge","price","12.5"]"#, "1 2 A1 a1"),
        FilterLine("price>99.9999999999999999999999", #"["gt","price","99.9999999999999999999999"]"#, "A1 a1"),
        FilterLine("price=..0.1", #"["range","price",null,"0.1"]"#, "02 10 big"),
        FilterLine("price=-3..-1", #"["range","price","-3","-1"]"#, "02"),
        FilterLine("price.any", #"["any","price"]"#, allBut: "007 x-3 x-20"),
        FilterLine("lent=true", #"["eq","lent","true"]"#, "1 A1"),
        FilterLine("lent=false", #"["eq","lent","false"]"#, "2 x-20"),
        FilterLine("lent!=true", #"["ne","lent","true"]"#, allBut: "1 A1"),
        FilterLine("lent=true,false", #"["eq","lent",["true","false"]]"#, "1 2 A1 x-20"),
        FilterLine("lent.none", #"["none","lent"]"#, allBut: "1 2 A1 x-20"),
    ]
}
