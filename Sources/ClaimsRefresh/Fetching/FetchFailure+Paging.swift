// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

extension FetchFailure {
    /// Pages that are not what they should be.
    init(_ fault: PagingFault) {
        switch fault {
        case .endless(let limit): self.init(.protocol, Message(.pagesEndless, "\(limit)"))
        case .circle: self.init(.protocol, Message(.pageCircle))
        case .repeated: self.init(.protocol, Message(.pageRepeated))
        case .capped(let count, let size): self.init(.wrongShape, Message(.pageCapped, "\(count)", "\(size)"))
        case .moreUnclear(let pointer): self.init(.wrongShape, Message(.moreUnclear, pointer.text))
        case .cursorMissing(let pointer): self.init(.wrongShape, Message(.cursorMissing, pointer.text))
        case .nextUnusable(let pointer, let kind):
            self.init(.wrongShape, Message(.nextUnusable, pointer.text, MessageArgument.of(kind)))
        }
    }
}
