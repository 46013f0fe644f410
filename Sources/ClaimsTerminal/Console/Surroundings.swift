// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// What a command finds around it: environment, terminal, clock, time zone. Asked for only when needed; tests give
/// their own.
public struct Surroundings {
    public var environment: (String) -> String?
    public var isTerminal: (Int32) -> Bool
    public var terminalSize: () -> (columns: Int, rows: Int)?
    /// Milliseconds since 1970.
    public var now: () -> Int64
    /// The name of the user's time zone.
    public var zoneName: () -> String
    public var zone: () -> TimeZoneRules

    public init(
        environment: @escaping (String) -> String?, isTerminal: @escaping (Int32) -> Bool,
        terminalSize: @escaping () -> (columns: Int, rows: Int)?, now: @escaping () -> Int64,
        zoneName: @escaping () -> String, zone: @escaping () -> TimeZoneRules
    ) {
        self.environment = environment
        self.isTerminal = isTerminal
        self.terminalSize = terminalSize
        self.now = now
        self.zoneName = zoneName
        self.zone = zone
    }

    /// This process's own.
    public static var process: Surroundings {
        Surroundings(
            environment: { Environment[$0] }, isTerminal: { TerminalDevice.isTerminal($0) },
            terminalSize: { TerminalDevice.size(1) }, now: { Clocks.wall }, zoneName: { LocalTimeZone.name() },
            zone: { LocalTimeZone.rules() })
    }

    /// How many cells a line has: the terminal's, else `$COLUMNS`, else 80.
    public var width: Int {
        if let size = terminalSize() { return size.columns }
        if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
        return 80
    }
}
