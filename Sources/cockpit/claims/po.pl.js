// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
cockpit.locale({ "": { "language": "pl" }, "Records": [null, "Rejestry"] });
