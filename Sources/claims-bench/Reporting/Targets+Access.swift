// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Targets {
    /// The targets of rules of access, and of the journal of who looked.
    var access: [Verdict] {
        func rate(_ what: String) -> Double? { results.median(what, of: Results.claimsd, on: biggest) }
        func latency(_ what: String) -> Double? { results.percentile(0.5, of: what, at: Results.claimsd, on: biggest) }
        let whole = AccessPart.detail(.whole)
        let details: [Verdict?] =
            [
                self.rate(
                    AccessPart.journaled, rate(AccessPart.journaled), atLeast: 0.95, of: "not journaled", rate(whole))
            ]
            + [(AccessPart.Viewer.rows, 0.8), (.fields, 0.25), (.hashes, 0.25)].map { viewer, factor in
                let what = AccessPart.detail(viewer)
                return self.rate(what, rate(what), atLeast: factor, of: "whole", rate(whole))
            }
        let searches: [Verdict?] =
            [
                duration(
                    "search p50, words, rows of a rule", latency(AccessPart.search(.rows)), within: .times(1.5, "1.50"),
                    of: "whole, with the filter", latency(AccessPart.filtered))
            ]
            + [AccessPart.Viewer.fields, .hashes].map { viewer in
                duration(
                    "search p50, words, a rule shows: \(viewer.name)", latency(AccessPart.search(viewer)),
                    within: .times(2, "2.00"), of: "whole", latency(AccessPart.search(.whole)))
            }
        return (details + searches + [first]).compactMap { $0 }
    }

    private var first: Verdict? {
        guard let whole = results.median(AccessPart.first(.whole), of: Results.claimsd, on: biggest),
            let rows = results.median(AccessPart.first(.rows), of: Results.claimsd, on: biggest)
        else { return nil }
        return value(
            "first search after a commit, more for rows of a rule", max(0, rows - whole), within: 20e6,
            unit: .nanoseconds)
    }
}
