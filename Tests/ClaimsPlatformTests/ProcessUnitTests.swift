// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsPlatform

@Suite struct ProcessUnitTests {
    @Test(arguments: [
        ("0::/system.slice/cron.service\n", "cron.service"),
        ("0::/user.slice/user-1000.slice/session-3.scope\n", "session-3.scope"),
        ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/x.service\n", "user@1000.service"),
        ("12:cpu:/a\n1:name=systemd:/system.slice/ssh.service\n0::/\n", "ssh.service"),
        ("0::/system.slice/system-getty.slice/getty@tty1.service/sub\n", "getty@tty1.service"),
        ("0::/\n", nil), ("0::/docker/abc\n", nil), ("", nil), ("nonsense\n0:x\n", nil),
    ])
    func `the unit is the first part of the group's path that is no slice`(text: String, unit: String?) {
        #expect(ProcessUnit.parse(text) == unit)
    }

    @Test func `a process that is gone has no unit`() {
        #expect(ProcessUnit.name(of: Int32.max) == nil)
    }
}

struct ProcessStateTests {
    @Test func `the state of a process is read after its name, whatever the name is`() {
        let state = ProcessState(text: "12 (a) b) T 1 12")
        #expect(state?.name == "a) b" && state?.isStopped == true)
        #expect(ProcessState(text: "12 (systemd) S 1")?.isManager == true)
        #expect(ProcessState(text: "") == nil && ProcessState(text: "12 )(") == nil)
        #expect(ProcessState(1)?.isStopped == false)
    }
}
