// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A trust object: a presented chain, the host that the connection goes to, and the settings of the evaluation. It
/// corresponds to `SecTrust`, but is a value.
///
/// ```swift
/// let trust = Trust(presentedChain: chain, host: try Hostname("api.example.com"))
/// let verdict = trust.evaluate()            // synchronous, no network
/// guard verdict.isTrusted else { print(verdict); return }
/// ```
///
/// Defaults: the rules of the public web, server authentication, the leaf valid for the host, the system's anchors, the
/// current date.
///
/// Not checked by default: Certificate Transparency (set ``TrustSettings/transparency``) and revocation (set
/// ``TrustSettings/revocation``). The verdict lists both. If the server staples or you supply evidence that a
/// certificate is revoked, the evaluation refuses it in any case.
@dynamicMemberLookup
public struct Trust: Sendable {
    /// The certificates that the server sent.
    public var presentedChain: PresentedChain

    /// The host that the connection goes to. Exceptions are bound to it, and a ``ServerTrustManager`` uses it to find
    /// the rule. nil for a peer without a host.
    public let host: Hostname?

    /// The settings of the evaluation. Each setting is also a property of the trust object: `trust.anchors` is `trust.settings.anchors`.
    public var settings: TrustSettings

    /// The failures that an evaluator of this package excuses because it pins the certificate itself.
    var exemption = Exemption.none

    /// Whether an evidence source runs the evaluation and fetches the evidence that the verdict lacks.
    var isFetching = false

    /// Creates a trust object.
    /// - Parameters:
    ///   - presentedChain: the certificates that the server sent.
    ///   - host: the host that the connection goes to.
    ///   - settings: the settings of the evaluation.
    public init(presentedChain: PresentedChain, host: Hostname, settings: TrustSettings = TrustSettings()) {
        self.presentedChain = presentedChain
        self.host = host
        self.settings = settings
    }

    /// Creates a trust object with default settings.
    /// - Parameters:
    ///   - presentedChain: the certificates that the server sent, leaf first.
    ///   - host: the host that the connection goes to.
    public init(presentedChain: [Certificate], host: Hostname) {
        self.init(presentedChain: PresentedChain(presentedChain), host: host)
    }

    /// Creates a trust object for a peer without a known name, such as a client's certificate or a chain in a file. The
    /// evaluation checks its names only if ``TrustSettings/identity`` contains one. You can't create exceptions for it.
    public init(insecurelyWithoutHost presentedChain: PresentedChain) {
        self.presentedChain = presentedChain
        self.host = nil
        self.settings = TrustSettings()
    }

    /// Creates a trust object for a peer whose name may be unknown. Without a host, its names aren't checked.
    package init(presentedChain: PresentedChain, optionalHost: Hostname?, settings: TrustSettings) {
        self.presentedChain = presentedChain
        self.host = optionalHost
        self.settings = settings
    }

    /// The name that the leaf has to be valid for, or nil to accept any name.
    package var referenceName: Hostname? {
        switch settings.identity {
        case .connectedHost: host
        case .name(let name): name
        case .insecurelyAnyName: nil
        }
    }

    /// Applies exceptions if they are for this host and this leaf and haven't expired.
    /// - Returns: whether the exceptions apply. If they don't, nothing changes, and earlier exceptions remain. The
    ///   evaluation determines whether they cover the failures.
    @discardableResult
    public mutating func setExceptions(_ exceptions: TrustExceptions) -> TrustExceptions.Fit {
        let fit = exceptions.fit(host: host, leaf: presentedChain.leaf, at: settings.verifyDate.time)
        if fit == .fits { settings.exceptions = exceptions }
        return fit
    }

    /// The exceptions that apply to this host, leaf and date, or nil if there aren't any.
    var applicableExceptions: TrustExceptions? {
        guard let exceptions = settings.exceptions,
            exceptions.fit(host: host, leaf: presentedChain.leaf, at: settings.verifyDate.time) == .fits
        else { return nil }
        return exceptions
    }

    /// The setting at the key path.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<TrustSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }

    /// The failures that an evaluator excuses.
    enum Exemption: Sendable, Hashable {
        case none
        /// Every recoverable failure of a leaf that is its own anchor, except those of its name.
        case allButIdentity
        /// Every recoverable failure of a leaf that is its own anchor.
        case all

        func covers(_ failure: TrustFailure) -> Bool {
            switch self {
            case .none: false
            case .allButIdentity: failure.code != .hostMismatch && failure.code != .subjectAlternativeNameMissing
            case .all: true
            }
        }
    }

    /// Whether paths are validated in the same way for both, apart from certificates, date and evidence.
    func isValidated(as other: Trust) -> Bool {
        exemption == other.exemption && settings.validatesPaths(as: other.settings)
    }
}
