// SPDX-License-Identifier: Apache-2.0

import TrustSupport

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
    /// The name as it was given.
    package let name: String
    /// The size in bytes.
    package let size: Int
    /// The objects in their order; at least one: a file without an object has one that is ``InspectedObject/Content/foreign(_:)``.
    package let objects: [InspectedObject]
    /// Remarks on encodings that other programs don't read, in words: `UTF-16 text`, `quoted`. Each once.
    package let notes: [String]

    package init(name: String, size: Int, objects: [InspectedObject], notes: [String]) {
        self.name = name
        self.size = size
        self.objects = objects
        self.notes = notes
    }
}

/// The limits of reading one file. All work is linear in the bytes under them.
package struct ReadingLimits: Sendable, Hashable {
    /// The largest number of objects. The public web's CAs have some 8,000 certificates in all.
    package var objects = 100_000
    /// The largest number of encodings and containers around an object: base64 of PEM with PKCS #12 has three.
    package var depth = 6
    /// The iterations of key derivation that one file may ask for. Programs write 2,048 to 600,000 for each of at most three derivations.
    package var iterations = 2_000_000
    /// The largest number of private keys of which the public half is computed or checked, at up to milliseconds each.
    package var keys = 64

    package static let standard = ReadingLimits()

    package init() {}
}

/// A source of the passphrase of an encrypted object.
///
/// It is called once a file at most, and only for a file that has an encrypted object and can't be read with an empty passphrase. Nil
/// for no passphrase.
package typealias PassphraseSource = (_ object: ObjectKind) -> String?

/// The reader of files with certificates, keys, requests, revocation data and containers of them, in the encodings that people have them in.
package enum InspectionReader {}
