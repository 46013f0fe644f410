// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

extension DriftReport {
    /// What a refresh saw that looked only at records that are not as they were, beside what was known before.
    ///
    /// A count is then the larger of both, because nobody knows which of the earlier sights are still there.
    public func merging(_ earlier: DriftReport) -> DriftReport {
        var merged = self
        for old in earlier.newValues {
            if let place = newValues.firstIndex(where: { $0.field == old.field && $0.value == old.value }) {
                merged.newValues[place] = NewValue(
                    field: old.field, value: old.value, count: max(old.count, newValues[place].count))
            } else if merged.newValues.count < Self.longestList {
                merged.newValues.append(old)
            }
        }
        for old in earlier.newMembers {
            if let place = newMembers.firstIndex(where: { $0.name == old.name }) {
                merged.newMembers[place] = NewMember(name: old.name, count: max(old.count, newMembers[place].count))
            } else if merged.newMembers.count < Self.longestList {
                merged.newMembers.append(old)
            }
        }
        for old in earlier.typeChanges {
            if let place = typeChanges.firstIndex(where: { $0.field == old.field && $0.found == old.found }) {
                merged.typeChanges[place] = TypeChange(
                    field: old.field, expected: old.expected, found: old.found,
                    count: max(old.count, typeChanges[place].count))
            } else if merged.typeChanges.count < Self.longestList {
                merged.typeChanges.append(old)
            }
        }
        merged.unlisted = max(unlisted, earlier.unlisted)
        return merged
    }
}
