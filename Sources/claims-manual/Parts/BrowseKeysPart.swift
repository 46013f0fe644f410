// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBrowse
import ClaimsModel

/// The keys of `claimsctl browse`, from its own table.
enum BrowseKeysPart {
    static var block: Block {
        .table(
            header: ["Keys", "Meaning", "Where"],
            rows: BrowseKeys.bindings.map { binding in
                let keys = binding.keys.map { "`\($0.name)`" }
                let areas = BrowseArea.allCases.filter(binding.areas.contains)
                return [
                    // A row of digits is described by its ends.
                    keys.count > 5 ? "\(keys[0]) … \(keys[keys.count - 1])" : keys.joined(separator: " "),
                    ([binding.title.english] + [binding.need.text?.english].compactMap(\.self)).map(\.punctuated)
                        .joined(separator: " "),
                    areas.count == BrowseArea.allCases.count
                        ? "everywhere" : areas.map(\.rawValue).joined(separator: ", "),
                ]
            })
    }
}
