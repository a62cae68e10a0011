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
    package let signers: PinSigners
    /// The sequence number of the built-in list. Lists with this number or a lower one are not accepted.
    package let sequence: Int
    /// The time at which the built-in list was issued. No list that was issued before is accepted, and a clock before it is wrong.
    package let issued: Time
    /// The payload of the document that the list was made from; nil for none.
    let payload: String?

    /// Creates a list from its contents.
    /// - Parameters:
    ///   - audience: the app, as lists name it.
    ///   - configuration: the hosts and pins.
    ///   - deniedKeys: the keys that no path may contain.
    ///   - signers: the signers of the first accepted list.
    ///   - sequence: the sequence number of the list; 0 for none.
    ///   - issued: the time at which the list was issued, or the app was built.
    public init(
        audience: String, configuration: PinConfiguration, deniedKeys: Set<SPKIPin> = [], signers: PinSigners,
        sequence: Int = 0, issued: Time
    ) {
        self.audience = audience
        self.configuration = configuration
        self.deniedKeys = deniedKeys
        self.signers = signers
        self.sequence = sequence
        self.issued = issued
        self.payload = nil
    }

    /// Creates a list from a signed document that is part of the app. Its signatures are not checked, as the app vouches for it.
    /// - Throws: ``PinListError`` if the contents can't be read.
    public init(_ list: SignedPinList) throws(PinListError) {
        let contents = try list.unverifiedList()
        audience = contents.audience
        configuration = contents.configuration
        deniedKeys = contents.deniedKeys
        signers = contents.signers
        sequence = contents.sequence
        issued = contents.issued
        payload = list.payload
    }

    /// Verifies a document as an app does that has this built-in list and no other.
    /// - Parameters:
    ///   - document: the list with its signatures.
    ///   - now: the time of the clock.
    ///   - makeManager: creates the rules of the list's pins, as that of the app's ``PinStore``; a list for which it throws is not accepted.
    /// - Returns: the list's contents.
    /// - Throws: ``PinListError``, the first that applies.
    public func verify(
        _ document: SignedPinList, at now: Time = .now(),
        makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager = { try $0.serverTrustManager() }
    ) throws(PinListError) -> PinList {
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
    /// - Throws: ``PinListError`` (`PinListError.Code.pinsInvalid`) if the pins can't be enforced: a rule for any host, anchors in a
    ///   missing resource, anchors for all hosts.
    public func manager(
        _ makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager = { try $0.serverTrustManager() }
    ) throws(PinListError) -> ServerTrustManager {
        do {
            return try makeManager(configuration)
        } catch {
            throw PinListError(.pinsInvalid, "the pins can not be enforced: \(error)")
        }
    }
}
