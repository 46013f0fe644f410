// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// The environment of a command: variables, terminal, clock and time zone.
///
/// Each closure is called only when its value is needed. Tests pass their own.
public struct Surroundings {
    /// Returns the value of an environment variable, or `nil`.
    public var environment: (String) -> String?
    /// Returns whether a file descriptor is a terminal (isatty(3)).
    public var isTerminal: (Int32) -> Bool
    /// Whether questions are answered although nothing is a terminal: for a verb within `browse --plain`.
    var isConversation = false
    /// Reads standard input to its end; `nil` if it has more bytes than the bound.
    var readInput: (_ maxBytes: Int) throws(SystemError) -> [UInt8]? = StandardInput.read
    /// The time without an answer after which a notice gives the reason.
    var silenceLimit: Duration = .seconds(3)
    /// Returns the size of the terminal in cells; `nil` without a terminal.
    public var terminalSize: () -> (columns: Int, rows: Int)?
    /// Returns the columns of the terminal that standard error goes to; nil if it is none.
    public var errorColumns: () -> Int? = { nil }
    /// Returns the time of day, in milliseconds since 1970.
    public var now: () -> Int64
    /// Returns the IANA name of the user's time zone.
    public var zoneName: () -> String
    /// Returns the rules of the user's time zone.
    public var zone: () -> TimeZoneRules
    /// Returns the next line of standard input without its newline; `nil` at the end.
    public var nextLine: () -> String?

    public init(
        environment: @escaping (String) -> String?, isTerminal: @escaping (Int32) -> Bool,
        terminalSize: @escaping () -> (columns: Int, rows: Int)?, now: @escaping () -> Int64,
        zoneName: @escaping () -> String, zone: @escaping () -> TimeZoneRules,
        nextLine: @escaping () -> String? = { readLine() }
    ) {
        self.environment = environment
        self.isTerminal = isTerminal
        self.terminalSize = terminalSize
        self.now = now
        self.zoneName = zoneName
        self.zone = zone
        self.nextLine = nextLine
    }

    /// The environment of the running process.
    public static var process: Surroundings {
        var surroundings = Surroundings(
            environment: { Environment[$0] }, isTerminal: { TerminalDevice.isTerminal($0) },
            terminalSize: { TerminalDevice.size(1) }, now: { SystemClock.wall }, zoneName: { LocalTimeZone.name() },
            zone: { LocalTimeZone.rules() })
        surroundings.errorColumns = { TerminalDevice.size(2)?.columns }
        return surroundings
    }

    /// The width of a line in cells: that of the terminal, else `$COLUMNS`, else 80.
    public var width: Int {
        if let size = terminalSize() { return size.columns }
        if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
        return 80
    }

    /// The width of a line of standard error in cells, which may be a terminal while the output goes elsewhere; nil
    /// where it is none, and lines may be as long as they are.
    public var errorWidth: Int? {
        // A conversation has one output.
        if isConversation { return terminalSize()?.columns }
        return isTerminal(2) ? errorColumns() ?? width : nil
    }
}
