// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The state while one file is parsed: the objects found so far, and the remaining work.
///
/// Each layer decodes bytes that belong to no other object, and produces fewer bytes than it consumes. An object has at
/// most ``ReadingLimits/depth`` layers. Therefore time and memory are linear in the size of the file.
struct FileReading {
    let name: String
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

    init(name: String, limits: ReadingLimits, passphrases: PassphraseSource?) {
        self.name = name
        self.limits = limits
        self.passphrases = passphrases
        self.parser = ObjectParser(keys: PrivateKeyReader(remaining: limits.keys))
        self.iterations = 2 * limits.iterations
    }

    var isFull: Bool { objects.count > limits.objects }

    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Adds an object. The first object above the limit is the last one and reports the limit.
    mutating func add(
        _ content: InspectedObject.Content, der: [UInt8], label: String? = nil, line: Int? = nil,
        layers: [InspectedObject.Layer]
    ) {
        guard !isFull else { return }
        var content = content
        var der = der
        if objects.count == limits.objects {
            content = .foreign(
                InspectionProblem(
                    .tooManyObjects, "more than \(limits.objects) objects; the rest isn't read", remedy: nil))
            der = []
        }
        if case .privateKey = content { der = [] }
        let place = InspectedObject.Place(
            file: name, number: objects.count + 1, line: outerLine ?? line, layers: layers)
        objects.append(InspectedObject(place: place, label: label, content: content, der: der))
    }

    // MARK: Dispatch

    /// Parses bytes of any encoding.
    /// - Parameter layers: the layers around the bytes.
    mutating func read(_ bytes: [UInt8], layers: [InspectedObject.Layer] = []) {
        guard layers.count <= limits.depth else {
            let problem = InspectionProblem(.tooDeep, "more than \(limits.depth) nested encodings")
            return add(.foreign(problem), der: [], layers: layers)
        }
        guard !bytes.isEmpty else {
            return add(.foreign(InspectionProblem(.empty, "empty (0 bytes)")), der: [], layers: layers)
        }
        if startsAsDER(bytes) { return readDER(bytes, layers: layers) }
        if let problem = ForeignFile.binary(bytes) { return add(.foreign(problem), der: [], layers: layers) }
        if let text = TextEncoding.utf16(bytes) {
            note("UTF-16 text")
            return read(text, layers: layers + [.utf16])
        }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            note("byte order mark")
            return read(Array(bytes.dropFirst(3)), layers: layers + [.utf16])
        }
        readText(bytes, layers: layers)
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
    private mutating func readDER(_ bytes: [UInt8], layers: [InspectedObject.Layer]) {
        for object in ObjectReader.derObjects(in: bytes, maximum: limits.objects + 1) {
            guard !isFull else { return }
            switch (object.contents, object.kind) {
            case (.der(let der), let kind?): readObject(der, as: kind, label: nil, line: nil, layers: layers)
            case (.der(let der), nil): add(.foreign(unknown(der)), der: der, layers: layers)
            case (.rest(let rest, let offset), _):
                let isIndefinite = rest.starts(with: [TLV.Tag.sequence, 0x80])
                let problem = isIndefinite ? indefinite : trailing(rest, from: offset)
                add(.foreign(problem), der: Array(rest.prefix(Certificate.maximumSize)), layers: layers)
            case (.undecodable, _): break
            }
        }
    }

    private var indefinite: InspectionProblem {
        InspectionProblem(
            .indefiniteLength, "a structure in BER with indefinite lengths, expected DER",
            remedy:
                "convert it: openssl pkcs7 -inform DER -in FILE -print_certs, or openssl pkcs12 -in FILE for PKCS #12"
        )
    }

    private func trailing(_ rest: [UInt8], from offset: Int) -> InspectionProblem {
        InspectionProblem(
            .trailingBytes, "\(rest.count) bytes after the last object, from byte \(offset) on, that aren't an object"
        )
    }

    private func unknown(_ der: [UInt8]) -> InspectionProblem {
        if let value = TLV(der[...]), value.isTruncated {
            return InspectionProblem(
                .truncated,
                "a DER structure that is cut off: its length says \(value.statedEnd) bytes, but it has \(der.count)",
                remedy: "copy the file again, in binary mode")
        }
        return InspectionProblem(
            .unknownStructure,
            "a DER structure that isn't a certificate, a key, a request, a CRL or an OCSP message",
            remedy: "show the structure: servertrust inspect FILE --format asn1")
    }

    /// Parses one object, and opens it if it is a container.
    mutating func readObject(
        _ der: [UInt8], as kind: ObjectKind, label: String?, line: Int?, layers: [InspectedObject.Layer]
    ) {
        switch kind {
        case .pkcs7: readPKCS7(der, label: label, line: line, layers: layers)
        case .pkcs12: readPKCS12(der, label: label, line: line, layers: layers)
        case .encryptedPrivateKey: readEncryptedKey(der, label: label, line: line, layers: layers)
        default:
            add(parser.content(of: der, as: kind, label: label), der: der, label: label, line: line, layers: layers)
        }
    }
}

extension InspectionReader {
    /// Parses a file.
    ///
    /// The result contains at least one object. Problems are objects, too. Objects aren't trusted: strict parsers
    /// accept certificates, lists and responses without verifying them.
    /// - Parameters:
    ///   - bytes: the file's contents. The caller limits their size.
    ///   - name: the file's name, for the places of the objects.
    ///   - passphrases: the source of passphrases for PKCS #12 and encrypted keys. The default is nil.
    package static func read(
        _ bytes: [UInt8], name: String, limits: ReadingLimits = .standard, passphrases: PassphraseSource? = nil
    ) -> InspectedFile {
        var reading = FileReading(name: name, limits: limits, passphrases: passphrases)
        reading.read(bytes)
        return InspectedFile(name: name, size: bytes.count, objects: reading.objects, notes: reading.notes)
    }
}
