import ServerTrust
import ServerTrustTesting

/// One chain of the demonstration and what its evaluation has to find.
struct DemoCase {
    enum Outcome: Equatable {
        case trusted
        /// The code of the headline.
        case rejected(TrustFailure.Code)

        var text: String {
            switch self {
            case .trusted: "trusted"
            case .rejected(let code): code.name
            }
        }
    }

    var name: String
    var expected: Outcome
    var chain: [Certificate]
    var anchors: [Certificate]
    var host = DemoCase.host
    var pins: [SPKIPin] = []

    static let host = "api.example.com"

    /// What the engine says, now, and why.
    func evaluate() throws -> (found: Outcome, reason: String) {
        let pins = pins
        let validation = PathValidator(anchors: .only(anchors), memory: nil).validate(
            chain: chain, host: try Hostname(host), at: TestAuthority.now,
            isAcceptable: pins.isEmpty ? nil : { $0.failures(pinnedTo: pins) })
        switch validation {
        case .valid(let path):
            return (.trusted, "path: " + path.certificates.map(\.description).joined(separator: " < "))
        case .rejected(let rejection): return (.rejected(rejection.headline.code), rejection.headline.message)
        case nil: throw CommandFailure("demo: \(name): the chain is empty")
        }
    }
}

extension DemoCase {
    /// Makes a CA and has it issue one chain after the other. Nothing leaves memory.
    static func all() throws -> [DemoCase] {
        let lab = try Lab()
        return try [good(lab), leaves(lab), names(lab), issuers(lab), algorithms(lab)].flatMap { $0 }
    }

    /// The CA that the cases share.
    private struct Lab {
        let root: TestAuthority
        let intermediate: TestAuthority
        let leaf: TestIdentity

        init() throws {
            root = try TestAuthority.root(.authority("Demo Root"))
            intermediate = try root.intermediate(.authority("Demo CA"))
            leaf = try intermediate.issue(.leaf(DemoCase.host))
        }

        /// A case below the shared CA: a leaf that is changed in one way.
        func leafCase(
            _ name: String, _ expected: Outcome, key: TestKey = .p256(),
            _ change: (inout CertificateTemplate) -> Void = { _ in }
        ) throws -> DemoCase {
            let leaf = try intermediate.issue(.leaf(DemoCase.host).with(change), key: key)
            return chainCase(name, expected, [leaf.certificate, intermediate.certificate])
        }

        /// A case that ends in the shared root, or doesn't.
        func chainCase(_ name: String, _ expected: Outcome, _ chain: [Certificate]) -> DemoCase {
            DemoCase(name: name, expected: expected, chain: chain, anchors: [root.certificate])
        }
    }

    private static func good(_ lab: Lab) throws -> [DemoCase] {
        let rsaRoot = try TestAuthority.root(.authority("Demo RSA Root"), key: .rsa())
        let rsaLeaf = try rsaRoot.issue(.leaf(host), key: .rsa())
        let edRoot = try TestAuthority.root(.authority("Demo Ed25519 Root"), key: .ed25519())
        let edLeaf = try edRoot.issue(.leaf(host), key: .ed25519())
        let stranger = try TestAuthority.root(.authority("Stranger"))
        var pinned = lab.chainCase(
            "good, pinned to its CA", .trusted, [lab.leaf.certificate, lab.intermediate.certificate])
        pinned.pins = [SPKIPin(lab.intermediate.certificate)]
        return [
            lab.chainCase("good, P-256", .trusted, [lab.leaf.certificate, lab.intermediate.certificate]),
            DemoCase(
                name: "good, RSA", expected: .trusted, chain: [rsaLeaf.certificate], anchors: [rsaRoot.certificate]),
            DemoCase(
                name: "good, Ed25519", expected: .trusted, chain: [edLeaf.certificate], anchors: [edRoot.certificate]),
            lab.chainCase(
                "good, out of order, with a stranger", .trusted,
                [lab.leaf.certificate, lab.root.certificate, stranger.certificate, lab.intermediate.certificate]),
            pinned,
        ]
    }

    private static func leaves(_ lab: Lab) throws -> [DemoCase] {
        var missed = lab.chainCase(
            "pin missed", .rejected(.pinNotMatched), [lab.leaf.certificate, lab.intermediate.certificate])
        missed.pins = [SPKIPin(try TestAuthority.root(.authority("Somebody Else")).certificate)]
        return [
            try lab.leafCase("expired", .rejected(.certificateExpired)) {
                $0.notAfter = TestAuthority.now.advanced(by: -86_400)
            },
            try lab.leafCase("not yet valid", .rejected(.certificateNotYetValid)) {
                $0.notBefore = TestAuthority.now.advanced(by: 86_400)
            },
            try lab.leafCase("for e-mail, not for servers", .rejected(.extendedKeyUsageNotAllowed)) {
                $0.extendedKeyUsage = OID("1.3.6.1.5.5.7.3.4").map { [$0] }
            },
            lab.chainCase(
                "one bit of the leaf flipped", .rejected(.signatureInvalid),
                [try flipped(lab.leaf.certificate), lab.intermediate.certificate]),
            missed,
        ]
    }

    private static func names(_ lab: Lab) throws -> [DemoCase] {
        let limited = try lab.root.intermediate(
            .authority("Limited CA").with { $0.permittedDNSNames = ["example.org"] })
        let outside = try limited.issue(.leaf(host))
        return [
            try lab.leafCase("another host's", .rejected(.hostMismatch)) { $0.dnsNames = ["www.example.com"] },
            try lab.leafCase("IP address only, DNS name asked", .rejected(.hostMismatch)) {
                $0.dnsNames = []
                $0.ipAddresses = IPAddress("192.0.2.1").map { [$0] } ?? []
            },
            try lab.leafCase("common name only", .rejected(.subjectAlternativeNameMissing)) { $0.dnsNames = [] },
            try lab.leafCase("wildcard for a part of a label", .rejected(.hostMismatch)) {
                $0.dnsNames = ["a*.example.com"]
            },
            lab.chainCase(
                "outside its CA's name constraints", .rejected(.nameNotPermitted),
                [outside.certificate, limited.certificate]),
        ]
    }

    private static func issuers(_ lab: Lab) throws -> [DemoCase] {
        let selfSigned = try TestAuthority.selfSigned(.leaf(host))
        let otherRoot = try TestAuthority.root(.authority("Unknown Root"))
        let untrusted = try otherRoot.issue(.leaf(host))
        let noAuthority = try lab.root.intermediate(.authority("No CA").with { $0.isAuthority = false })
        let below = try noAuthority.issue(.leaf(host))
        let last = try lab.root.intermediate(.authority("Last CA").with { $0.maximumPathLength = 0 })
        let tooDeep = try last.intermediate(.authority("One Too Many"))
        let deepLeaf = try tooDeep.issue(.leaf(host))
        return [
            lab.chainCase("self-signed", .rejected(.selfSignedLeaf), [selfSigned.certificate]),
            lab.chainCase(
                "root not among the anchors", .rejected(.untrustedRoot), [untrusted.certificate, otherRoot.certificate]),
            lab.chainCase("intermediate not sent", .rejected(.unknownIssuer), [lab.leaf.certificate]),
            lab.chainCase(
                "issued by a certificate that is no CA", .rejected(.notCertificateAuthority),
                [below.certificate, noAuthority.certificate]),
            lab.chainCase(
                "one CA too many", .rejected(.pathLengthExceeded),
                [deepLeaf.certificate, tooDeep.certificate, last.certificate]),
        ]
    }

    private static func algorithms(_ lab: Lab) throws -> [DemoCase] {
        let rsaRoot = try TestAuthority.root(.authority("Demo RSA Root"), key: .rsa())
        let sha1 = try rsaRoot.issue(.leaf(host).with { $0.signsWithSHA1 = true })
        return [
            DemoCase(
                name: "signed with SHA-1", expected: .rejected(.signatureUsesSHA1), chain: [sha1.certificate],
                anchors: [rsaRoot.certificate]),
            try lab.leafCase("RSA key of 1024 bits", .rejected(.rsaKeyTooSmall), key: .rsa(bits: 1024)),
        ]
    }

    /// The same certificate with one bit of its subject changed: it still parses, and its names still match.
    private static func flipped(_ certificate: Certificate) throws -> Certificate {
        var der = certificate.der
        let host = Array(host.utf8)
        // In the subject's common name: `api` becomes `aph`.
        guard let index = der.indices.dropLast(host.count).first(where: { Array(der[$0..<$0 + host.count]) == host })
        else {
            throw CommandFailure("demo: no host name in the leaf")
        }
        der[index + 2] ^= 1
        return try Certificate(der: der)
    }
}
