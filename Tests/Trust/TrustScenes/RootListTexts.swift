// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// Lists in the root programs' text forms.
package enum RootListTexts {
    /// Returns octets in octal, 16 per line, up to END.
    package static func octal(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { byte in
            let text = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - text.count) + text
        }
        let lines = stride(from: 0, to: digits.count, by: 16).map { digits[$0..<min($0 + 16, digits.count)].joined() }
        return (["MULTILINE_OCTAL"] + lines + ["END"]).joined(separator: "\n")
    }

    package static func name(_ certificate: Certificate) -> String {
        let serial = certificate.serialNumber.bytes
        return """
            CKA_ISSUER \(octal(certificate.issuer.der))
            CKA_SERIAL_NUMBER \(octal([0x02, UInt8(serial.count)] + serial))

            """
    }

    /// Returns the attribute for distrust after a date, or for no distrust if the date is nil.
    package static func distrust(_ date: String?) -> String {
        "CKA_NSS_SERVER_DISTRUST_AFTER " + (date.map { octal(Array($0.utf8)) } ?? "CK_BBOOL CK_FALSE") + "\n"
    }

    package static func certificateObject(_ certificate: Certificate, distrustAfter: String? = nil) -> String {
        """
        CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE
        CKA_LABEL UTF8 "A Root"
        CKA_VALUE \(octal(certificate.der))

        """ + name(certificate) + distrust(distrustAfter)
    }

    package static func trustObject(
        _ certificate: Certificate, _ trust: String = "CKT_NSS_TRUSTED_DELEGATOR", distrustAfter: String? = nil
    ) -> String {
        "CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\n" + name(certificate)
            + "CKA_TRUST_SERVER_AUTH CK_TRUST \(trust)\n"
            + (distrustAfter.map { distrust($0) } ?? "")
    }

    package static func pem(_ der: [UInt8], _ label: String = "CERTIFICATE") -> String { PEM.encode(der, label: label) }

    package static func list(_ text: String) throws(RootListError) -> RootList { try RootList(Array(text.utf8)) }
}

extension RootList {
    /// Returns the constraint sets on a certificate, or nil if the list doesn't contain it.
    package func alternatives(_ certificate: Certificate) -> [AnchorConstraints]? {
        conditions(for: certificate, unlistedIsDistrusted: false)?.alternatives
    }
}

extension AnchorConstraints {
    /// Returns constraints with the changes of `change`.
    package static func with(_ change: (inout AnchorConstraints) -> Void) -> AnchorConstraints {
        var constraints = AnchorConstraints()
        change(&constraints)
        return constraints
    }
}

extension Time {
    /// Returns the time in an RFC 3339 string.
    package static func at(_ text: String) throws -> Time { try Time(rfc3339: text) }
}
