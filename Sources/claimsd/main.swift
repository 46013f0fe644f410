// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

exit(Program.run(Array(CommandLine.arguments.dropFirst())))
