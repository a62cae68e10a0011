// SPDX-License-Identifier: Apache-2.0

// The file that a target with module aliases needs. It exports the names of Security and URLSession to files that only
// import Foundation.
@_exported import Security
