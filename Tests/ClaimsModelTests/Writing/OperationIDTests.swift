// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@Suite struct OperationIDTests {
    @Test func `an id reads back from its own text`() throws {
        let id = OperationID(time: 1_764_000_000_123, random: (.max, 0x0123_4567_89AB_CDEF))
        #expect(OperationID(id.text) == id)
        #expect(OperationID(id.text.uppercased()) == id)
    }

    @Test func `a new id is of version 7 and of the variant of RFC 9562`() {
        for random in [UInt64.min, .max, 0x5555_5555_5555_5555] {
            let text = Array(OperationID(time: 1_764_000_000_123, random: (random, random)).text)
            #expect(text[14] == "7")
            #expect("89ab".contains(text[19]))
        }
    }

    @Test func `ids order by their time`() {
        let times: [Int64] = [0, 1, 255, 65_536, 1_764_000_000_123, 1_764_000_000_124]
        let texts = times.map { OperationID(time: $0, random: (.max, .max)).text }
        #expect(texts == texts.sorted())
        #expect(Set(texts).count == texts.count)
    }

    @Test(arguments: [
        "", "0", "019aa000-0000-7000-8000-00000000000", "019aa000-0000-7000-8000-0000000000000",
        "019aa000-0000-7000-8000-00000000000g", "019aa000-0000-7000-80000-0000000000-",
        "019aa0000000-7000-8000-000000000000-",
        "{19aa000-0000-7000-8000-000000000000",
    ])
    func `a text that is no UUID has no id`(text: String) {
        #expect(OperationID(text) == nil)
    }
}
