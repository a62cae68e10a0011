// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A certificate with OpenSSL's trust settings, which follow it (`X509_AUX`, label `TRUSTED CERTIFICATE`).
package struct TrustedCertificate: Sendable {
    /// The certificate.
    package let certificate: Certificate
    private let settings: TrustedCertificateSettings?

    /// The purposes that the certificate is trusted for, as extended key usages, or nil without a restriction.
    package var trusted: [OID]? { settings?.trusted }
    /// The purposes that the certificate isn't trusted for.
    package var rejected: [OID] { settings?.rejected ?? [] }
    /// The unmodified name that its owner gave it. Only show it as printable text.
    package var alias: String? {
        (settings?.alias).map { clipped(String(decoding: $0.prefix(1_024), as: UTF8.self), to: 200) }
    }

    /// Returns whether the settings allow the certificate as an anchor for a purpose.
    package func isTrusted(for purpose: ValidationPolicy.Purpose) -> Bool {
        settings?.purposes.contains(purpose) ?? true
    }

    /// Parses a certificate and the settings after it.
    /// - Parameter der: the certificate, and the settings if it has any.
    /// - Throws: `DERError` of the certificate.
    /// - Returns: nil if the bytes after the certificate aren't settings.
    package init?(der: [UInt8]) throws(DERError) {
        do throws(DERError) { (certificate, settings) = try TrustedCertificateSettings.parse(der) } catch {
            // If the certificate alone can't be read either, its own error is the reason.
            _ = try Certificate(der: Array(der[..<(TLV(der[...])?.contents.endIndex ?? der.count)]))
            return nil
        }
    }
}
