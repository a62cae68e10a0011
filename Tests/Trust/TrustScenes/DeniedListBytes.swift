// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A builder for lists of denied certificates.
package enum DeniedListBytes {
    /// A OneCRL record with issuer and serial number.
    package static func record(serialOf certificate: Certificate) -> String {
        record(issuer: certificate.issuer.der, serial: certificate.serialNumber.bytes)
    }

    package static func record(issuer: [UInt8], serial: [UInt8]) -> String {
        """
        {"schema":1552492994435,"details":{"bug":"https://bugzilla.mozilla.org/1","who":".","why":".","name":"","created":""},\
        "enabled":false,"issuerName":"\(Base64.encode(issuer))","serialNumber":"\(Base64.encode(serial))",\
        "id":"97fbf7c4-3ef2-f54f-0029-1ba6540c63ea","last_modified":1552492994435}
        """
    }

    /// A OneCRL record with subject and key.
    package static func record(keyOf certificate: Certificate) -> String {
        """
        {"subject":"\(Base64.encode(certificate.subject.der))",\
        "pubKeyHash":"\(Base64.encode(certificate.subjectPublicKeyInfoSHA256))","issuerName":"","serialNumber":null}
        """
    }

    package static func oneCRL(_ records: String...) -> [UInt8] {
        Array(#"{"data":[\#(records.joined(separator: ","))]}"#.utf8)
    }

    /// A CRLSet with these additional header members, and parents with their serial numbers.
    package static func crlSet(_ members: String = "", parents: [(key: [UInt8], serials: [[UInt8]])] = []) -> [UInt8] {
        let header = Array(
            """
            {"Version":0,"ContentType":"CRLSet","Sequence":9462,"DeltaFrom":0,"NumParents":\(parents.count)\(members)}
            """.utf8)
        var bytes = [UInt8(header.count & 0xff), UInt8(header.count >> 8)] + header
        for parent in parents {
            bytes += parent.key
            for shift in [0, 8, 16, 24] { bytes.append(UInt8(parent.serials.count >> shift & 0xff)) }
            for serial in parent.serials { bytes += [UInt8(serial.count)] + serial }
        }
        return bytes
    }

    /// A member with the keys of certificates.
    package static func member(_ name: String, _ certificates: Certificate...) -> String {
        let digests = certificates.map { "\"\(Base64.encode($0.subjectPublicKeyInfoSHA256))\"" }
        return ",\"\(name)\":[\(digests.joined(separator: ","))]"
    }
}
