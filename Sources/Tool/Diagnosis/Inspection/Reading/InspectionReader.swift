// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The objects of one file.
///
/// ```swift
/// let file = InspectionReader.read(bytes, name: "chain.pem")
/// for object in file.objects {
///     switch object.content {
///     case .certificate(let certificate): print(object.place.number, certificate)
///     case .privateKey(let facts): print(facts.algorithm ?? "encrypted", facts.bits ?? 0)
///     case .malformed, .locked, .foreign: print(object.problem?.description ?? "")
///     default: break
///     }
/// }
/// ```
package struct InspectedFile: Sendable {
    /// The name as the user entered it.
    package let name: String
    /// The objects in their order, at least one. A file without an object has one that is
    /// ``InspectedObject/Content/foreign(_:)``.
    package let objects: [InspectedObject]
    /// Remarks on encodings that other programs don't support, such as `UTF-16 text` or `quoted`, without duplicates.
    package let notes: [String]
}

/// The limits for reading one file. Within these limits all work is linear in the number of bytes.
package struct ReadingLimits: Sendable, Hashable {
    /// The maximum number of objects. All CAs of the public web have about 8,000 certificates.
    package var objects = 100_000
    /// The maximum number of encodings and containers around an object. Base64 of PEM with PKCS #12 has three.
    var depth = 6
    /// The maximum number of key derivation iterations for one file. Programs use 2,048 to 600,000 for each of at most
    /// three derivations.
    var iterations = 2_000_000
    /// The maximum number of private keys whose public key is computed or checked. Each takes up to several
    /// milliseconds.
    var keys = 64

    static let standard = ReadingLimits()
}

/// A source of passphrases for encrypted objects.
///
/// The parser calls it at most once per kind of object. The file then contains an encrypted private key, or a PKCS #12
/// file that an empty passphrase can't open. Return nil if you have no passphrase.
package typealias PassphraseSource = (_ object: ObjectKind) -> String?

/// A parser for files with certificates, keys, requests, revocation data and containers of these objects, in all common
/// encodings.
package enum InspectionReader {}
