// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

extension DriftReport {
    /// Returns this report merged with the one of an earlier refresh. A refresh looks only at changed records.
    ///
    /// Each count is the larger of the two, because it is not known which of the earlier records are still there.
    public func merging(_ earlier: DriftReport) -> DriftReport {
        var merged = self
        for old in earlier.newValues {
            if let index = newValues.firstIndex(where: { $0.field == old.field && $0.value == old.value }) {
                merged.newValues[index] = NewValue(
                    field: old.field, value: old.value, count: max(old.count, newValues[index].count))
            } else if merged.newValues.count < Self.maxListCount {
                merged.newValues.append(old)
            }
        }
        for old in earlier.newMembers {
            if let index = newMembers.firstIndex(where: { $0.name == old.name }) {
                merged.newMembers[index] = NewMember(name: old.name, count: max(old.count, newMembers[index].count))
            } else if merged.newMembers.count < Self.maxListCount {
                merged.newMembers.append(old)
            }
        }
        for old in earlier.typeChanges {
            if let index = typeChanges.firstIndex(where: { $0.field == old.field && $0.found == old.found }) {
                merged.typeChanges[index] = TypeChange(
                    field: old.field, expected: old.expected, found: old.found,
                    count: max(old.count, typeChanges[index].count))
            } else if merged.typeChanges.count < Self.maxListCount {
                merged.typeChanges.append(old)
            }
        }
        merged.unlisted = max(unlisted, earlier.unlisted)
        return merged
    }
}
