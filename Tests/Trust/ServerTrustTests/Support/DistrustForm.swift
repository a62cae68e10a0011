// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustScenes

@testable import ServerTrust

/// The list formats that can name a certificate no path may contain.
enum DistrustForm: String, CaseIterable {
    case certdataCertificate = "`certdata.txt` | certificate, `CKT_NSS_NOT_TRUSTED`"
    case certdataName = "`certdata.txt` | issuer and serial number, `CKT_NSS_NOT_TRUSTED`"
    case jsonCertificate = "JSON | SHA-256 of the certificate, `distrusted`"
    case jsonKey = "JSON | SHA-256 of the key, `distrustedKeys`"
    case p11KitCertificate = "p11-kit | certificate, `x-distrusted`"
    case p11KitName = "p11-kit | issuer and serial number, `x-distrusted`"
    case p11KitKey = "p11-kit | public key, `x-distrusted`"
    case p11KitPurpose = "p11-kit | public key, rejected purpose"
    case openSSLPurpose = "OpenSSL | certificate, rejected purpose"
    case oneCRLName = "OneCRL | issuer and serial number"
    case oneCRLKey = "OneCRL | subject and key"
    case crlSetKey = "CRLSet | key"
    case crlSetName = "CRLSet | issuer's key and serial number"

    /// Changes a trust object so that its list distrusts a certificate.
    func distrust(_ certificate: Certificate, issuer: Certificate, in trust: inout Trust) throws {
        switch self {
        case .oneCRLName, .oneCRLKey, .crlSetKey, .crlSetName: trust.denied = try denied(certificate, issuer)
        default: trust.anchors = trust.anchors.applying(try list(certificate))
        }
    }

    private func denied(_ certificate: Certificate, _ issuer: Certificate) throws -> DeniedList {
        switch self {
        case .oneCRLName: try DenialKind.issuerAndSerial.list(certificate, issuer: issuer)
        case .oneCRLKey: try DenialKind.subjectAndKey.list(certificate, issuer: issuer)
        case .crlSetKey:
            try DeniedList(DeniedListBytes.crlSet(DeniedListBytes.member("BlockedSPKIs", certificate)))
        default: try DenialKind.parentAndSerial.list(certificate, issuer: issuer)
        }
    }

    /// Returns a list that distrusts a certificate. A complete list trusts another root in addition.
    func list(_ certificate: Certificate, trusting other: Certificate? = nil) throws -> RootList {
        let serial = certificate.serialNumber.bytes
        let key = RootListTexts.pem(certificate.subjectPublicKeyInfo.der, "PUBLIC KEY")
        switch self {
        case .certdataCertificate, .certdataName:
            let trusted = try other ?? Self.stranger.get()
            return try RootListTexts.list(
                RootListTexts.certificateObject(trusted) + RootListTexts.trustObject(trusted)
                    + (self == .certdataName ? "" : RootListTexts.certificateObject(certificate))
                    + RootListTexts.trustObject(certificate, "CKT_NSS_NOT_TRUSTED"))
        case .jsonCertificate: return try json("distrusted", certificate.sha256)
        case .jsonKey: return try json("distrustedKeys", certificate.subjectPublicKeyInfoSHA256)
        case .p11KitCertificate:
            return try p11Kit("class: certificate\nx-distrusted: true\n" + RootListTexts.pem(certificate.der))
        case .p11KitName:
            return try p11Kit(
                "class: certificate\nx-distrusted: true\nissuer: \(Self.quoted(certificate.issuer.der))\n"
                    + "serial-number: \(Self.quoted([0x02, UInt8(serial.count)] + serial))\n")
        case .p11KitKey: return try p11Kit("class: certificate\nx-distrusted: true\n" + key)
        case .p11KitPurpose:
            return try p11Kit(
                "class: certificate\ntrusted: true\n" + RootListTexts.pem(certificate.der)
                    + "[p11-kit-object-v1]\nclass: x-certificate-extension\nobject-id: 1.3.6.1.4.1.3319.6.10.1\n"
                    + "value: \(Self.quoted([0x30, 0x0a] + Self.serverAuth))\n" + key)
        case .openSSLPurpose:
            let settings = [0x30, 0x0c, 0xa0, 0x0a] + Self.serverAuth
            return try RootListTexts.list(RootListTexts.pem(certificate.der + settings, "TRUSTED CERTIFICATE"))
        case .oneCRLName, .oneCRLKey, .crlSetKey, .crlSetName:
            return try json("distrusted", certificate.sha256)
        }
    }

    private func json(_ member: String, _ digest: [UInt8]) throws -> RootList {
        try RootListTexts.list(
            #"{ "schemaVersion": 1, "program": "Test", "\#(member)": ["\#(Hex.encode(digest))"] }"#)
    }

    private func p11Kit(_ object: String) throws -> RootList {
        try RootListTexts.list("[p11-kit-object-v1]\n" + object)
    }

    private static func quoted(_ bytes: [UInt8]) -> String {
        "\"" + bytes.map { "%" + Hex.encode([$0]) }.joined() + "\""
    }

    /// The identifier of server authentication in DER.
    private static let serverAuth: [UInt8] = [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]

    private static let stranger = Result { try TrustLab.unrelatedRoot().certificate }
}
