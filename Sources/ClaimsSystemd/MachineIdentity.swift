// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// Something that is the same on each start of this machine and differs between machines (machine-id(5)).
public enum MachineIdentity {
    /// 16 bytes that tell nothing about the machine's id itself; nil where it has none.
    public static func bytes() -> [UInt8]? {
        var machine = [UInt8](repeating: 0, count: 16)
        return unsafe systemd_machine_id(application, &machine) == 0 ? machine : nil
    }

    /// This application's id, made once with `systemd-id128 new`.
    private static let application: [UInt8] = [
        0x5d, 0x1e, 0x8a, 0x27, 0xc4, 0x3b, 0x4f, 0x60, 0x9a, 0x72, 0x0e, 0xd8, 0x61, 0xb5, 0xf9, 0x13,
    ]
}
