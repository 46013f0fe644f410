// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension DriftReport {
    /// The drift of the sites of one collection, each kind once: its counts add up, and its times span those of all.
    public static func uniting(_ reports: [DriftReport]) -> DriftReport {
        var united = DriftReport()
        for report in reports {
            for entry in report.newValues {
                unite(entry, \.sight, into: &united.newValues) { $0.field == $1.field && $0.value == $1.value }
            }
            for entry in report.newMembers {
                unite(entry, \.sight, into: &united.newMembers) { $0.name == $1.name }
            }
            for entry in report.typeChanges {
                unite(entry, \.sight, into: &united.typeChanges) {
                    $0.field == $1.field && $0.found == $1.found && $0.isAhead == $1.isAhead
                }
            }
            united.unlisted += report.unlisted
        }
        return united
    }

    private static func unite<Entry>(
        _ entry: Entry, _ sight: WritableKeyPath<Entry, DriftSight>, into entries: inout [Entry],
        isSame: (Entry, Entry) -> Bool
    ) {
        guard let index = entries.firstIndex(where: { isSame($0, entry) }) else {
            if entries.count < maxListCount { entries.append(entry) }
            return
        }
        let other = entry[keyPath: sight]
        entries[index][keyPath: sight].unite(other)
    }
}

extension DriftSight {
    fileprivate mutating func unite(_ other: DriftSight) {
        count += other.count
        example = example ?? other.example
        firstSeen = [firstSeen, other.firstSeen].compactMap(\.self).min()
        lastSeen = [lastSeen, other.lastSeen].compactMap(\.self).max()
        isCurrent = isCurrent || other.isCurrent
    }
}
