// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// The secrets of sources on an installed machine.
    @Suite struct Access {
        private let secret = "s3cret-\(RandomBytes.hexadecimal(8))"
        private let first = "rt-0-\(RandomBytes.hexadecimal(8))"

        @Test func `an encrypted credential and one of the folder make a token, and neither lies anywhere else`() throws
        {
            let upstream = "http://127.0.0.1:\(InstalledService.port)"
            let service = try InstalledService.fresh([
                "/etc/claimsd/collections.d/packs.json5": """
                { source: { url: "\(upstream)/packs.json", auth: { oauth2: {
                    url: "\(upstream)/token", client: "plant-7", secret: "erp", refresh: "first" } } } }
                """,
                "/etc/claimsd/credentials/first": first + "\n",
                "/etc/systemd/system/claimsd.service.d/credential.conf":
                    "[Service]\nLoadCredentialEncrypted=erp:/etc/credstore.encrypted/erp\n",
            ])
            let machine = service.machine
            defer { _ = try? machine.run("rm -rf /etc/credstore.encrypted") }
            try machine.check(
                """
                chmod 600 /etc/claimsd/credentials/first; mkdir -p /etc/credstore.encrypted
                printf %s \(secret) | systemd-creds encrypt --with-key=host --name=erp - /etc/credstore.encrypted/erp
                """)
            try service.startUpstream()
            try service.giveTokens(
                "token", #"{"client":"plant-7","secret":"\#(secret)","refresh":"\#(first)","rotate":true}"#)
            try service.misbehave("packs.json", #"{"tokens":"/token"}"#)
            try service.start()
            #expect(try service.packs() == ["1", "2", "10"])

            // The token that came after it outlives a kill, and belongs to the daemon alone.
            try machine.check("systemctl kill --signal=KILL claimsd")
            try machine.eventually("claimsctl refresh --pack --force --wait >/dev/null 2>&1")
            let tokens = try service.tokens("token")
            #expect(tokens["grants"]?.integer == 2 && tokens["refused"]?.integer == 0, "\(tokens)")
            #expect(try machine.check("stat -c '%a %U' /var/lib/claimsd/tokens/*") == "600 claimsd\n")
            let given = tokens["tokens"]?.array?.compactMap(\.string) ?? []
            let later = try #require(tokens["refresh"]?.string)
            try machine.check("journalctl --sync")
            for text in [secret, first] + given {
                let folders = "/var/lib/claimsd /var/cache/claimsd /run/claimsd /var/log /run/log"
                #expect(try machine.run("grep -rF -- \(text) \(folders)").status == .exited(1), "\(text)")
                #expect(try machine.run("journalctl -o export | grep -F -- \(text)").status == .exited(1), "\(text)")
                #expect(try machine.run("claimsctl status -o json | grep -F -- \(text)").status == .exited(1))
            }
            let lies = try machine.check("grep -rlF -- \(later) /var/lib/claimsd /var/cache/claimsd || true")
            #expect(lies.split(separator: "\n").allSatisfy { $0.hasPrefix("/var/lib/claimsd/tokens/") }, "\(lies)")
            #expect(try service.property("LimitCORE") == "0")
        }
    }
}
