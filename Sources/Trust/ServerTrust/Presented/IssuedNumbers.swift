// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The certificates seen so far by issuer and serial number, which together identify one certificate (RFC 5280 §
/// 4.1.2.2).
package struct IssuedNumbers {
    private var known: [IssuerAndSerial: (certificate: Certificate, name: String)] = [:]

    package init() {}

    /// Adds a certificate. Takes time that grows with its size, but not with the number of certificates.
    /// - Parameter name: the words for the certificate, such as `certificate sent as number 2`.
    /// - Returns: a note if another certificate has the same issuer and serial number, or nil.
    package mutating func add(_ certificate: Certificate, named name: String) -> String? {
        let number = IssuerAndSerial(certificate)
        guard let first = known[number] else {
            known[number] = (certificate, name)
            return nil
        }
        guard first.certificate != certificate else { return nil }
        return
            "\(first.name) and \(name) are different certificates with the same issuer (\(certificate.abridgedIssuer(toBytes: 256))) and serial number (\(certificate.abridgedSerialNumber)). Firefox refuses the second one it sees (SEC_ERROR_REUSED_ISSUER_AND_SERIAL), and revoking one revokes both. Have the CA issue one of them again with another number."
    }

    /// Returns the notes about the certificates of a chain and others.
    package static func notes(on chain: PresentedChain, _ others: [Certificate]) -> [String] {
        var numbers = IssuedNumbers()
        return (chain.certificates + others).compactMap { numbers.add($0, named: chain.reference(to: $0)) }
    }
}
