// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Alamofire's `.af`, which is unavailable on every type here. See AlamofireManager.swift.

/// The members of Alamofire's `.af`. They exist so that the compiler reports the message about `.af` itself.
@available(*, unavailable)
public struct AlamofireExtension<ExtendedType> {
    let type: ExtendedType

    public var certificates: [Certificate] { [] }
    public var publicKeys: [SubjectPublicKeyInfo] { [] }
    public var publicKey: SubjectPublicKeyInfo? { nil }
    public var data: [[UInt8]] { [] }
    public var certificateData: [[UInt8]] { [] }
    public func evaluate() throws {}
    public func performDefaultValidation(forHost host: String) throws {}
    public func performValidation(forHost host: String) throws {}
    public func setAnchorCertificates(_ certificates: [Certificate]) throws {}
}

extension CertificateBundle {
    /// Alamofire's members of a bundle.
    @available(*, unavailable, message: "call the bundle's certificates() or publicKeys()")
    public var af: AlamofireExtension<Self> { AlamofireExtension(type: self) }
}

extension Trust {
    /// Alamofire's members of a trust object.
    @available(
        *, unavailable,
        message: "call requireTrust(), which also checks the host; set anchors; the verdict's path has the certificates"
    )
    public var af: AlamofireExtension<Self> { AlamofireExtension(type: self) }
}

extension Certificate {
    /// Alamofire's members of a certificate.
    @available(*, unavailable, message: "read subjectPublicKeyInfo")
    public var af: AlamofireExtension<Self> { AlamofireExtension(type: self) }
}

extension Array where Element == Certificate {
    /// Alamofire's members of a list of certificates.
    @available(*, unavailable, message: "map the certificates to der or subjectPublicKeyInfo")
    public var af: AlamofireExtension<Self> { AlamofireExtension(type: self) }
}
