// SPDX-License-Identifier: Apache-2.0

/// The revocation settings for one certificate of an ``AuthorityFolder``.
///
/// A certificate that replaces another for the same purpose inherits its addresses and staple requirement, unless you
/// set others. Other certificates inherit the CA's addresses.
package struct RevocationPointerChoice: Sendable, Hashable {
    /// An address for one certificate.
    package enum Address: Sendable, Hashable {
        /// The address from the replaced certificate, or else from the CA.
        case inherited
        /// No address.
        case omitted
        case named(RevocationAddress)
    }

    var crl: Address
    var ocsp: Address
    /// Whether the certificate requires a staple. The default is that of the replaced certificate, or else false.
    var mustStaple: Bool?

    package init(crl: Address = .inherited, ocsp: Address = .inherited, mustStaple: Bool? = nil) {
        self.crl = crl
        self.ocsp = ocsp
        self.mustStaple = mustStaple
    }

    /// Returns the pointers of a certificate.
    /// - Parameters:
    ///   - authority: the addresses of the CA.
    ///   - replaced: the record of the replaced certificate, if any.
    func pointers(_ authority: RevocationPointers, replacing replaced: AuthorityRecord?) -> RevocationPointers {
        let old = replaced?.revocationPointers
        let leftOut = replaced?.addressesLeftOut ?? []
        return RevocationPointers(
            crl: Self.address(crl, old?.crl ?? (leftOut.contains(.crl) ? nil : authority.crl)),
            ocsp: Self.address(ocsp, old?.ocsp ?? (leftOut.contains(.ocsp) ? nil : authority.ocsp)),
            mustStaple: mustStaple ?? old?.mustStaple ?? false)
    }

    /// Returns the kinds of addresses that were deliberately omitted, for this certificate or for the replaced one.
    func leftOut(replacing replaced: AuthorityRecord?) -> Set<RevocationAddress.Kind> {
        var kinds: Set<RevocationAddress.Kind> = []
        for (kind, choice) in [(RevocationAddress.Kind.crl, crl), (.ocsp, ocsp)] {
            switch choice {
            case .omitted: kinds.insert(kind)
            case .inherited where replaced?.addressesLeftOut.contains(kind) == true: kinds.insert(kind)
            case .inherited, .named: break
            }
        }
        return kinds
    }

    private static func address(_ choice: Address, _ inherited: RevocationAddress?) -> RevocationAddress? {
        switch choice {
        case .inherited: inherited
        case .omitted: nil
        case .named(let address): address
        }
    }
}
