// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Texts that are kept in files beside the tests, so that a review reads every change of what people see.
///
/// Where a change is meant, a run of the tests with `RENEW_GOLDEN_TEXTS=1` in the environment writes the files anew.
public enum GoldenText {
    private static let maxFileSize = 1 << 20

    /// Compares a text with the file that keeps it, and names the first line that differs.
    ///
    /// - Parameters:
    ///   - name: the path of the file, from the folder of the test.
    ///   - test: the path of the test's source file.
    /// - Throws: ``TestFailure`` where they differ.
    public static func check(_ text: String, _ name: String, test: String = #filePath) throws {
        let path = Paths.join(Paths.parent(test), name)
        if Environment.nonempty("RENEW_GOLDEN_TEXTS") != nil {
            try Directory.create(Paths.parent(path))
            try Files.writeAtomically(path, Array(text.utf8))
            return
        }
        let expected = try Files.readText(path, cap: maxFileSize)
        guard text != expected else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let common = zip(lines, expectedLines).prefix { $0 == $1 }.count
        func line(_ lines: [Substring]) -> Substring { common < lines.count ? lines[common] : "(the end)" }
        throw TestFailure("\(name), line \(common + 1):\n  now    \(line(lines))\n  before \(line(expectedLines))")
    }
}
