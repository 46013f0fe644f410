// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Testing

struct JSONSettingTests {
    @Test(arguments: [
        (#"{"a":{"b":1}}"#, "/a/b", #"{"a":{"b":7}}"#),
        (#"{"a":{"b":1}}"#, "/a/c", #"{"a":{"b":1,"c":7}}"#),
        (#"{"a":[{},2]}"#, "/a/1", #"{"a":[{},7]}"#),
        (#"{"a":[{},2]}"#, "/a/0/x", #"{"a":[{"x":7},2]}"#),
        (#"{}"#, "", "7"),
        (#"{"a/b":1}"#, "/a~1b", #"{"a/b":7}"#),
    ])
    func `a value is put where its parent is`(value: String, pointer: String, result: String) throws {
        let changed = try JSONValue.parse(value).setting(JSONPointer(pointer), to: 7)
        #expect(changed.map { String(decoding: $0.compactBytes, as: UTF8.self) } == result)
    }

    @Test(arguments: [
        (#"{"a":1}"#, "/b/c"), (#"{"a":1}"#, "/a/c"), (#"{"a":[1]}"#, "/a/1"), (#"{"a":[1]}"#, "/a/-"),
        (#"{"a":[1]}"#, "/a/x"), ("5", "/a"),
    ])
    func `without a parent there is no place`(value: String, pointer: String) throws {
        #expect(try JSONValue.parse(value).setting(JSONPointer(pointer), to: 7) == nil)
    }
}
