// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The pin list that is built into an app: its pins apply until a newer list is accepted, and its signers decide which lists are.
/// Nothing older ever comes into force.
///
/// ```swift
/// let builtIn = BuiltInPinList(
///     audience: "com.example.app", configuration: pins,
///     signers: try PinSigners([office, safe], threshold: 1), sequence: 12, issued: try Time(rfc3339: "2026-11-21T09:30:00Z"))
/// ```
public struct BuiltInPinList: Sendable {
    /// The app, as lists name it.
    package let audience: String
    /// The hosts and pins.
    package let configuration: PinConfiguration
    /// The keys that no path may contain.
    package let deniedKeys: Set<SPKIPin>
    /// The signers of the first accepted list.
    public let signers: PinSigners
    /// The keys that have to sign a list with other signers or other root keys; nil if the signers name their successors themselves.
    public let root: PinSigners?
    /// The sequence number of the built-in list. Lists with this number or a lower one are not accepted.
    package let sequence: Int
    /// The time at which the built-in list was issued. No list that was issued before is accepted, and a clock before it is wrong.
    package let issued: Time
    /// The hosts that each accepted list has to pin.
    let alwaysPinned: AlwaysPinnedHosts
    /// The Certificate Transparency logs; nil for none.
    let logs: PinListLogs?
    /// The lists of denied certificates; nil for none.
    let denied: PinListDenied?
    /// The manifest of filters of revoked certificates; nil for none.
    let filters: PinListFilters?
    /// The document that the list was made from; nil for none.
    let document: SignedPinList?

    /// Creates a list from its contents.
    /// - Parameters:
    ///   - audience: the app, as lists name it.
    ///   - configuration: the hosts and pins.
    ///   - deniedKeys: the keys that no path may contain.
    ///   - signers: the signers of the first accepted list.
    ///   - root: the keys that have to sign a list with other signers or other root keys, none of them a signer; nil if the signers name
    ///     their successors themselves. No list takes that power from them.
    ///   - sequence: the sequence number of the list; 0 for none.
    ///   - issued: the time at which the list was issued, or the app was built.
    ///   - alwaysPinned: the hosts that each accepted list, and this one, has to pin: by an enforced rule without an expiry after which
    ///     they are unpinned, and without anchors that override pins. A list that loosens one of them is refused as a whole.
    public init(
        audience: String, configuration: PinConfiguration, deniedKeys: Set<SPKIPin> = [], signers: PinSigners,
        root: PinSigners? = nil, sequence: Int = 0, issued: Time, alwaysPinned: [HostPattern] = []
    ) {
        self.audience = audience
        self.configuration = configuration
        self.deniedKeys = deniedKeys
        self.signers = signers
        self.root = root
        self.alwaysPinned = AlwaysPinnedHosts(patterns: alwaysPinned)
        self.sequence = sequence
        self.issued = issued
        self.logs = nil
        self.denied = nil
        self.filters = nil
        self.document = nil
    }

    /// Creates a list from a signed document that is part of the app. Its signatures are not checked, as the app vouches for it.
    /// - Parameters:
    ///   - list: the document.
    ///   - alwaysPinned: the hosts that each accepted list, and this one, has to pin
    ///     (``init(audience:configuration:deniedKeys:signers:root:sequence:issued:alwaysPinned:)``).
    /// - Throws: ``PinListError`` if the contents can't be read.
    public init(_ list: SignedPinList, alwaysPinned: [HostPattern] = []) throws(PinListError) {
        let contents = try list.unverifiedList()
        audience = contents.audience
        configuration = contents.configuration
        deniedKeys = contents.deniedKeys
        signers = contents.signers
        root = contents.root
        self.alwaysPinned = AlwaysPinnedHosts(patterns: alwaysPinned)
        sequence = contents.sequence
        issued = contents.issued
        logs = contents.logs
        denied = contents.denied
        filters = contents.filters
        document = list
    }

    /// Checks the list itself.
    /// - Throws: ``PinListError`` if it doesn't pin a host that is always pinned, or if a signer is a root key.
    func check() throws(PinListError) {
        guard root?.isDisjoint(with: signers) != false else {
            throw PinListError(
                .pinListInvalid, "a key is both a signer and a root key of the built-in list, expected either")
        }
        do throws(PinListError) {
            try alwaysPinned.check(configuration)
        } catch {
            throw PinListError(
                error.code, "the built-in list: \(error.message)", at: error.place, expected: error.expected,
                found: error.found)
        }
    }

    /// Verifies a document as an app does that has this built-in list and no other.
    /// - Parameters:
    ///   - document: the list with its signatures.
    ///   - now: the time of the clock.
    ///   - makeManager: creates the rules of the list's pins, as that of the app's ``PinStore``; a list for which it throws is not accepted.
    /// - Returns: the list's contents.
    /// - Throws: ``PinListError``, the first that applies; those of this list itself come first.
    public func verify(
        _ document: SignedPinList, at now: Time = .now(),
        makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager = { try $0.serverTrustManager() }
    ) throws(PinListError) -> PinList {
        try check()
        var listState = PinListState(self)
        switch try listState.accept(document, at: now) {
        case .newer(let list), .unchanged(let list):
            _ = try list.manager(makeManager)
            return list
        }
    }
}

extension PinList {
    /// Returns a manager with the rules of the list's pins.
    /// - Parameter makeManager: as that of a ``PinStore``.
    /// - Throws: ``PinListError`` (`ErrorCode.pinListPinsInvalid`) if the pins can't be enforced: a rule for any host, anchors in a
    ///   missing resource, anchors for all hosts.
    public func manager(
        _ makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager = { try $0.serverTrustManager() }
    ) throws(PinListError) -> ServerTrustManager {
        do {
            return try makeManager(configuration)
        } catch {
            throw PinListError(.pinListPinsInvalid, "the pins can not be enforced: \(error)")
        }
    }
}
