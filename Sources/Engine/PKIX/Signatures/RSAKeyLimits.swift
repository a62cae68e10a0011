// SPDX-License-Identifier: Apache-2.0

/// The size limits of RSA keys for certificates.
enum RSAKeyLimits {
    /// The smallest RSA modulus in bits (CA/Browser Baseline Requirements § 6.1.5; NIST SP 800-131A).
    static let minimumBits = 2048
    /// The largest RSA modulus in bits. The cost of verifying grows with its square. 8192 bits is the largest size that
    /// CAs sell, and rustls-webpki's limit.
    static let maximumBits = 8192

    static let allowedBits = minimumBits...maximumBits
}
