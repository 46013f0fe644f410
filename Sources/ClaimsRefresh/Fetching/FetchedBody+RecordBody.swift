// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsHTTP
public import ClaimsStore

extension FetchedBody: RecordBody {}
