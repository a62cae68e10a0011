// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// Certificates indexed by the pins of their keys and by subject.
struct KnownCertificates {
    private var byKey: [SPKIPin: [Certificate]] = [:]
    private var bySubject: [DistinguishedName: [Certificate]] = [:]

    init(_ linter: PinLinter) {
        for anchor in linter.anchors ?? [] { add(anchor) }
        for certificate in linter.certificates { add(certificate) }
        for certificate in linter.servers.lazy.flatMap({ $0.paths.joined() }) { add(certificate) }
    }

    /// Creates an index of the CA certificates among `certificates`.
    init(authorities certificates: [Certificate]) {
        for certificate in certificates where certificate.isAuthority { add(certificate) }
    }

    mutating func add(_ certificate: Certificate) {
        let key = SPKIPin(certificate)
        if byKey[key]?.contains(certificate) == true { return }
        byKey[key, default: []].append(certificate)
        bySubject[certificate.subject, default: []].append(certificate)
    }

    /// Returns the certificates with a key.
    func certificates(withKey key: SPKIPin) -> [Certificate] { byKey[key] ?? [] }

    /// Returns the certificates of a subject.
    func named(_ subject: DistinguishedName) -> [Certificate] { bySubject[subject] ?? [] }

    /// Returns the certificates that match a pin.
    func certificates(for pin: Pin) -> [Certificate] {
        switch pin.value {
        case .certificate(let certificate): [certificate]
        case .key(let key): byKey[key] ?? []
        }
    }
}
