// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The program that this process runs.
public enum ProcessImage {
    /// Begins the program anew in this process, with its arguments and environment; descriptors that are not
    /// close-on-exec stay. Returns only if that fails.
    public static func startAgain() -> SystemError {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
        }
        _ = unsafe execv(path, &words)
        return .last("start \(path) again")
    }

    /// The program's file by its name, where it is still there; by the process otherwise.
    private static var path: String {
        let own = "/proc/self/exe"
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(own, &buffer, buffer.count)
        guard count > 0 else { return own }
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Files.exists(path) ? path : own
    }
}
