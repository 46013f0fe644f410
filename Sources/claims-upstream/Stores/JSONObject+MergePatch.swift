// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension JSONObject {
    /// The object with a merge patch applied (RFC 7396).
    func patched(_ patch: JSONObject) -> JSONObject {
        var result = self
        for member in patch.members {
            switch member.value {
            case .null: result[member.key] = nil
            case .object(let inner):
                result[member.key] = .object((result[member.key]?.object ?? JSONObject()).patched(inner))
            default: result[member.key] = member.value
            }
        }
        return result
    }
}
