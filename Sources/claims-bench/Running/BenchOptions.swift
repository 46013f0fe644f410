// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A part of the benchmark that can be run alone.
enum Part: String, CaseIterable {
    case detail, search, refresh, changes, subscribe, start, writes, layers, stack, steady, access, client, stdio,
        browse, memory,
        neighbours, fleet, unique
}

/// The command line of claims-bench.
struct BenchOptions {
    private(set) var sizes = [1000, 100_000, 1_000_000]
    private(set) var isQuick = false
    private(set) var parts = Set(Part.allCases)
    private(set) var output = ".build/bench"
    private(set) var wantsHelp = false
    private(set) var peers: Set<String>?
    private(set) var rounds = 5
    /// The duration of the part `steady`.
    private(set) var minutes = 2
    private(set) var keepsFiles = false

    static let peerNames = ["echo", "redis", "sqlite", "postgres", "watchman", "jq", "rg"]

    static let help = """
        claims-bench: measures claimsd on collections of its own, beside the peers that are installed.

        usage: claims-bench [OPTION...]

          --records N,N…   sizes of the collections: 1k, 100k, 1m, which are the default; up to 10m
          --quick          a few minutes: 1k and 100k, fewer rounds, no peers but the echo server and Redis
          --only A,B…      parts: \(Part.allCases.map(\.rawValue).joined(separator: " "))
          --peers A,B…     of \(peerNames.joined(separator: " ")); or none; all that are installed are the default
          --rounds N       interleaved rounds of each measurement (5)
          --minutes N      how long a collection changes each second, in the part steady (2)
          --output DIR     where results.json and latency.svg go (.build/bench)
          --keep           leaves the generated files in DIR for the next time
          --help           this text

        claimsd and claimsctl are taken from this program's folder. The report goes to standard output. Exits with 1
        when something could not be measured or an answer was wrong; a missed target is in the report.

        """

    init(_ arguments: ArraySlice<String>) throws(BenchError) {
        var rest = arguments
        while let name = rest.popFirst() {
            switch name {
            case "--help": wantsHelp = true
            case "--quick":
                isQuick = true
                sizes = [1000, 100_000]
                rounds = 3
                minutes = 1
                peers = peers ?? ["echo", "redis"]
            case "--records": sizes = try Self.list(&rest, name).map(Self.size).sorted()
            case "--only":
                parts = try Set(
                    Self.list(&rest, name).map { text throws(BenchError) in
                        guard let part = Part(rawValue: text) else { throw BenchError("there is no part \(text)") }
                        return part
                    })
            case "--peers":
                let names = try Self.list(&rest, name)
                for name in names where name != "none" && !Self.peerNames.contains(name) {
                    throw BenchError("there is no peer \(name)")
                }
                peers = Set(names)
            case "--rounds": rounds = try Self.number(&rest, name)
            case "--minutes": minutes = try Self.number(&rest, name)
            case "--output": output = try Self.value(&rest, name)
            case "--keep": keepsFiles = true
            default: throw BenchError("unknown option \(name); see --help")
            }
        }
        if sizes.isEmpty { throw BenchError("--records takes at least one size") }
    }

    func has(_ peer: String) -> Bool { peers?.contains(peer) ?? true }

    private static func size(_ text: String) throws(BenchError) -> Int {
        let (digits, factor) =
            switch text.last {
            case "k", "K": (text.dropLast(), 1000)
            case "m", "M": (text.dropLast(), 1_000_000)
            default: (text[...], 1)
            }
        guard let number = Int(digits), number > 0, number * factor <= 10_000_000 else {
            throw BenchError("\(text) is no size: 1 to 10m")
        }
        return number * factor
    }

    private static func list(_ rest: inout ArraySlice<String>, _ name: String) throws(BenchError) -> [String] {
        try value(&rest, name).split(separator: ",").map(String.init)
    }

    private static func number(_ rest: inout ArraySlice<String>, _ name: String) throws(BenchError) -> Int {
        guard let number = Int(try value(&rest, name)), number > 0 else { throw BenchError("\(name) takes a number") }
        return number
    }

    private static func value(_ rest: inout ArraySlice<String>, _ name: String) throws(BenchError) -> String {
        guard let value = rest.popFirst() else { throw BenchError("\(name) takes a value") }
        return value
    }
}
