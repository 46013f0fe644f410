// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The functions that libFuzzer calls: once before all, and then for each input.
///
/// The target is named by the variable `CLAIMSD_FUZZ_TARGET`.
enum FuzzerEntry {
    static let target: FuzzTarget = {
        let name = unsafe getenv("CLAIMSD_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
        if let target = FuzzTarget(rawValue: name) { return target }
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        complain("CLAIMSD_FUZZ_TARGET is not one of \(names)")
        exit(64)
    }()

    static func check(_ input: [UInt8]) {
        do {
            try target.check(input)
        } catch {
            complain("\(error)")
            abort()
        }
    }

    private static func complain(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}

@_cdecl("LLVMFuzzerInitialize")
func initializeFuzzer(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    _ = FuzzerEntry.target
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzerEntry.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
