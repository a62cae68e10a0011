// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX
import ServerTrust

/// Creates a trust object.
/// - Parameters:
///   - certificates: a `SecCertificate`, or an array of them: the leaf first, then candidates in any order.
///   - policies: a `SecPolicy`, or an array of them. If nil, only the path is validated, and any name is accepted.
///   - trust: set to the object.
/// - Returns: `errSecParam` for anything else, or for an empty array.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    trust.pointee = nil
    guard let chain = elements(certificates, of: SecCertificate.self),
        let policies = policies.map({ elements($0, of: SecPolicy.self) }) ?? [SecPolicyCreateBasicX509()]
    else { return errSecParam }
    trust.pointee = SecTrust(presentedChain: PresentedChain(chain.map(\.certificate)), policies: policies)
    return errSecSuccess
}

/// Replaces the policies. Only they determine the name, the purpose and the revocation checks.
/// - Parameters:
///   - trust: the trust object.
///   - policies: a `SecPolicy`, or an array of them. The certificates have to satisfy all of them.
/// - Returns: `errSecParam` for anything else, or for an empty array. No certificate is then trusted until you set
///   policies.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    let set = elements(policies, of: SecPolicy.self)
    // If a program ignores the status, an earlier policy that requires less must not stay in force.
    trust.change { $0.policies = set ?? [SecPolicy(.ssl(server: true, name: ""))] }
    return set == nil ? errSecParam : errSecSuccess
}

/// Stores the policies.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    policies.pointee = trust.state.withLock { $0.currentPolicies }
    return errSecSuccess
}

/// Sets the anchors. They replace the object's initial anchors. ``SecTrustSetAnchorCertificatesOnly(_:_:)``
/// restores those.
/// - Parameters:
///   - trust: the trust object.
///   - anchorCertificates: an array of `SecCertificate`. With an empty array, no certificate is trusted. With nil,
///     the object uses its initial anchors.
/// - Returns: `errSecParam` if the array contains anything else. No certificate is then trusted until you set
///   anchors.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    let anchors = anchorCertificates?.compactMap { $0 as? SecCertificate }
    let isReadable = anchors?.count == anchorCertificates?.count
    trust.change { $0.setAnchors(isReadable ? anchors : [], only: anchorCertificates != nil) }
    return isReadable ? errSecSuccess : errSecParam
}

/// Determines whether your anchors replace the object's initial anchors or are added to them.
/// - Parameters:
///   - trust: the trust object.
///   - anchorCertificatesOnly: false to also trust the initial anchors: the system's, or in a challenge those of
///     the client. If true and you have set no anchors, no certificate is trusted.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.setAnchors($0.anchors, only: anchorCertificatesOnly) }
    return errSecSuccess
}

/// Stores the anchors that the program has set, or nil if it has set none.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    anchors.pointee = trust.state.withLock { $0.anchors }
    return errSecSuccess
}

/// Sets the date of evaluations, to the second. A date that isn't a number becomes the last possible date.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let seconds = verifyDate.timeIntervalSince1970.rounded(.down)
    let time = Int64(exactly: seconds).map { Time(secondsSinceEpoch: $0) } ?? (seconds < 0 ? .earliest : .latest)
    trust.change { $0.settings.verifyDate = .at(min(max(time, .earliest), .latest)) }
    return errSecSuccess
}

/// Returns the date of evaluations, in seconds since 2001-01-01T00:00:00Z.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    let time = trust.state.withLock { $0.settings.verifyDate.time }
    return Date(time).timeIntervalSinceReferenceDate
}

/// Sets OCSP responses in DER. They have no effect unless a policy asks for revocation checks.
/// - Parameters:
///   - trust: the trust object.
///   - responseData: a `CFData`, or an array of them. Nil removes them. The responses of a challenge's client stay.
/// - Returns: `errSecParam` for anything else.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    let responses = responseData.map { elements($0, of: Data.self, orNone: true) } ?? []
    trust.change { state in
        let added = (responses ?? []).map { [UInt8]($0) }
        state.settings.revocationData.ocspResponses = state.initialOCSPResponses + added
    }
    return responses == nil ? errSecParam : errSecSuccess
}

/// Determines whether evaluations may fetch missing issuers and revocation data, whatever the policies say.
///
/// They fetch only if the object has a source: ``SecTrust/evidenceSource``, or for a challenge the client's
/// `TrustSettings.fetching`. Only ``SecTrustEvaluateAsyncWithError(_:_:_:)`` and ``SecTrustEvaluateAsync(_:_:_:)``
/// fetch.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.change { $0.isNetworkFetchAllowed = allowFetch }
    return errSecSuccess
}

/// Stores whether evaluations may fetch.
///
/// The default depends on the policies. A revocation policy allows fetching, unless one of the policies has
/// `kSecRevocationNetworkAccessDisabled`. Without a revocation policy, a policy with only path validation forbids
/// fetching.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    allowFetch.pointee = DarwinBoolean(trust.state.withLock { $0.allowsNetworkFetch })
    return errSecSuccess
}

extension SecTrust.State {
    fileprivate mutating func setAnchors(_ anchors: [SecCertificate]?, only: Bool) {
        self.anchors = anchors
        self.hasCustomAnchorsOnly = only
        let certificates = (anchors ?? []).map(\.certificate)
        settings.anchors =
            only ? initialAnchors.replaced(by: .only(certificates)) : initialAnchors.adding(certificates)
    }

    /// Whether the program, or else the policies, allow fetching.
    var allowsNetworkFetch: Bool {
        if let isNetworkFetchAllowed { return isNetworkFetchAllowed }
        guard let policies else { return true }
        let revocation = policies.compactMap(\.kind.revocationFlags)
        guard revocation.isEmpty else {
            return revocation.allSatisfy { $0 & kSecRevocationNetworkAccessDisabled == 0 }
        }
        return !policies.contains { $0.kind == .basicX509 }
    }
}

/// Returns a value, or the values of an array, or nil if a value has another type or there aren't any.
private func elements<Element>(
    _ value: CFTypeRef, of type: Element.Type, orNone: Bool = false
) -> [Element]? {
    if let element = value as? Element { return [element] }
    guard let array = value as? [Any], orNone || !array.isEmpty else { return nil }
    let elements = array.compactMap { $0 as? Element }
    return elements.count == array.count ? elements : nil
}
#endif
