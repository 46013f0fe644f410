// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

// claims-manual REFERENCE FOLDER    write the manual pages to FOLDER
// claims-manual --update REFERENCE  bring the generated parts of the reference up to date
//
// REFERENCE is Sources/claimsd/Documentation.docc; systemd/claimsd.catalog is looked for beside Sources.
exit(ManualProgram.run(Array(CommandLine.arguments.dropFirst())))
