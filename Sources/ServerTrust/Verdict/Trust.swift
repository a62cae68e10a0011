// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The trust object: a presented chain, the host it was presented for, and everything that decides whether to trust it. As
/// `SecTrust`, but a value.
///
/// ```swift
/// let trust = Trust(presentedChain: chain, host: try Hostname("api.example.com"))
/// let verdict = trust.evaluate()            // synchronous, no network
/// guard verdict.isTrusted else { print(verdict); return }
/// ```
///
/// Unless told otherwise: the rules of the public web, server authentication, the leaf valid for the host, the system's
/// anchors, now.
///
/// Not checked: certificate transparency and, unless ``revocation`` says so, revocation; the verdict says so.
public struct Trust: Sendable {
    /// What the server sent.
    public var presentedChain: PresentedChain

    /// The host that the connection goes to: exceptions are bound to it, and a ``ServerTrustManager`` finds its rule by it.
    public let host: Hostname?

    /// The name that the leaf is held against.
    public var identity = ReferenceIdentity.connectedHost

    /// Profile, purpose, strictness, certificate policies and budget.
    public var policy = ValidationPolicy()

    /// What trust ends in.
    public var anchors = TrustAnchors.system

    /// Further candidates for path building, such as an intermediate that the server forgets to send. They gain no trust by it.
    public var intermediates: [Certificate] = []

    /// The date that is asked about.
    public var verifyDate = VerifyDate.now

    /// Whether certificates have to be checked for having been withdrawn.
    public var revocation = RevocationCheck.off

    /// What counts as an answer: OCSP and CRLs for the whole path unless told otherwise. Whether a positive answer is needed follows
    /// from ``revocation``.
    public var revocationRules = RevocationRules()

    /// Whether a client that can fetch may fetch what is missing. Evaluation itself never does.
    public var allowsRevocationFetching = true

    /// What is known about it beside the staple.
    public var revocationData = RevocationData()

    /// The OCSP response of the handshake, or that there was none.
    public var staple = StapleState.unknown

    /// Where good signatures are remembered; nil to verify each one every time.
    public var signatureMemory: SignatureMemory? = .shared

    /// What was agreed to beforehand; see ``setExceptions(_:)``.
    public private(set) var exceptions: TrustExceptions?

    /// What an evaluator of this package lets pass because the certificate itself is pinned.
    var exemption = Exemption.none

    /// The operating system's evaluator, which stands in for the engine where trust ends in the system's anchors; nil for the
    /// engine.
    package var systemEvaluator: (any SystemEvaluator)?

    /// - Parameters:
    ///   - presentedChain: what the server sent.
    ///   - host: the host that the connection goes to.
    public init(presentedChain: PresentedChain, host: Hostname) {
        self.presentedChain = presentedChain
        self.host = host
    }

    /// - Parameters:
    ///   - presentedChain: what the server sent, leaf first.
    ///   - host: the host that the connection goes to.
    public init(presentedChain: [Certificate], host: Hostname) {
        self.init(presentedChain: PresentedChain(presentedChain), host: host)
    }

    /// A trust object for a peer whose name nobody asked for: a client that shows a certificate, a chain in a file. Its names
    /// aren't checked unless ``identity`` says which, and exceptions can't be made.
    public init(insecurelyWithoutHost presentedChain: PresentedChain) {
        self.presentedChain = presentedChain
        self.host = nil
    }

    /// The name that the leaf has to be valid for; nil if any will do.
    public var referenceName: Hostname? {
        switch identity {
        case .connectedHost: host
        case .name(let name): name
        case .insecurelyAnyName: nil
        }
    }

    /// Applies what was agreed to before, if it is about this host and this leaf and hasn't run out.
    /// - Returns: whether it fits; if not, nothing is changed, and exceptions that were set before stay. Whether it covers
    ///   what is wrong is found out by evaluating.
    @discardableResult
    public mutating func setExceptions(_ exceptions: TrustExceptions) -> TrustExceptions.Fit {
        let fit = exceptions.fit(host: host, leaf: presentedChain.leaf, at: verifyDate.time)
        if fit == .fits { self.exceptions = exceptions }
        return fit
    }

    /// Applies what a store has for this host and this leaf.
    /// - Returns: whether it fits; nil if there is nothing.
    @discardableResult
    public mutating func setExceptions(from store: ExceptionStore) -> TrustExceptions.Fit? {
        guard let host, let leaf = presentedChain.leaf, let agreed = store.exceptions(for: host, leaf: leaf) else {
            return nil
        }
        return setExceptions(agreed)
    }

    /// Forgets exceptions.
    public mutating func removeExceptions() { exceptions = nil }

    /// Evaluates now, on this thread, without network.
    public func evaluate() -> TrustVerdict { Evaluation(trust: self, evaluator: nil).verdict() }

    /// The verdict, which says that the peer is to be trusted.
    /// - Throws: the headline of what is wrong otherwise; ``evaluate()`` tells all of it.
    @discardableResult
    public func requireTrusted() throws(TrustFailure) -> TrustVerdict {
        let verdict = evaluate()
        try verdict.requireTrusted()
        return verdict
    }

    /// What an evaluator lets pass.
    enum Exemption: Sendable, Hashable {
        case none
        /// Everything recoverable about a leaf that is its own anchor, but its name.
        case allButIdentity
        /// Everything recoverable about a leaf that is its own anchor.
        case all

        func covers(_ failure: TrustFailure) -> Bool {
            switch self {
            case .none: false
            case .allButIdentity: failure.code != .hostMismatch && failure.code != .subjectAlternativeNameMissing
            case .all: true
            }
        }
    }

    /// Whether a path is validated in the same way for both; chain and date are left aside.
    func isValidated(as other: Trust) -> Bool {
        identity == other.identity && exemption == other.exemption && anchors.isSame(as: other.anchors)
            && revocation == other.revocation && revocationRules == other.revocationRules
            && allowsRevocationFetching == other.allowsRevocationFetching
    }
}
