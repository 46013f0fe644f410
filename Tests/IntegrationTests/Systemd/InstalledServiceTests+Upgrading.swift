// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// The first start of a new version, which brings files up to date.
    @Suite struct Upgrading {
        @Test func `a start may take longer than the unit allows while it works, and who waits is answered`() throws {
            let packs = (1...20_000).map { #"{"id":"\#($0)","status":"CREATED","sender":"Sender number \#($0)"}"# }
            let service = try InstalledService.fresh(["/srv/packs.json": "[" + packs.joined(separator: ",") + "]"])
            let machine = service.machine
            try machine.check("systemctl start claimsd && claimsctl refresh --collection packs --wait")
            try service.write(["/etc/systemd/system/claimsd.service.d/time.conf": "[Service]\nTimeoutStartSec=5s\n"])
            try machine.check(
                """
                systemctl daemon-reload && systemctl stop claimsd && rm /srv/packs.json
                for file in /var/cache/claimsd/*.snapshot; do
                  printf '\\143' | dd of=$file bs=1 seek=8 conv=notrunc status=none || exit 1
                done
                """)
            // The socket is still there: this client starts the service, and waits.
            let client = try service.connect()
            try client.send(#"{"id":1,"method":"count","params":{"collection":"packs"}}"#)
            // Once the daemon has asked for more time, it stands still until the unit's time is over.
            try machine.check(
                """
                text() { systemctl show claimsd -P StatusText; }
                until text | grep -q '^starting\\|collections'; do :; done
                if text | grep -q '^starting'; then
                  pid=$(systemctl show claimsd -P MainPID)
                  kill -STOP $pid && sleep 6 && kill -CONT $pid
                fi
                """)
            let answer = try #require(try client.receive(), "the start was given up")
            #expect(answer.contains("20000"), "\(answer)")
            #expect(try service.property("NRestarts") == "0")
            #expect(try service.journal(.snapshotRebuilt).count >= 1)
            try machine.check("rm -r /etc/systemd/system/claimsd.service.d && systemctl daemon-reload")
        }
    }
}
