// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Targets {
    /// The targets of a fleet: what its leader, its followers and forged files cost beside a host that is alone.
    var fleet: [Verdict] {
        (processorTime + memory + idle + forgeries).compactMap { $0 }
    }

    private func median(_ what: String, _ role: FleetPart.Role) -> Double? {
        results.median(what, of: role.rawValue, on: biggest)
    }

    private var processorTime: [Verdict?] {
        func compared(
            _ what: String, _ role: FleetPart.Role, within share: Share, of other: FleetPart.Role
        ) -> Verdict? {
            duration(
                "\(what), \(role.rawValue)", median(what, role), within: share, of: other.rawValue, median(what, other))
        }
        return [
            compared(FleetPart.changedTime, .leader, within: .times(1.3, "1.30"), of: .alone),
            duration(
                FleetPart.publishingTime, median(FleetPart.publishingTime, .leader), within: .times(0.3, "0.30"),
                of: "alone, all", median(FleetPart.changedTime, .alone)),
            compared(FleetPart.commit, .leader, within: .times(1.05, "1.05"), of: .alone),
            compared(FleetPart.changedTime, .follower, within: .times(1, "1.00"), of: .leader),
            compared(FleetPart.allTime, .follower, within: .times(1, "1.00"), of: .leader),
        ]
    }

    /// The memory of the follower beyond the memory of a single host.
    private func growth(of what: String, over other: FleetPart.Role = .alone, within bound: Double) -> Verdict? {
        let more = median(what, .follower).flatMap { ours in median(what, other).map { max(0, ours - $0) } }
        return value("\(what), follower, more than \(other.rawValue)", more, within: bound, unit: .bytes)
    }

    private var memory: [Verdict?] {
        let bound = 24.0 * 1_048_576
        return [
            growth(of: FleetPart.allMemory, within: bound), growth(of: FleetMarksPart.memory, within: bound),
            value(
                "\(FleetPart.changedMemory), follower", median(FleetPart.changedMemory, .follower), within: bound,
                unit: .bytes),
        ]
    }

    private var idle: [Verdict?] {
        [
            growth(of: FleetPart.idleMemory, over: .asking, within: 1_048_576),
            // Each wait is within a tenth of the poll.
            value(FleetPart.requests, median(FleetPart.requests, .follower), within: 1.1, unit: .count),
            value(FleetMarksPart.statements, median(FleetMarksPart.statements, .follower), within: 1.1, unit: .count),
        ]
    }

    private var forgeries: [Verdict?] {
        FleetForgeries.Kind.allCases.flatMap { kind in
            let (memory, lines) = (FleetForgeries.memory(kind), FleetForgeries.lines(kind))
            return [
                value(memory, median(memory, .follower), within: 40 * 1_048_576, unit: .bytes),
                value(lines, median(lines, .follower), within: 1, unit: .count),
            ]
        }
    }
}
