// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting

/// The RSA keys of the process, which scenarios share, as making one takes a tenth of a second.
enum SharedKeys {
    static let rsa2048 = Result { try TestKey.rsa() }
    static let rsa1024 = Result { try TestKey.rsa(bits: 1024) }
    static let rsaRoot = Result { try TestKey.rsa() }
}
