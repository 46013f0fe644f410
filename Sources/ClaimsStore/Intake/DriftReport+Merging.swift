// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

extension DriftReport {
    /// Returns this report, which an answer made at `now`, merged with the report of the answers before. A refresh
    /// reads only changed records.
    ///
    /// Each count is the larger of the two, because it is not known which of the earlier records are still there. An
    /// entry that was not seen again is kept if its example is still there.
    ///
    /// - Parameters:
    ///   - now: in milliseconds since 1970.
    ///   - isCarried: whether the record with this id is the same as before.
    public func merging(
        _ earlier: DriftReport, at now: Int64, isCarried: (_ id: String) -> Bool
    ) -> DriftReport {
        var merged = self
        merged.newValues = Self.merge(newValues, earlier.newValues, at: now, isCarried)
        merged.newMembers = Self.merge(newMembers, earlier.newMembers, at: now, isCarried)
        merged.typeChanges = Self.merge(typeChanges, earlier.typeChanges, at: now, isCarried)
        merged.unlisted = max(unlisted, earlier.unlisted)
        return merged
    }

    /// The examples of all entries.
    var examples: [String] {
        newValues.compactMap(\.sight.example) + newMembers.compactMap(\.sight.example)
            + typeChanges.compactMap(\.sight.example)
    }

    private static func merge<Entry: DriftEntry>(
        _ new: [Entry], _ old: [Entry], at now: Int64, _ isCarried: (_ id: String) -> Bool
    ) -> [Entry] {
        var merged = new
        for index in merged.indices {
            merged[index].sight.firstSeen = now
            merged[index].sight.lastSeen = now
        }
        for entry in old {
            if let index = new.firstIndex(where: { $0.isSameDrift(as: entry) }) {
                merged[index].sight.count = max(entry.sight.count, new[index].sight.count)
                merged[index].sight.firstSeen = entry.sight.firstSeen ?? now
                merged[index].sight.example = new[index].sight.example ?? entry.sight.example
            } else if merged.count < maxListCount {
                var kept = entry
                kept.sight.isCurrent = entry.sight.isCurrent && entry.sight.example.map(isCarried) ?? false
                if kept.sight.isCurrent { kept.sight.lastSeen = now }
                merged.append(kept)
            }
        }
        return merged
    }
}

/// An entry of any list of a report.
private protocol DriftEntry {
    var sight: DriftSight { get set }
    func isSameDrift(as other: Self) -> Bool
}

extension DriftReport.NewValue: DriftEntry {
    fileprivate func isSameDrift(as other: Self) -> Bool { field == other.field && value == other.value }
}

extension DriftReport.NewMember: DriftEntry {
    fileprivate func isSameDrift(as other: Self) -> Bool { name == other.name }
}

extension DriftReport.TypeChange: DriftEntry {
    fileprivate func isSameDrift(as other: Self) -> Bool {
        field == other.field && found == other.found && isAhead == other.isAhead
    }
}
