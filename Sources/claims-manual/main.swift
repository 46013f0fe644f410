// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

// claims-manual REFERENCE FOLDER    write the manual pages to FOLDER
// claims-manual --update REFERENCE  bring the generated parts of the reference and of other files up to date
//
// REFERENCE is Sources/claimsd/Documentation.docc; the other files are looked for beside Sources.
exit(ManualProgram.run(Array(CommandLine.arguments.dropFirst())))
