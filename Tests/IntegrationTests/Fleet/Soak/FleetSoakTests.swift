// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Twenty hosts to which everything happens, for as long as `SOAK_SECONDS` says; without it the test is left out, because
/// takeovers take their time. `SOAK_SEED` repeats a run, as far as the machine lets it.
@Suite(.enabled(if: SoakCourse.seconds != nil && Files.exists(Nginx.program))) struct FleetSoakTests {
    @Test("one host asks for all, no data goes back or is mixed, and the right party is blamed, whatever happens")
    func soak() throws {
        let seed = Environment["SOAK_SEED"].flatMap { UInt64($0) } ?? RandomBytes.integer()
        let course = try SoakCourse(seconds: SoakCourse.seconds ?? 60, seed: seed)
        try course.run()
        print("seed \(seed): \(course.figures)")
        #expect(
            course.oracle.findings.isEmpty,
            "seed \(seed)\n\(course.fleet.story.joined(separator: "\n"))\n\(course.fleet.logs)")
    }
}
