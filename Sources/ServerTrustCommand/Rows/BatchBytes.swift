// SPDX-License-Identifier: Apache-2.0

/// Bytes of a row: text in base64 that is not decoded yet, or DER.
enum BatchBytes: Equatable {
    case base64(String)
    case der([UInt8])
}
