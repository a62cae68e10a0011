// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// The time window in which a CA suggests renewing a certificate (RFC 9773 § 4.2).
package struct RenewalWindow: Sendable, Hashable {
    /// The start of the window. It is in the past if the certificate should be renewed at once.
    let start: Time
    /// The end of the window, after ``start``.
    let end: Time
    /// The URL of a page with the reason, or nil for none. The URL is untrusted: it is shown, but never opened.
    var explanation: String?
}

/// An error in an ACME server's directory or renewal information.
package struct RenewalInformationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A human-readable description on one line. Its wording may change.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Requests for an ACME server's renewal information (RFC 9773), and the parser for its responses. Doesn't access the
/// network.
package enum RenewalInformation {
    /// The maximum size of a response in bytes. Real responses are a few hundred bytes long.
    package static let maximumSize = 64 * 1024

    /// Returns the identifier of a certificate (§ 4.1): the authority key identifier and the serial number, in base64url.
    /// - Returns: nil for a certificate without an authority key identifier.
    static func identifier(of certificate: Certificate) -> String? {
        guard let key = certificate.authorityKeyIdentifier?.keyIdentifier, !key.isEmpty else { return nil }
        return identifier(keyIdentifier: key, serialNumber: certificate.serialNumber.bytes)
    }

    /// Returns the identifier of the certificate with an authority key identifier and the contents of a serial number's
    /// INTEGER.
    static func identifier(keyIdentifier: [UInt8], serialNumber: [UInt8]) -> String {
        Base64URL.encode(keyIdentifier) + "." + Base64URL.encode(serialNumber)
    }

    /// Returns the URL of a certificate's renewal information (§ 4.1): the directory's URL, a slash, and the
    /// identifier.
    package static func url(of certificate: Certificate, under base: String) -> String? {
        identifier(of: certificate).map { base.hasSuffix("/") ? base + $0 : base + "/" + $0 }
    }

    /// Returns the URL that a directory has for renewal information (RFC 8555 § 7.1.1, RFC 9773 § 3).
    /// - Throws: ``RenewalInformationError`` if the bytes aren't a directory, or the directory has no renewal
    ///   information.
    package static func base(inDirectory bytes: [UInt8]) throws(RenewalInformationError) -> String {
        guard let member = try object(bytes, "the directory")["renewalInfo"] else {
            throw RenewalInformationError("the directory has no renewalInfo, so this CA suggests no times")
        }
        guard let url = member.text, url.hasPrefix("https://") else {
            throw RenewalInformationError("the directory's renewalInfo isn't an https URL")
        }
        return url
    }

    /// Returns the window in a response.
    /// - Throws: ``RenewalInformationError`` if the response is invalid, or if the window ends before it starts (§
    ///   4.2).
    package static func window(in bytes: [UInt8]) throws(RenewalInformationError) -> RenewalWindow {
        let information = try object(bytes, "the renewal information")
        guard let window = information["suggestedWindow"], case .object = window.content else {
            throw RenewalInformationError("the renewal information has no suggestedWindow")
        }
        let start = try time("start", of: window)
        let end = try time("end", of: window)
        guard start < end else {
            throw RenewalInformationError("suggestedWindow ends at \(end), which isn't after its start at \(start)")
        }
        let explanation = information["explanationURL"]?.text.map { clipped($0) }
        return RenewalWindow(start: start, end: end, explanation: explanation)
    }

    private static func object(_ bytes: [UInt8], _ what: String) throws(RenewalInformationError) -> JSONValue {
        guard bytes.count <= maximumSize else {
            throw RenewalInformationError("\(what) is longer than \(maximumSize) bytes")
        }
        do throws(JSONError) {
            let value = try JSONValue(parsing: bytes, maximumDepth: 16, maximumCount: 4096, repeatedKeys: .kept)
            if case .object = value.content { return value }
        } catch {
            throw RenewalInformationError("\(what) is \(error.detail)")
        }
        throw RenewalInformationError("\(what) isn't a JSON object")
    }

    private static func time(_ key: String, of window: JSONValue) throws(RenewalInformationError) -> Time {
        guard let text = window[key]?.text else {
            throw RenewalInformationError("suggestedWindow has no \(key)")
        }
        do throws(TimeFormatError) { return try Time(rfc3339: text) } catch {
            throw RenewalInformationError("\(key) of suggestedWindow: \(clipped(text)) isn't an RFC 3339 time")
        }
    }
}
