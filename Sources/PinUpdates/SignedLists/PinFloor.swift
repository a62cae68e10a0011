// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// What an app is built with: the pins that count until a newer list is accepted, and whose lists are accepted at all. Nothing older ever
/// comes into force.
///
/// ```swift
/// let floor = PinFloor(
///     audience: "com.example.app", configuration: pins,
///     signers: try PinSigners([office, safe], threshold: 1), sequence: 12, issued: try Time(rfc3339: "2026-11-21T09:30:00Z"))
/// ```
public struct PinFloor: Sendable {
    /// The app, as lists name it.
    public let audience: String
    public let configuration: PinConfiguration
    public let deniedKeys: Set<SPKIPin>
    /// Who signs the first list that comes.
    public let signers: PinSigners
    /// Lists with this number or a lower one are older than the app.
    public let sequence: Int
    /// When what the app is built with was written: no list that was issued before is accepted, and a clock that says less is wrong.
    public let issued: Time
    /// The document that it was made from, as far as it was.
    let payload: String?

    /// - Parameters:
    ///   - audience: the app, as lists name it.
    ///   - configuration: hosts and pins.
    ///   - deniedKeys: keys that no path may hold.
    ///   - signers: who signs the first list that comes.
    ///   - sequence: of the list that the app is built with; 0 for none.
    ///   - issued: of that list; or when the app was built.
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

    /// A list that is part of the app, which vouches for it: signatures aren't looked at.
    public init(builtIn list: SignedPinList) throws(PinListRefusal) {
        let contents = try list.unverifiedList()
        audience = contents.audience
        configuration = contents.configuration
        deniedKeys = contents.deniedKeys
        signers = contents.signers
        sequence = contents.sequence
        issued = contents.issued
        payload = list.payload
    }

    /// Verifies a document as an app would that has this floor and no list yet.
    /// - Parameters:
    ///   - document: the list with its signatures.
    ///   - now: the clock.
    ///   - makeManager: makes rules of the list's pins, as that of the app's ``PinStore``; a list for which it throws is refused.
    /// - Returns: the list's contents.
    /// - Throws: ``PinListRefusal``, the first thing that is wrong.
    public func verify(
        _ document: SignedPinList, at now: Time = .now(),
        makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager = { try $0.serverTrustManager() }
    ) throws(PinListRefusal) -> PinList {
        var standing = PinStanding(self)
        switch try standing.accept(document, at: now) {
        case .newer(let list), .unchanged(let list):
            _ = try list.manager(makeManager)
            return list
        }
    }
}

extension PinList {
    /// The rules of the list's pins.
    /// - Parameter makeManager: as that of a ``PinStore``.
    /// - Throws: ``PinListRefusal`` (``PinListRefusal/Code/pinsInvalid``) if there are none: a rule for whatever host is asked for, anchors in a
    ///   resource that isn't there, anchors for all hosts.
    public func manager(
        _ makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager = { try $0.serverTrustManager() }
    ) throws(PinListRefusal) -> ServerTrustManager {
        do {
            return try makeManager(configuration)
        } catch {
            throw PinListRefusal(.pinsInvalid, "the pins can not be enforced: \(error)")
        }
    }
}
