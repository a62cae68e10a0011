// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The pin list that is built into an app.
///
/// Its pins apply until the store accepts a newer list, and its signers decide which lists are accepted. An older list
/// never comes into force.
///
/// ```swift
/// let builtIn = BuiltInPinList(
///     audience: "com.example.app", configuration: pins,
///     signers: try PinSigners([office, safe], threshold: 1), sequence: 12, issued: try Time(rfc3339: "2026-11-21T09:30:00Z"))
/// ```
public struct BuiltInPinList: Sendable {
    /// The contents. The sequence number is 0 if the list has none. Clients don't accept lists with this number or a
    /// lower one, or lists that were issued earlier. A clock that shows an earlier time is wrong.
    let contents: PinList
    /// The document with the list, or nil if the list was created from its contents.
    let document: SignedPinList?
    /// The hosts that each accepted list has to pin.
    let alwaysPinned: AlwaysPinnedHosts

    /// The app's name in lists.
    package var audience: String { contents.audience }
    /// The signers of the first accepted list.
    public let signers: PinSigners
    /// The root keys, or nil if the signers name their successors themselves. Root keys have to sign each list that
    /// changes the signers or the root keys.
    public let root: PinSigners?

    /// Creates a list from its contents.
    /// - Parameters:
    ///   - audience: the app's name in lists.
    ///   - configuration: the hosts and pins.
    ///   - deniedKeys: the keys that no path may contain.
    ///   - signers: the signers of the first accepted list.
    ///   - root: the root keys, which have to sign each list that changes the signers or the root keys. None of them
    ///     may be a signer. No list can take this power away from them. Nil if the signers name their successors
    ///     themselves.
    ///   - sequence: the sequence number of the list, or 0 for none.
    ///   - issued: the time at which the list was issued, or the app was built.
    ///   - alwaysPinned: the hosts that this list and each accepted list have to pin. Each needs an enforced rule that
    ///     doesn't expire into an unpinned host and has no anchors that override pins. A list that loosens one of these
    ///     pins is refused as a whole.
    public init(
        audience: String, configuration: PinConfiguration, deniedKeys: Set<SPKIPin> = [], signers: PinSigners,
        root: PinSigners? = nil, sequence: Int = 0, issued: Time, alwaysPinned: [HostPattern] = []
    ) {
        // The dates of a built-in list don't matter, except its issue.
        let contents = PinList(
            audience: audience, sequence: sequence, issued: issued, notBefore: issued, expires: issued,
            configuration: configuration, deniedKeys: deniedKeys, signers: signers, denied: nil, root: root, logs: nil,
            filters: nil)
        self.init(contents, nil, alwaysPinned)
    }

    /// Creates a list from a signed document that is part of the app. The signatures aren't checked, because the app
    /// vouches for the document.
    /// - Parameters:
    ///   - list: the document.
    ///   - alwaysPinned: the hosts that this list and each accepted list have to pin
    ///     (``init(audience:configuration:deniedKeys:signers:root:sequence:issued:alwaysPinned:)``).
    /// - Throws: ``PinListError`` if the contents can't be read.
    public init(_ list: SignedPinList, alwaysPinned: [HostPattern] = []) throws(PinListError) {
        self.init(try list.unverifiedList(), list, alwaysPinned)
    }

    private init(_ contents: PinList, _ document: SignedPinList?, _ alwaysPinned: [HostPattern]) {
        self.contents = contents
        self.document = document
        self.alwaysPinned = AlwaysPinnedHosts(patterns: alwaysPinned)
        signers = contents.signers
        root = contents.root
    }

    /// Checks the built-in list itself.
    /// - Throws: ``PinListError`` if the list doesn't pin a host that is always pinned, or if a signer is also a root
    ///   key.
    func check() throws(PinListError) {
        guard root?.isDisjoint(with: signers) != false else {
            throw PinListError(
                .pinListInvalid, "a key is both a signer and a root key of the built-in list, expected only one of them"
            )
        }
        do throws(PinListError) {
            try alwaysPinned.check(contents.configuration)
        } catch {
            throw PinListError(
                error.code, "the built-in list: \(error.message)", at: error.place, expected: error.expected,
                found: error.found)
        }
    }

    /// Verifies a document as an app would that has only this built-in list.
    /// - Parameters:
    ///   - document: the list with its signatures.
    ///   - now: the clock's time.
    ///   - makeManager: creates the rules for the list's pins, like the parameter of the app's ``PinStore``. If it
    ///     throws for a list, that list isn't accepted.
    /// - Returns: the list's contents.
    /// - Throws: the first ``PinListError`` that applies. Errors in this built-in list come first.
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
    /// Returns a manager with the rules for the list's pins.
    /// - Parameter makeManager: creates the rules, like the parameter of a ``PinStore``.
    /// - Throws: ``PinListError`` (`ErrorCode.pinListPinsInvalid`) if the pins can't be enforced: a rule for any host,
    ///   anchors in a missing resource, anchors for all hosts.
    public func manager(
        _ makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager = { try $0.serverTrustManager() }
    ) throws(PinListError) -> ServerTrustManager {
        do {
            return try makeManager(configuration)
        } catch {
            throw PinListError(.pinListPinsInvalid, "the pins can't be enforced: \(error)")
        }
    }
}
