// SPDX-License-Identifier: Apache-2.0

import PKIX

// Advice that depends on the whole verdict. Rows of the table would answer each failure separately and miss the common
// cause.

extension TrustVerdict {
    /// Returns advice on a failure that other failures explain, or nil if the table's row answers it.
    func patternAdvice(on failure: TrustFailure, places: CertificatePlaces) -> Advice? {
        if let advice = clockAdvice(on: failure) ?? renewedLeafAdvice(on: failure, places) { return advice }
        return namelessLeafAdvice(on: failure) ?? proxyAdvice(on: failure)
    }

    /// Returns advice for a date before every certificate, which happens on a device that hasn't set its clock yet.
    private func clockAdvice(on failure: TrustFailure) -> Advice? {
        guard failure.code == .certificateNotYetValid, path.count > 1,
            path.allSatisfy({ evaluationDate < $0.notBefore })
        else { return nil }
        return Advice(
            subject: .failure(failure.code), certificates: [failure.certificate], party: .user,
            text:
                "Set this machine's clock, or evaluate at another date. Every certificate in the path becomes valid after \(evaluationDate), and none needs a change."
        )
    }

    /// Returns advice for a self-signed certificate that was created again while the anchor is the old one.
    private func renewedLeafAdvice(on failure: TrustFailure, _ places: CertificatePlaces) -> Advice? {
        let codes: [TrustFailure.Code] = [
            .signatureInvalid, .notCertificateAuthority, .basicConstraintsMissing, .keyUsageLacksCertSign,
        ]
        guard codes.contains(failure.code), path.count == 2, reachesAnchor, path[0].subject == path[0].issuer,
            path[1].subject == path[0].subject,
            failures.contains(where: { $0.code == .signatureInvalid && $0.certificate == 0 })
        else { return nil }
        let isOfMachine = places.anchors?.isEmpty ?? (anchor?.isPublic == true)
        let place = places.words(.anchor, isOfMachine ? .store : .given)
        return Advice(
            subject: .failure(failure.code), certificates: [failure.certificate], party: isOfMachine ? .machine : .user,
            text:
                "The \(purpose.presenter.rawValue)'s certificate is self-signed, and \(place) has one with the same name but another key. If the owner created it again, confirm its SHA-256 with the owner and replace the old one. Otherwise don't trust it."
        )
    }

    /// Returns advice for a self-signed certificate that isn't valid for the host. No anchor makes it valid.
    private func namelessLeafAdvice(on failure: TrustFailure) -> Advice? {
        let names: [TrustFailure.Code] = [.hostMismatch, .subjectAlternativeNameMissing]
        guard failure.code == .selfSignedLeaf, failures.contains(where: { names.contains($0.code) }) else { return nil }
        return Advice(
            subject: .failure(failure.code), certificates: [failure.certificate], party: purpose.presenter,
            text:
                "Give the \(purpose.presenter.rawValue) a certificate from a CA that is trusted here. Adding this one to the anchors doesn't help, because it isn't valid for the name."
        )
    }

    /// Returns advice for a chain that ends at the CA of a product that inspects connections.
    private func proxyAdvice(on failure: TrustFailure) -> Advice? {
        guard purpose == .serverAuth, [.unknownIssuer, .untrustedRoot].contains(failure.code), let last = path.last,
            let product = InspectingProxy.product(of: last.issuer)
        else { return nil }
        return Advice(
            subject: .failure(failure.code), certificates: [failure.certificate], party: .user,
            text:
                "\(last.abridgedIssuer(toBytes: 256)) names \(product), which inspects connections. If your network uses it, get its root from the network's administrator and add it to the anchors. Otherwise the connection may be intercepted. The server needs no change.",
            options: [.anchors])
    }
}
