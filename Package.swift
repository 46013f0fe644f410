// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// The core is optimized in debug builds too: tests of random and large collections spend most of their time in it.
let core: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// What every target may import.
let bytes: [Target.Dependency] = ["ClaimsBytes"]

func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], linker: [LinkerSetting] = [],
    isCore: Bool = false
) -> Target {
    .target(
        name: name, dependencies: bytes + dependencies, swiftSettings: settings + (isCore ? core : []),
        linkerSettings: linker)
}

func program(_ name: String, _ dependencies: [Target.Dependency], linker: [LinkerSetting]) -> Target {
    .executableTarget(
        name: name, dependencies: bytes + dependencies, swiftSettings: settings, linkerSettings: linker)
}

func tests(_ module: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(module)Tests",
        dependencies: [.init(stringLiteral: module), "ClaimsTestSupport"] + (module == "ClaimsBytes" ? [] : bytes)
            + dependencies,
        exclude: exclude, swiftSettings: settings)
}

/// The daemon needs Debian's libraries at run time, but no Swift runtime.
let staticRuntime: [LinkerSetting] = [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))]
/// The client is one file that needs nothing at all; it starts in a millisecond.
let staticExecutable: [LinkerSetting] = [
    .unsafeFlags(["-static-executable"], .when(configuration: .release))
]

let package = Package(
    name: "claimsd",
    targets: [
        // Layer 0: C modules, each with one importer.
        .target(name: "CLinux"),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // libcrypto and libzstd, which are loaded when they are needed.
        .target(name: "CFleet", linkerSettings: [.linkedLibrary("dl")]),
        // libpq, likewise.
        .target(name: "CPostgres", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
        .target(name: "CBench"),
        .target(name: "CBits"),
        .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"])]),
        // Layer 1
        .target(name: "ClaimsBytes", swiftSettings: settings + core),
        // Layer 2
        module("ClaimsJSON", isCore: true),
        module("ClaimsPlatform", ["CLinux"]),
        // Layer 3
        // Linked statically: the library's name differs between Debian 12 and 13.
        module("ClaimsModel", ["CUtf8proc", "ClaimsJSON"], linker: [.linkedLibrary(":libutf8proc.a")]),
        module("ClaimsSystemd", ["CSystemd", "ClaimsPlatform"]),
        // Layer 4
        module("ClaimsProtocol", ["ClaimsModel", "ClaimsJSON"]),
        module("ClaimsQuery", ["ClaimsModel", "ClaimsJSON"], isCore: true),
        module("ClaimsUpstream", ["CCurl", "ClaimsModel", "ClaimsPlatform", "ClaimsJSON"]),
        // Layer 5
        module(
            "ClaimsSnapshot", ["CBits", "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsQuery"], isCore: true),
        module("ClaimsClient", ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol"]),
        // Layer 6
        module(
            "ClaimsStore",
            ["CSQLite", "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsQuery", "ClaimsSnapshot"]),
        // Layer 7
        module(
            "ClaimsRefresh",
            ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsUpstream", "ClaimsSnapshot", "ClaimsStore"]),
        module(
            "ClaimsOutbox",
            ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsUpstream", "ClaimsStore"]),
        module("ClaimsTerminal", ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient"]),
        // Layer 8
        module(
            "ClaimsBrowse",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient", "ClaimsTerminal",
            ]),
        module(
            "ClaimsTriggers",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient", "ClaimsTerminal",
            ]),
        module(
            "ClaimsFleet",
            [
                "CFleet", "CPostgres", "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsUpstream", "ClaimsStore",
                "ClaimsRefresh",
            ]),
        // Layer 9
        module(
            "ClaimsServer",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsUpstream", "ClaimsQuery",
                "ClaimsSnapshot", "ClaimsStore", "ClaimsRefresh", "ClaimsOutbox", "ClaimsFleet",
            ]),
        // Layer 10: programs
        program(
            "claimsd",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsSystemd", "ClaimsProtocol",
                "ClaimsUpstream", "ClaimsQuery", "ClaimsSnapshot", "ClaimsStore", "ClaimsRefresh", "ClaimsOutbox",
                "ClaimsFleet", "ClaimsServer",
            ], linker: staticRuntime),
        program(
            "claimsctl",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient", "ClaimsTerminal",
                "ClaimsBrowse", "ClaimsTriggers",
            ], linker: staticExecutable),
        // A small HTTP server for the demonstration and the tests: it serves files, and misbehaves on command.
        program("claims-upstream", ["ClaimsPlatform", "ClaimsJSON"], linker: staticRuntime),
        // Measures them, beside peers that are started from where they are installed.
        program("claims-bench", ["CBench", "ClaimsPlatform", "ClaimsJSON"], linker: staticRuntime),
        // Makes the manual pages, and the tables of the reference, from the programs' own tables.
        program(
            "claims-manual",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsProtocol", "ClaimsQuery", "ClaimsTerminal", "ClaimsBrowse",
                "ClaimsTriggers",
            ],
            linker: staticRuntime),
        // Tests
        .target(
            name: "ClaimsTestSupport",
            dependencies: [
                "ClaimsBytes", "ClaimsPlatform", "ClaimsJSON", "ClaimsModel", "ClaimsProtocol", "ClaimsSnapshot",
                "ClaimsClient",
            ],
            path: "Tests/ClaimsTestSupport", swiftSettings: settings),
        tests("ClaimsBytes"),
        tests("ClaimsJSON"),
        tests("ClaimsPlatform"),
        tests("ClaimsModel", ["ClaimsPlatform", "ClaimsJSON"]),
        tests("ClaimsSystemd", ["ClaimsPlatform"]),
        tests("ClaimsProtocol", ["ClaimsModel", "ClaimsJSON"]),
        tests("ClaimsQuery", ["ClaimsModel", "ClaimsJSON"]),
        tests("ClaimsUpstream", ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON"]),
        tests("ClaimsSnapshot", ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsQuery"]),
        tests("ClaimsStore", ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsQuery", "ClaimsSnapshot"]),
        tests("ClaimsClient", ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol"]),
        tests(
            "ClaimsRefresh",
            ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsUpstream", "ClaimsSnapshot", "ClaimsStore"]),
        tests(
            "ClaimsFleet",
            ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsUpstream", "ClaimsStore", "ClaimsRefresh"]),
        tests(
            "ClaimsOutbox",
            ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsUpstream", "ClaimsStore"]),
        tests(
            "ClaimsServer",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsUpstream", "ClaimsQuery",
                "ClaimsSnapshot", "ClaimsStore", "ClaimsRefresh", "ClaimsOutbox",
            ]),
        tests(
            "ClaimsTerminal",
            ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsQuery", "ClaimsClient"],
            exclude: ["Lists"]),
        tests(
            "ClaimsBrowse",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient", "ClaimsTerminal",
            ],
            exclude: ["Screens"]),
        tests(
            "ClaimsTriggers",
            [
                "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient", "ClaimsTerminal",
            ]),
        .testTarget(
            name: "ClaimsBenchTests", dependencies: ["ClaimsBytes", "claims-bench", "ClaimsJSON"],
            swiftSettings: settings),
        .testTarget(
            name: "ManualTests",
            dependencies: [
                "ClaimsBytes", "claims-manual", "claimsd", "ClaimsTestSupport", "ClaimsPlatform", "ClaimsModel",
                "ClaimsProtocol",
                "ClaimsQuery", "ClaimsTerminal", "ClaimsBrowse",
            ], swiftSettings: settings),
        // The built programs together, over real sockets, files, HTTP, signals and systemd.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "ClaimsBytes", "ClaimsTestSupport", "ClaimsPlatform", "ClaimsJSON", "ClaimsModel", "ClaimsSystemd",
                "ClaimsProtocol", "ClaimsStore",
                "ClaimsClient", "claimsd", "claimsctl", "claims-upstream",
            ],
            exclude: ["Systemd/boot.sh", "Triggers/receivers.py"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// One or the other: with this variable the fuzzer takes the place of the tests (`make fuzz`).
let fuzzTests = "Tests/FuzzTests"
let fuzzed: [Target.Dependency] = [
    "ClaimsBytes", "ClaimsJSON", "ClaimsPlatform", "ClaimsModel", "ClaimsProtocol", "ClaimsQuery", "ClaimsSnapshot",
    "ClaimsStore", "ClaimsServer",
]
if Context.environment["CLAIMSD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "claims-fuzz", dependencies: fuzzed, path: fuzzTests,
            exclude: ["Corpus", "Dictionaries", "SeedTests.swift"], swiftSettings: settings))
} else {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed + ["ClaimsTestSupport"], path: fuzzTests,
            exclude: ["Corpus", "Dictionaries", "Fuzzer"], swiftSettings: settings))
}

// Under the address sanitizer these tests are not built: nothing that they run is unsafe, but for a few calls that the
// tests of whole programs make too. Those are built with `make test-address SANITIZED=programs`.
if let sanitized = Context.environment["CLAIMSD_SANITIZER"] {
    var unneeded = [
        "ClaimsBenchTests", "ClaimsBrowseTests", "ClaimsClientTests", "ClaimsOutboxTests", "ClaimsProtocolTests",
        "ClaimsQueryTests", "ClaimsRefreshTests", "ClaimsServerTests", "ClaimsTerminalTests", "ClaimsTriggersTests",
        "ManualTests",
        // The programs that only these test.
        "CBench", "claims-bench", "claims-manual",
    ]
    if sanitized != "programs" {
        unneeded += [
            "IntegrationTests", "claimsd", "claimsctl", "ClaimsTriggers", "ClaimsBrowse", "ClaimsTerminal",
        ]
    }
    package.targets.removeAll { unneeded.contains($0.name) }
}
