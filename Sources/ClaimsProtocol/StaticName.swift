// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The name of a parameter, with its bytes at hand.
package struct StaticName: Sendable {
    package let text: String
    package let utf8: [UInt8]

    package init(_ text: String) {
        self.text = text
        self.utf8 = Array(text.utf8)
    }

    package static let accept = StaticName("accept")
    package static let archived = StaticName("archived")
    package static let by = StaticName("by")
    package static let client = StaticName("client")
    package static let collection = StaticName("collection")
    package static let cursor = StaticName("cursor")
    package static let dryRun = StaticName("dry_run")
    package static let facets = StaticName("facets")
    package static let fields = StaticName("fields")
    package static let filter = StaticName("filter")
    package static let force = StaticName("force")
    package static let group = StaticName("group")
    package static let id = StaticName("id")
    package static let ids = StaticName("ids")
    package static let lang = StaticName("lang")
    package static let limit = StaticName("limit")
    package static let maximumAge = StaticName("max_age_ms")
    package static let method = StaticName("method")
    package static let `protocol` = StaticName("protocol")
    package static let request = StaticName("request")
    package static let require = StaticName("require")
    package static let sort = StaticName("sort")
    package static let stream = StaticName("stream")
    package static let timeZone = StaticName("time_zone")
    package static let timeout = StaticName("timeout_ms")
    package static let view = StaticName("view")
    package static let wait = StaticName("wait")
    package static let want = StaticName("want")
}
