// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// The executables that were built together with the tests.
public enum BuiltProgram {
    /// Where `name` is: beside the running tests, or in the folder that `CLAIMSD_PROGRAMS` names.
    public static func path(_ name: String) throws -> String {
        let folder = try Environment["CLAIMSD_PROGRAMS"] ?? Paths.parent(ownPath())
        let path = Paths.join(folder, name)
        guard Files.exists(path) else { throw TestFailure("\(path) is not built") }
        return path
    }

    /// Whether the programs were built with a sanitizer, whose own memory and exit code would be taken for theirs; the
    /// Makefile says so in `CLAIMSD_SANITIZER`.
    public static let isSanitized = Environment.nonempty("CLAIMSD_SANITIZER") != nil

    /// The environment of a program under test: nothing of the caller's but what finds libraries and sanitizers.
    public static func environment(_ changes: [String: String] = [:]) -> [String] {
        var variables = ["LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin", "TZ": "UTC"]
        for name in [
            "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE",
            "CLAIMSD_TEST_RECENT",
        ] {
            variables[name] = Environment[name]
        }
        variables.merge(changes) { _, change in change }
        return variables.map { name, value in "\(name)=\(value)" }.sorted()
    }

    private static func ownPath() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw TestFailure("/proc is not mounted") }
        return String(decoding: buffer.prefix(count).map { character in UInt8(bitPattern: character) }, as: UTF8.self)
    }
}
