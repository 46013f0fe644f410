// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct DesktopTests {
    private func way(_ address: String, _ variables: [String: String]) -> Desktop.Way {
        Desktop { variables[$0] }.way(toOpen: address)
    }

    private let address = "https://example.org/a?b=c;d"

    @Test func `an address goes to the browser or the opener, as one argument`() {
        #expect(way(address, ["DISPLAY": ":0"]) == .program("xdg-open", [address]))
        #expect(way(address, ["WAYLAND_DISPLAY": "w", "BROWSER": ""]) == .program("xdg-open", [address]))
        #expect(way(address, ["BROWSER": "lynx -dump:w3m"]) == .program("lynx", ["-dump", address]))
        #expect(way(address, ["BROWSER": "lynx:show --url=%s"]) == .program("lynx", [address]))
        #expect(way(address, ["BROWSER": "show --url=%s"]) == .program("show", ["--url=\(address)"]))
        #expect(way("HTTP://x", ["DISPLAY": ":0"]) == .program("xdg-open", ["HTTP://x"]))
    }

    @Test func `without a display and over ssh it is copied`() {
        #expect(way(address, [:]) == .copying)
        #expect(way(address, ["DISPLAY": ":0", "BROWSER": "x", "SSH_CONNECTION": "1 2 3 4"]) == .copying)
        #expect(Desktop { _ in nil }.way(toOpenFile: "/a") == .copying)
        #expect(Desktop { $0 == "DISPLAY" ? ":0" : nil }.way(toOpenFile: "/a") == .program("xdg-open", ["/a"]))
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "--help", "http:/x", "https://a b", "https://a\n-x", "",
    ])
    func `nothing but an address of the web is opened`(_ address: String) {
        #expect(way(address, ["DISPLAY": ":0"]) == .refused)
    }
}
