// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires one of these certificates, byte for byte, in the validated path.
///
/// You have to replace a pinned certificate in the app before the server or the CA renews it. Pins on keys last longer:
/// see ``SPKIPinsTrustEvaluator``.
public struct PinnedCertificatesTrustEvaluator: BuiltInTrustEvaluator {
    /// The pinned certificates in the caller's order, at least one and without duplicates.
    let certificates: [Certificate]
    /// Whether the certificates are the only anchors.
    let acceptSelfSigned: Bool
    /// Whether a path must be valid apart from the pin.
    let performDefaultValidation: Bool
    /// The name that replaces the trust object's, or nil to keep the trust object's.
    private let identity: ReferenceIdentity?

    private let duplicates: [String]
    private let pinned: Set<Certificate>
    private let anchors: TrustAnchors

    /// Creates an evaluator.
    /// - Parameters:
    ///   - certificates: leaf, intermediates or roots.
    ///   - acceptSelfSigned: makes these certificates the only anchors for the host, instead of the system's. A
    ///     self-signed certificate or a certificate of a private CA is then accepted. Dates, names and purpose are
    ///     still checked.
    ///   - performDefaultValidation: false excuses failures of a leaf that is itself pinned: it has expired, its issuer
    ///     is unknown, or it is for another purpose. Fatal failures of the leaf, such as its signature algorithm or
    ///     key, aren't excused. Its name isn't excused if `validateHost` is true. Refusals by other evaluators, for a
    ///     denied certificate or for revocation, aren't excused either. The verdict lists the excused failures and is
    ///     ``TrustResultType/proceed``. For a leaf below a pinned CA, only the anchors change: they are the pinned
    ///     certificates.
    ///   - validateHost: false accepts the pinned certificate under any name.
    /// - Throws: ``TrustEvaluatorError`` for an empty list. A certificate that occurs twice counts once, and verdicts
    ///   contain a warning.
    public init(
        certificates: [Certificate], acceptSelfSigned: Bool = false, performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) throws(TrustEvaluatorError) {
        try self.init(
            certificates, acceptSelfSigned, performDefaultValidation, validateHost ? nil : .insecurelyAnyName)
    }

    /// Creates an evaluator for a server whose certificate has another name than the connection's host. See
    /// ``init(certificates:acceptSelfSigned:performDefaultValidation:validateHost:)``.
    /// - Parameters:
    ///   - certificates: leaf, intermediates or roots.
    ///   - acceptSelfSigned: makes these certificates the only anchors for the host.
    ///   - performDefaultValidation: false excuses failures of a leaf that is itself pinned, except a wrong name.
    ///   - name: the name that the leaf must be valid for, instead of the connection's host and
    ///     ``TrustSettings/identity``.
    /// - Throws: ``TrustEvaluatorError`` for an empty list.
    public init(
        certificates: [Certificate], acceptSelfSigned: Bool = false, performDefaultValidation: Bool = true,
        expecting name: Hostname
    ) throws(TrustEvaluatorError) {
        try self.init(certificates, acceptSelfSigned, performDefaultValidation, .name(name))
    }

    private init(
        _ certificates: [Certificate], _ acceptSelfSigned: Bool, _ performDefaultValidation: Bool,
        _ identity: ReferenceIdentity?
    ) throws(TrustEvaluatorError) {
        let list = try UniqueList(required: certificates)
        self.certificates = list.elements
        self.duplicates = list.warnings
        self.pinned = Set(list.elements)
        self.acceptSelfSigned = acceptSelfSigned
        self.performDefaultValidation = performDefaultValidation
        self.identity = identity
        self.anchors = .only(list.elements)
    }

    /// Refuses a path without a pinned certificate.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    /// True: the result depends only on the path.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }
    var configurationWarnings: [String] { duplicates }

    func variants(of trust: Trust) -> [Trust]? {
        var trust = trust.identified(by: identity)
        let anchors = trust.settings.anchors.replaced(by: self.anchors)
        if acceptSelfSigned { trust.settings.anchors = anchors }
        guard !performDefaultValidation else { return [trust] }
        if let leaf = trust.presentedChain.leaf, pinned.contains(leaf) {
            trust.exemption = identity == .insecurelyAnyName ? .all : .allButIdentity
        } else {
            trust.settings.anchors = anchors
        }
        return [trust]
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        for (index, certificate) in path.certificates.enumerated() where pinned.contains(certificate) {
            return EvaluatorOutcome(
                matchedPin: MatchedPin(.certificate, sha256: certificate.sha256, certificate: index))
        }
        return EvaluatorOutcome(failures: [
            .pinNotMatched(
                .certificateNotPinned, expected: certificates.map(\.fingerprint),
                found: path.certificates.map(\.fingerprint))
        ])
    }
}

extension Certificate {
    /// The certificate's SHA-256 as text for a failure: `sha256/BASE64`.
    var fingerprint: String { "sha256/" + Base64.encode(sha256) }
}

/// The elements of a list without duplicates. For example, a `.cer` and a `.pem` file can contain the same certificate,
/// and a renewed certificate can keep its key.
struct UniqueList<Element: Hashable & Sendable>: Sendable {
    /// The elements in the caller's order.
    let elements: [Element]
    /// One line for each repeated element.
    let warnings: [String]

    /// Creates a list without duplicates.
    /// - Parameter name: the name of an element, for warnings.
    init(_ list: [Element], _ name: String) {
        var places: [Element: Int] = [:]
        var elements: [Element] = []
        var warnings: [String] = []
        for (index, element) in list.enumerated() {
            if let first = places[element] {
                warnings.append("\(name) \(index) in the list is the same as \(name) \(first), and counts once")
            } else {
                places[element] = index
                elements.append(element)
            }
        }
        self.elements = elements
        self.warnings = warnings
    }
}

extension UniqueList<Certificate> {
    /// Creates a list of required certificates.
    /// - Throws: ``TrustEvaluatorError`` for an empty list.
    init(required certificates: [Certificate]) throws(TrustEvaluatorError) {
        guard !certificates.isEmpty else { throw TrustEvaluatorError(.evaluatorCertificatesMissing) }
        self.init(certificates, "certificate")
    }
}
