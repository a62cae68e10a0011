// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Foundation
    import PKIX
    import ServerTrust

    /// Creates a trust object.
    /// - Parameters:
    ///   - certificates: a `SecCertificate`, or an array of them: the leaf first, then candidates in any order.
    ///   - policies: a `SecPolicy`, or an array of them; nil for path validation alone, which accepts any name.
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

    /// Replaces the policies. The name, the purpose and revocation checks follow from them alone.
    /// - Parameters:
    ///   - trust: the trust object.
    ///   - policies: a `SecPolicy`, or an array of them, all of which have to be met.
    /// - Returns: `errSecParam` for anything else, or for an empty array; then no certificate is trusted until policies are set.
    @discardableResult
    public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
        let set = elements(policies, of: SecPolicy.self)
        // A program that ignores the status must not be left with an earlier policy that asks for less.
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

    /// Sets the anchors, which replace those that the object had at first (``SecTrustSetAnchorCertificatesOnly(_:_:)`` brings those
    /// back).
    /// - Parameters:
    ///   - trust: the trust object.
    ///   - anchorCertificates: an array of `SecCertificate`, with none no certificate is trusted; nil for the anchors that the
    ///     object had at first.
    /// - Returns: `errSecParam` if the array has anything else; then no certificate is trusted until anchors are set.
    @discardableResult
    public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
        let anchors = anchorCertificates?.compactMap { $0 as? SecCertificate }
        let isReadable = anchors?.count == anchorCertificates?.count
        trust.change { $0.setAnchors(isReadable ? anchors : [], only: anchorCertificates != nil) }
        return isReadable ? errSecSuccess : errSecParam
    }

    /// Determines whether the anchors that were set replace those that the object had at first, or are added to them.
    /// - Parameters:
    ///   - trust: the trust object.
    ///   - anchorCertificatesOnly: false to trust the first anchors as well: the system's, or those of the client that a
    ///     challenge comes from. With true and no anchors set, no certificate is trusted.
    /// - Returns: `errSecSuccess`.
    @discardableResult
    public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
        trust.change { $0.setAnchors($0.anchors, only: anchorCertificatesOnly) }
        return errSecSuccess
    }

    /// Stores the anchors that were set; nil if none were.
    /// - Returns: `errSecSuccess`.
    @discardableResult
    public func SecTrustCopyCustomAnchorCertificates(
        _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus {
        anchors.pointee = trust.state.withLock { $0.anchors }
        return errSecSuccess
    }

    /// Sets the date of evaluations, to the second; a date that is no number is the last one there is.
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

    /// Sets OCSP responses that are at hand, in DER. They have no effect unless a policy asks for revocation checks.
    /// - Parameters:
    ///   - trust: the trust object.
    ///   - responseData: a `CFData`, or an array of them; nil to remove them. Those of a challenge's client stay.
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

    /// Determines whether evaluations may fetch missing issuers and revocation data, whatever the policies say. They fetch if the
    /// object has a source (``SecTrust/evidenceSource``, or for a challenge `TrustSettings.fetching` of the client), and only in
    /// ``SecTrustEvaluateAsyncWithError(_:_:_:)`` and ``SecTrustEvaluateAsync(_:_:_:)``.
    /// - Returns: `errSecSuccess`.
    @discardableResult
    public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
        trust.change { $0.isNetworkFetchAllowed = allowFetch }
        return errSecSuccess
    }

    /// Stores whether evaluations may fetch.
    ///
    /// The default follows from the policies. A policy of revocation allows it, unless one of them has
    /// `kSecRevocationNetworkAccessDisabled`. Without a policy of revocation, one of path validation alone forbids it.
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

        /// Whether fetching is allowed, by the program or else by the policies.
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

    /// Returns a value or the values of an array; nil if one has another type, or if there are none.
    private func elements<Element>(
        _ value: CFTypeRef, of type: Element.Type, orNone: Bool = false
    ) -> [Element]? {
        if let element = value as? Element { return [element] }
        guard let array = value as? [Any], orNone || !array.isEmpty else { return nil }
        let elements = array.compactMap { $0 as? Element }
        return elements.count == array.count ? elements : nil
    }
#endif
