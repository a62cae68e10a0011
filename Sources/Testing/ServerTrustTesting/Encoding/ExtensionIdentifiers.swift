// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import SwiftASN1

/// Object identifiers for extensions.
enum ExtensionIdentifiers {
    static let subjectKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 14]
    static let keyUsage: ASN1ObjectIdentifier = [2, 5, 29, 15]
    static let subjectAlternativeName: ASN1ObjectIdentifier = [2, 5, 29, 17]
    static let basicConstraints: ASN1ObjectIdentifier = [2, 5, 29, 19]
    static let cRLNumber: ASN1ObjectIdentifier = [2, 5, 29, 20]
    static let reasonCode: ASN1ObjectIdentifier = [2, 5, 29, 21]
    static let invalidityDate: ASN1ObjectIdentifier = [2, 5, 29, 24]
    static let deltaCRLIndicator: ASN1ObjectIdentifier = [2, 5, 29, 27]
    static let issuingDistributionPoint: ASN1ObjectIdentifier = [2, 5, 29, 28]
    static let certificateIssuer: ASN1ObjectIdentifier = [2, 5, 29, 29]
    static let nameConstraints: ASN1ObjectIdentifier = [2, 5, 29, 30]
    static let crlDistributionPoints: ASN1ObjectIdentifier = [2, 5, 29, 31]
    static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    static let authorityKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 35]
    static let extendedKeyUsage: ASN1ObjectIdentifier = [2, 5, 29, 37]
    static let freshestCRL: ASN1ObjectIdentifier = [2, 5, 29, 46]
    static let authorityInformationAccess: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 1]
    static let tlsFeature: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 24]
    static let ocspNonce: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 2]
    static let ocspNoCheck: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]
}

/// Object identifiers for attributes, access methods, content types and algorithms.
package enum Identifiers {
    static let commonName: ASN1ObjectIdentifier = [2, 5, 4, 3]
    static let basicOCSPResponse: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 1]
    package static let ocspAccess: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1]
    static let caIssuersAccess: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 2]
    package static let pkcs7Data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    package static let pkcs7SignedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let sha384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    static let sha512: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3]
    static let mgf1: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 8]
}

#endif
