// SPDX-License-Identifier: Apache-2.0

// When the compiler finds this module, `canImport(Darwin)` is true, and code for Apple platforms is compiled on Linux
// (Tests/External/apple). It has the functions of Linux's C library.
@_exported import Glibc

extension stat {
    @_alwaysEmitIntoClient public var st_mtimespec: timespec { st_mtim }
}
