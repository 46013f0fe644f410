// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTriggers

/// The metrics that claimsctl prints.
enum MetricsPart {
    static var block: Block {
        .table(
            header: ["Metric", "Labels", "Meaning"],
            rows: MetricFamily.allCases.map { family in
                ["`\(family.name)`", family.labels.map { "`\($0)`" }.joined(separator: ", "), family.help]
            })
    }
}
