// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsRefresh
import Testing

/// Secrets in what an upstream echoes, and in the addresses that were asked.
struct SecretMaskTests {
    private let mask = SecretMask([Array("s3/cr+et \"x".utf8)])

    @Test(arguments: [
        "s3/cr+et \"x", #"s3/cr+et \"x"#, #"s3\/cr+et \"x"#, "s3%2Fcr%2Bet%20%22x", "s3%2fcr%2bet+%22x",
        "czMvY3IrZXQgIng=", "czMvY3IrZXQgIng%3D", "czMvY3IrZXQgIng%3d",
    ])
    func `a secret is hidden in each form in which it is echoed`(form: String) {
        #expect(mask.text("the key \(form) is wrong") == "the key *** is wrong")
        #expect(mask.value(.string(form)) == .string("***"))
    }

    @Test(arguments: [
        ("https://e.example/a?b=1", "https://e.example/a?b=1"),
        ("https://e.example/a?api_key=abc&b=1", "https://e.example/a?api_key=***&b=1"),
        ("https://e.example/a?b&X-Sig=a=b", "https://e.example/a?b&X-Sig=***"),
        ("https://e.example/a?access_token=7&pageToken=8", "https://e.example/a?access_token=***&pageToken=8"),
        ("https://e.example/a?author=me&keyword=pump", "https://e.example/a?author=me&keyword=pump"),
        ("https://e.example/a?q=s3%2Fcr%2Bet%20%22x", "https://e.example/a?q=***"),
    ])
    func `an address is told without its secrets`(url: String, told: String) {
        #expect(mask.address(url) == told)
    }

    @Test func `the secrets of an address are known by the names of their parameters`() {
        #expect(SecretMask.secrets(in: "https://e.example/a?key=abc&page=2&next_token=d&sig=e") == ["abc", "e"])
        #expect(SecretMask.secrets(in: "https://e.example/key=abc").isEmpty)
    }
}
