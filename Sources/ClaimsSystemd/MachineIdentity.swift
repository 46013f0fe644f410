// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// An identity of this machine that outlives restarts and differs between machines (machine-id(5)).
public enum MachineIdentity {
    /// The 16 bytes of the identity, from which the machine's id cannot be inferred; nil if the machine has no id.
    ///
    /// The bytes are specific to this application (sd_id128_get_machine_app_specific(3)).
    public static func bytes() -> [UInt8]? {
        var machine = [UInt8](repeating: 0, count: 16)
        return unsafe systemd_machine_id(application, &machine) == 0 ? machine : nil
    }

    /// This application's id, made once with `systemd-id128 new`.
    private static let application: [UInt8] = [
        0x5d, 0x1e, 0x8a, 0x27, 0xc4, 0x3b, 0x4f, 0x60, 0x9a, 0x72, 0x0e, 0xd8, 0x61, 0xb5, 0xf9, 0x13,
    ]
}
