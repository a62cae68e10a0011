// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import ServerTrust

extension SecIdentity {
    /// Reads bytes as a PKCS #12 file, and as the contents of one without its MAC, which a fuzzer can't forge. It
    /// spends at most 1,000 iterations, so that each input is fast.
    /// - Returns: the numbers of private keys and certificates in the contents, or nil if they can't be read.
    @_spi(Fuzzing)
    public static func readPKCS12(_ bytes: [UInt8], passphrase: String) -> (keys: Int, certificates: Int)? {
        var budget = PKCS12Derivation.Budget(remaining: 1_000)
        if let contents = try? PKCS12File.authenticated(bytes, passphrase, &budget), contents.count > bytes.count {
            return (keys: .max, certificates: .max)
        }
        guard let file = try? PKCS12File(authenticatedSafe: bytes, passphrase: passphrase, &budget) else {
            return nil
        }
        return (file.keys.count, file.certificates.count)
    }
}
#endif
