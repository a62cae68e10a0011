// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires one of these certificates, byte for byte, in the validated path.
///
/// A pinned leaf has to be replaced in the app before the server renews it, a pinned CA certificate before the CA renews it. Pins of
/// keys last longer: ``SPKIPinsTrustEvaluator``.
public struct PinnedCertificatesTrustEvaluator: BuiltInTrustEvaluator {
    /// The pinned certificates, in the order given; never empty, none twice.
    package let certificates: [Certificate]
    /// Whether the certificates are the only anchors.
    package let acceptSelfSigned: Bool
    /// Whether a path has to be valid apart from the pin.
    package let performDefaultValidation: Bool
    /// The name in place of the trust object's; nil to keep that.
    private let identity: ReferenceIdentity?

    private let duplicates: [String]
    private let pinned: Set<Certificate>
    private let anchors: TrustAnchors

    /// Creates an evaluator.
    /// - Parameters:
    ///   - certificates: leaf, intermediates or roots.
    ///   - acceptSelfSigned: makes these certificates the only anchors for the host, in place of the system's. A self-signed
    ///     certificate or one of a private CA is then accepted; dates, names and purpose are still checked.
    ///   - performDefaultValidation: false excuses failures of a leaf that is itself pinned: it has expired, its issuer is unknown, or it is
    ///     for another purpose. Not excused: fatal failures of the leaf, such as its signature algorithm or key; its name, if
    ///     `validateHost` is true; and refusals by other evaluators, for a denied certificate or for revocation. The verdict lists the excused
    ///     failures and is ``TrustResultType/proceed``. For a leaf below a pinned CA, only the anchors change: they are the pinned
    ///     certificates.
    ///   - validateHost: false accepts the pinned certificate under any name.
    /// - Throws: ``TrustEvaluatorError`` for an empty list. A certificate that occurs twice counts once, and the verdicts have a
    ///   warning.
    public init(
        certificates: [Certificate], acceptSelfSigned: Bool = false, performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) throws(TrustEvaluatorError) {
        try self.init(
            certificates, acceptSelfSigned, performDefaultValidation, validateHost ? nil : .insecurelyAnyName)
    }

    /// Creates an evaluator for a server that is known by another name than the connection's host. See
    /// ``init(certificates:acceptSelfSigned:performDefaultValidation:validateHost:)``.
    /// - Parameters:
    ///   - certificates: leaf, intermediates or roots.
    ///   - acceptSelfSigned: makes these certificates the only anchors for the host.
    ///   - performDefaultValidation: false excuses failures of a leaf that is itself pinned, apart from those of its name.
    ///   - name: the name that the leaf has to be valid for, in place of the connection's host and of ``TrustSettings/identity``.
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

    /// True: the result depends on the path alone.
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
    /// The certificate's SHA-256 as text, for a failure: `sha256/BASE64`.
    var fingerprint: String { "sha256/" + Base64.encode(sha256) }
}

/// The elements of a list, each once: the certificate of a `.cer` and a `.pem` file, the key that a renewed certificate has kept.
struct UniqueList<Element: Hashable & Sendable>: Sendable {
    /// The elements in the order given.
    let elements: [Element]
    /// A line for each element that was given again.
    let warnings: [String]

    /// - Parameter name: the name of an element, for warnings.
    init(_ list: [Element], _ name: String) {
        var places: [Element: Int] = [:]
        var elements: [Element] = []
        var warnings: [String] = []
        for (index, element) in list.enumerated() {
            if let first = places[element] {
                warnings.append("\(name) \(index) of the list is the same as \(name) \(first), and counts once")
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
    /// - Throws: ``TrustEvaluatorError`` for an empty list.
    init(required certificates: [Certificate]) throws(TrustEvaluatorError) {
        guard !certificates.isEmpty else { throw TrustEvaluatorError(.evaluatorCertificatesMissing) }
        self.init(certificates, "certificate")
    }
}
