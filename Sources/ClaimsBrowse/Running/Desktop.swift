// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The ways in which this terminal opens and copies. Pure: variables are passed in.
struct Desktop {
    /// A way to open something.
    enum Way: Equatable {
        /// A program with its arguments; no shell reads them.
        case program(String, [String])
        /// Nothing can be opened here, so that it is copied.
        case copying
        /// It is no address that is opened.
        case refused
    }

    private static let opener = "xdg-open"

    private let environment: (String) -> String?

    init(environment: @escaping (String) -> String?) { self.environment = environment }

    /// The way to open an address of the web.
    func way(toOpen address: String) -> Way {
        let start = address.prefix(8).lowercased()
        // A blank or a control character is no part of an address, and a browser may take it for another argument.
        guard start.hasPrefix("http://") || start.hasPrefix("https://"),
            address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return .refused }
        if isRemote { return .copying }
        if let browser = value("BROWSER") {
            // A list is separated by colons; %s stands for the address.
            let words = browser.split(separator: ":").first?.split(separator: " ").map(String.init) ?? []
            guard let program = words.first else { return .copying }
            let arguments = words.dropFirst().map { $0.replacing("%s", with: address) }
            let isPlaced = words.dropFirst().contains { $0.contains("%s") }
            return .program(program, isPlaced ? arguments : arguments + [address])
        }
        return hasDisplay ? .program(Self.opener, [address]) : .copying
    }

    /// The way to open a file of this host.
    func way(toOpenFile path: String) -> Way {
        isRemote || !hasDisplay ? .copying : .program(Self.opener, [path])
    }

    /// Whether the terminal is one of tmux, which takes no text for the clipboard from a program.
    var isTmux: Bool { value("TMUX") != nil }

    private var isRemote: Bool { value("SSH_CONNECTION") != nil || value("SSH_TTY") != nil }
    private var hasDisplay: Bool { value("DISPLAY") != nil || value("WAYLAND_DISPLAY") != nil }

    private func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
}
