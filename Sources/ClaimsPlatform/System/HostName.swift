// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The name of this host in its network, as `uname -n` prints it.
public enum HostName {
    /// The variable that gives a process of a test the name of a host of its own.
    public static let testVariable = "CLAIMSD_TEST_HOST"

    public static var current: String {
        if let name = Environment.nonempty(testVariable) { return name }
        var system = utsname()
        guard unsafe uname(&system) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: system.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
