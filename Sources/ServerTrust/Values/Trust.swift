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
@dynamicMemberLookup
public struct Trust: Sendable {
    /// What the server sent.
    public var presentedChain: PresentedChain

    /// The host that the connection goes to: exceptions are bound to it, and a ``ServerTrustManager`` finds its rule by it.
    public let host: Hostname?

    /// Everything else that decides. Each setting can be read and written by its name on the trust object as well: `trust.anchors`.
    public var settings: TrustSettings

    /// What an evaluator of this package lets pass because the certificate itself is pinned.
    var exemption = Exemption.none

    /// Creates a trust object.
    /// - Parameters:
    ///   - presentedChain: the certificates that the server sent.
    ///   - host: the host that the connection goes to.
    ///   - settings: the settings of the evaluation; the defaults unless given.
    public init(presentedChain: PresentedChain, host: Hostname, settings: TrustSettings = TrustSettings()) {
        self.presentedChain = presentedChain
        self.host = host
        self.settings = settings
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
        self.settings = TrustSettings()
    }

    /// Creates a trust object for a peer whose name may be unknown: without a host its names aren't checked.
    package init(presentedChain: PresentedChain, optionalHost: Hostname?, settings: TrustSettings) {
        self.presentedChain = presentedChain
        self.host = optionalHost
        self.settings = settings
    }

    /// The name that the leaf has to be valid for; nil if any will do.
    public var referenceName: Hostname? {
        switch settings.identity {
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
        let fit = exceptions.fit(host: host, leaf: presentedChain.leaf, at: settings.verifyDate.time)
        if fit == .fits { settings.exceptions = exceptions }
        return fit
    }

    /// The exceptions that hold for this host, leaf and date; nil for none.
    var applicableExceptions: TrustExceptions? {
        guard let exceptions = settings.exceptions,
            exceptions.fit(host: host, leaf: presentedChain.leaf, at: settings.verifyDate.time) == .fits
        else { return nil }
        return exceptions
    }

    /// The setting of a name.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<TrustSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }

    /// Forgets exceptions.
    public mutating func removeExceptions() { settings.exceptions = nil }

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

    /// Whether a path is validated in the same way for both; certificates, date and evidence aside.
    func isValidated(as other: Trust) -> Bool {
        exemption == other.exemption && settings.validatesPaths(as: other.settings)
    }
}
