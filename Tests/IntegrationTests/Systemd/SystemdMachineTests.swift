// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Testing

/// Tests on a machine with systemd; skipped, with the reason, where there can be none.
extension Trait where Self == ConditionTrait {
    static var needsSystemd: ConditionTrait {
        .enabled(if: SystemdMachine.obstacle == nil, "\(SystemdMachine.obstacle ?? "")")
    }
}

@Suite(.needsSystemd) struct SystemdMachineTests {
    @Test func `a machine boots with what was staged, and leaves nothing behind`() throws {
        let mark = RandomBytes.hexadecimal(8)
        do {
            let machine = try SystemdMachine { root in
                try Directory.create(Paths.join(root, "usr/share/\(mark)"))
                try Files.writeAtomically(Paths.join(root, "usr/share/\(mark)/note"), Array("staged\n".utf8))
            }
            #expect(try machine.check("cat /usr/share/\(mark)/note") == "staged\n")
            #expect(try machine.check("systemctl is-system-running") == "running\n")
            #expect(try machine.check("cat /proc/1/comm") == "systemd\n")
            try machine.check("touch /etc/\(mark) /tmp/\(mark) && systemd-run --wait --quiet true")
            let failure = try machine.run("echo out; echo err >&2; exit 3")
            #expect(failure.status == .exited(3) && failure.output == "out\n")
            #expect(failure.error == "err\n")
            try machine.eventually("test -e /etc/\(mark)")
        }
        #expect(!Files.exists("/etc/\(mark)") && !Files.exists("/tmp/\(mark)") && !Files.exists("/usr/share/\(mark)"))
    }
}
