// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Reads p11-kit's files (`[p11-kit-object-v1]`): certificates with attributes, names of distrusted certificates, and
/// extensions attached to a certificate by its key. Of these extensions, it only reads extended key usage and OpenSSL's
/// rejected purposes.
///
/// A certificate that isn't `trusted` isn't trusted for any purpose. Nor is a certificate with any other attached
/// extension, because its constraints aren't known here. A certificate that is `x-distrusted`, or whose key has
/// rejected purposes, is distrusted: no path may contain it. The files don't say whether they contain all certificates
/// of a program.
struct P11KitReader {
    private var list: RootList
    private var certificates: [(certificate: Certificate, object: P11KitObject)] = []
    private var attached: [[UInt8]: Attached] = [:]

    /// The conjunction of the extensions attached to a key.
    private struct Attached {
        var purposes = Set(ValidationPolicy.Purpose.allCases)
        /// The purposes that OpenSSL's settings reject.
        var rejected: Set<ValidationPolicy.Purpose> = []
        var isUndecidable = false
    }

    /// Whether bytes are in this format.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        var lines = ByteLines(bytes)
        while let line = lines.next() {
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            return line.elementsEqual(P11KitObject.marker)
        }
        return false
    }

    /// Reads a list.
    /// - Throws: ``RootListError`` with the line of the first invalid attribute or object, and for a file without a
    ///   certificate.
    static func read(_ bytes: [UInt8], date: Time?) throws(RootListError) -> RootList {
        var reader = P11KitReader(date: date)
        var meter = WorkMeter(work: 1_000_000)
        for object in try P11KitObject.objects(in: bytes, &meter) { try reader.keep(object) }
        let list = try reader.finished()
        guard !list.isEmpty else {
            throw RootListError(.rootListEmpty, line: nil, "expected a certificate, found none")
        }
        return list
    }

    private init(date: Time?) { list = RootList(program: "p11-kit", date: date, isComplete: false) }

    private mutating func keep(_ object: P11KitObject) throws(RootListError) {
        switch object.text("class") {
        case "x-certificate-extension": try keepExtension(object)
        case nil, "certificate": try keepCertificate(object)
        default: break
        }
    }

    private mutating func keepCertificate(_ object: P11KitObject) throws(RootListError) {
        let isDistrusted = try object.flag("x-distrusted")
        guard let der = try object.certificate() else {
            // An object without a certificate only names the certificates to distrust.
            if isDistrusted { try distrust(object) }
            guard isDistrusted || object.pem.isEmpty else { throw object.error("a CERTIFICATE in PEM") }
            return
        }
        let certificate: Certificate
        let settings: TrustedCertificateSettings?
        do throws(DERError) { (certificate, settings) = try TrustedCertificateSettings.parse(der) } catch {
            throw RootListError(line: object.line, "\(error)")
        }
        certificates.append((certificate, object))
        guard let settings else { return }
        let key = certificate.subjectPublicKeyInfo.der
        attached[key, default: Attached()].purposes.formIntersection(settings.purposes)
        attached[key, default: Attached()].rejected.formUnion(settings.rejectedPurposes)
    }

    /// Distrusts the certificates that an object names by issuer and serial number, by key, or by both.
    private mutating func distrust(_ object: P11KitObject) throws(RootListError) {
        let key = try object.publicKey()
        if let key { list.distrust(.key(Digests.sha256(key))) }
        let issuer = object.attributes["issuer"]
        let serial = object.attributes["serial-number"]
        if key != nil, issuer == nil, serial == nil { return }
        guard let issuer, let serial, let name = IssuerAndSerial(issuer: issuer, serialNumberDER: serial) else {
            throw object.error("a distrusted certificate, its issuer and serial number, or its PUBLIC KEY in PEM")
        }
        list.distrust(.serialNumber(name))
    }

    private mutating func keepExtension(_ object: P11KitObject) throws(RootListError) {
        guard let key = try object.publicKey() else { throw object.error("an extension with its PUBLIC KEY in PEM") }
        guard let identifier = object.text("object-id"), let value = object.attributes["value"] else {
            throw object.error("an extension with object-id and value")
        }
        let purposes: Set<ValidationPolicy.Purpose>
        do throws(DERError) {
            let contents = try AttachedExtension.value(of: value, identifier: OID(identifier))
            switch identifier {
            // Extended key usage, and OpenSSL's list of rejected purposes.
            case "2.5.29.37": purposes = try ValidationPolicy.Purpose.named(byExtendedKeyUsage: contents)
            case "1.3.6.1.4.1.3319.6.10.1":
                let rejected = try ValidationPolicy.Purpose.named(byExtendedKeyUsage: contents)
                attached[key, default: Attached()].rejected.formUnion(rejected)
                // A use without a purpose includes every purpose, so any rejection rules it out.
                purposes = Set(ValidationPolicy.Purpose.allCases).subtracting(rejected).subtracting(
                    rejected.isEmpty ? [] : [.any])
            // Basic constraints that only say the certificate is a CA.
            case "2.5.29.19" where contents == [0x30, 0x03, 0x01, 0x01, 0xff]: return
            default:
                attached[key, default: Attached()].isUndecidable = true
                return
            }
        } catch {
            throw RootListError(line: object.line, "\(error)")
        }
        attached[key, default: Attached()].purposes.formIntersection(purposes)
    }

    private consuming func finished() throws(RootListError) -> RootList {
        for (certificate, object) in certificates {
            let found = attached[certificate.subjectPublicKeyInfo.der] ?? Attached()
            let isTrusted = try object.flag("trusted")
            let isDistrusted = try object.flag("x-distrusted")
            var constraints = AnchorConstraints()
            constraints.isUndecidable = found.isUndecidable
            if found.purposes.count < ValidationPolicy.Purpose.allCases.count { constraints.purposes = found.purposes }
            if let end = try object.date("nss-server-distrust-after") {
                constraints.dates = [IssuanceLimit(.notAfter, end, clock: .notBeforeOrTimestamp)]
            }
            list.add(
                certificate,
                RootList.Entry(
                    label: object.text("label") ?? "", alternatives: isTrusted && !isDistrusted ? [constraints] : []))
            if isDistrusted { list.distrust(certificate) }
        }
        // An extension attached to a key applies to every certificate with that key.
        for (key, found) in attached where !found.rejected.isEmpty {
            list.distrust(.key(Digests.sha256(key)), for: found.rejected)
        }
        return list
    }
}
