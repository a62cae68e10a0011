// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The state while one file is parsed: the objects found so far, and the remaining work.
///
/// Each layer decodes bytes that belong to no other object, and produces fewer bytes than it consumes. An object has at
/// most ``ReadingLimits/depth`` layers. Therefore time and memory are linear in the size of the file.
struct FileReading {
    let limits: ReadingLimits
    let passphrases: PassphraseSource?
    private(set) var objects: [InspectedObject] = []
    private(set) var notes: [String] = []
    var parser: ObjectParser
    /// The remaining key derivation iterations: enough for the empty passphrase and one more.
    var iterations: Int
    /// The passphrases that the source returned. An inner nil means that the source has no passphrase.
    var passphraseByKind: [ObjectKind: String?] = [:]
    /// The line in the text where the outermost object starts, or nil outside a text.
    var outerLine: Int?

    init(limits: ReadingLimits, passphrases: PassphraseSource?) {
        self.limits = limits
        self.passphrases = passphrases
        self.parser = ObjectParser(keys: PrivateKeyReader(remaining: limits.keys))
        self.iterations = 2 * limits.iterations
    }

    var isFull: Bool { objects.count > limits.objects }

    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// The label, the line and the layers of an object.
    struct Origin {
        var label: String?
        var line: Int?
        var layers: [InspectedObject.Layer] = []

        /// Returns the origin of an object inside a layer.
        func inside(_ layer: InspectedObject.Layer) -> Origin { Origin(line: line, layers: layers + [layer]) }
    }

    /// Adds bytes or a text without an object that can be parsed.
    mutating func refuse(_ problem: InspectionProblem, der: [UInt8] = [], at origin: Origin) {
        add(.unreadable(problem), der: der, at: origin)
    }

    /// Adds an object. The first object above the limit is the last one and reports the limit.
    mutating func add(_ content: InspectedObject.Content, der: [UInt8], at origin: Origin) {
        guard !isFull else { return }
        var content = content
        var der = der
        if objects.count == limits.objects {
            content = .unreadable(InspectionProblem(.tooManyObjects, ["limit": "\(limits.objects)"]))
            der = []
        }
        if case .privateKey = content { der = [] }
        let place = InspectedObject.Place(
            number: objects.count + 1, line: outerLine ?? origin.line, layers: origin.layers)
        objects.append(InspectedObject(place: place, label: origin.label, content: content, der: der))
    }

    // MARK: Dispatch

    /// Parses bytes of any encoding.
    mutating func read(_ bytes: [UInt8], at origin: Origin = Origin()) {
        guard origin.layers.count <= limits.depth else {
            return refuse(InspectionProblem(.tooDeep, ["limit": "\(limits.depth)"]), at: origin)
        }
        guard !bytes.isEmpty else { return refuse(InspectionProblem(.empty), at: origin) }
        if startsAsDER(bytes) { return readDER(bytes, at: origin) }
        if let problem = ForeignFile.binary(bytes) { return refuse(problem, at: origin) }
        if let text = TextEncoding.utf16(bytes) {
            note("UTF-16 text")
            return read(text, at: origin.inside(.utf16))
        }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            note("byte order mark")
            return read(Array(bytes.dropFirst(3)), at: origin.inside(.utf16))
        }
        readText(bytes, at: origin)
    }

    /// Whether the bytes start with a SEQUENCE. Its tag is the digit 0 in ASCII, so a short SEQUENCE only counts if the
    /// bytes aren't text.
    private func startsAsDER(_ bytes: [UInt8]) -> Bool {
        guard bytes[0] == TLV.Tag.sequence, bytes.count >= 2 else { return false }
        if bytes[1] >= 0x80 { return bytes[1] <= 0x84 }
        return bytes.count >= Int(bytes[1]) + 2 && !TextEncoding.isText(bytes)
    }

    // MARK: DER

    /// Parses consecutive DER values.
    private mutating func readDER(_ bytes: [UInt8], at origin: Origin) {
        for object in ObjectReader.derObjects(in: bytes, maximum: limits.objects + 1) {
            guard !isFull else { return }
            switch (object.contents, object.kind) {
            case (.der(let der), let kind?): readObject(der, as: kind, at: origin)
            case (.der(let der), nil):
                let problem = InspectionProblem.cutOff(der, of: "structure")
                refuse(problem ?? InspectionProblem(.unknownStructure), der: der, at: origin)
            case (.rest(let rest, let offset), _):
                let problem =
                    rest.starts(with: [TLV.Tag.sequence, 0x80])
                    ? InspectionProblem(.indefiniteLength)
                    : InspectionProblem(.trailingBytes, ["count": "\(rest.count)", "offset": "\(offset)"])
                refuse(problem, der: Array(rest.prefix(Certificate.maximumSize)), at: origin)
            case (.undecodable, _): break
            }
        }
    }

    /// Parses one object, and opens it if it is a container.
    mutating func readObject(_ der: [UInt8], as kind: ObjectKind, at origin: Origin) {
        switch kind {
        case .pkcs7: readPKCS7(der, at: origin)
        case .pkcs12: readPKCS12(der, at: origin)
        case .encryptedPrivateKey: readEncryptedKey(der, at: origin)
        default: add(parser.content(of: der, as: kind, label: origin.label), der: der, at: origin)
        }
    }
}

/// The objects of one file.
///
/// ```swift
/// let file = InspectionReader.read(bytes, name: "chain.pem")
/// for object in file.objects {
///     switch object.content {
///     case .parsed(.certificate(let certificate)): print(object.place.number, certificate)
///     case .privateKey(let facts): print(facts.algorithm ?? "encrypted", facts.bits ?? 0)
///     case .unreadable(let problem): print(problem)
///     default: break
///     }
/// }
/// ```
package struct InspectedFile: Sendable {
    /// The name as the user entered it.
    package let name: String
    /// The objects in their order, at least one. A file without an object has one that is
    /// ``InspectedObject/Content/unreadable(_:)``.
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
package enum InspectionReader {
    /// Parses a file.
    ///
    /// The result contains at least one object. Problems are objects, too. Objects aren't trusted: strict parsers
    /// accept certificates, lists and responses without verifying them.
    /// - Parameters:
    ///   - bytes: the file's contents. The caller limits their size.
    ///   - name: the file's name, for errors.
    ///   - passphrases: the source of passphrases for PKCS #12 and encrypted keys. The default is nil.
    package static func read(
        _ bytes: [UInt8], name: String, limits: ReadingLimits = .standard, passphrases: PassphraseSource? = nil
    ) -> InspectedFile {
        var reading = FileReading(limits: limits, passphrases: passphrases)
        reading.read(bytes)
        return InspectedFile(name: name, objects: reading.objects, notes: reading.notes)
    }
}
