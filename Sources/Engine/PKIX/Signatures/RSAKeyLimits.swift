// SPDX-License-Identifier: Apache-2.0

/// The sizes of RSA keys that vouch.
enum RSAKeyLimits {
    /// The smallest RSA modulus in bits (CA/Browser Baseline Requirements § 6.1.5; NIST SP 800-131A).
    static let minimumBits = 2048
    /// The largest RSA modulus in bits: verifying grows with its square. 8192 is the largest that CAs sell, and
    /// rustls-webpki's limit.
    static let maximumBits = 8192

    static let allowedBits = minimumBits...maximumBits
}
