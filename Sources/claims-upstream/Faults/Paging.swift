// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The way in which the records of a file are served in pages.
struct Paging: Sendable {
    enum Style: String {
        /// `{"items": […], "next": "URL"}`
        case pointer
        /// An array, and `Link: <URL>; rel="next"`.
        case link
        /// An array for each `?page=N`; empty after the last.
        case parameter
    }

    private(set) var style = Style.pointer
    private(set) var size = 100
    /// The query parameter that counts pages, from 1.
    private(set) var parameter = "page"
    /// The member that holds the records, with style `pointer`.
    private(set) var items = "items"
    /// The number of the page that answers 500.
    private(set) var failPage: Int?
    /// True if each page names itself as the next one.
    private(set) var loops = false

    /// One page.
    struct Page {
        let body: [UInt8]
        let link: String?
    }

    mutating func set(_ key: String, _ value: JSONValue) throws(UpstreamError) {
        switch key {
        case "style":
            guard let style = value.string.flatMap(Style.init) else {
                throw UpstreamError("style is pointer, link or parameter")
            }
            self.style = style
        case "size": size = try Behaviour.number(key, value, 1...1_000_000)
        case "parameter": parameter = try Behaviour.text(key, value)
        case "items": items = try Behaviour.text(key, value)
        case "fail_page": failPage = try Behaviour.number(key, value, 1...1_000_000)
        case "loop": loops = value.boolean ?? false
        default: throw UpstreamError("unknown member \(key)")
        }
    }

    /// The page of the array in `file` that `request` asks for; nil if the file holds no array.
    /// - Parameter next: used in place of the next page's own URL.
    func page(_ request: UpstreamRequest, of file: [UInt8], next: String?) -> Page? {
        guard let records = (try? JSONValue.parse(file))?.array else { return nil }
        let number = max(1, Int(request.parameters[parameter] ?? "") ?? 1)
        let start = min(records.count, (number - 1) * size)
        let end = min(records.count, start + size)
        let following = loops ? number : end < records.count ? number + 1 : nil
        let url = following.map { following in next ?? "\(request.path)?\(parameter)=\(following)" }
        let slice = JSONValue.array(Array(records[start..<end]))
        switch style {
        case .pointer:
            let whole: JSONValue = [items: slice, "next": url.map(JSONValue.string) ?? .null]
            return Page(body: whole.compactBytes, link: nil)
        case .link:
            return Page(body: slice.compactBytes, link: url.map { url in "<\(url)>; rel=\"next\"" })
        case .parameter:
            return Page(body: slice.compactBytes, link: nil)
        }
    }
}
