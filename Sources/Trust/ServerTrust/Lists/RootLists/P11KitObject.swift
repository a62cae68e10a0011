// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An object of a p11-kit file: attributes with a colon, and PEM blocks between them.
struct P11KitObject {
    static let marker = Array("[p11-kit-object-v1]".utf8)

    /// The line of the marker before the object.
    let line: Int
    private(set) var attributes: [String: [UInt8]] = [:]
    private(set) var pem: [UInt8] = []

    /// Returns the objects of a file.
    /// - Parameter meter: counts the objects, attributes and lines of PEM. A distribution's bundle has about 5,000.
    /// - Throws: ``RootListError`` with the line of the first attribute that is malformed or occurs twice.
    static func objects(in bytes: [UInt8], _ meter: inout WorkMeter) throws(RootListError) -> [P11KitObject] {
        var lines = ByteLines(bytes)
        var objects: [P11KitObject] = []
        var isInBlock = false
        while let line = lines.next() {
            guard meter.charge(work: 1) else { throw RootListError(line: lines.number, "expected fewer lines") }
            if line.elementsEqual(marker) {
                guard !isInBlock else { throw lines.error("the end of a PEM block", found: line) }
                objects.append(P11KitObject(line: lines.number))
            } else if isInBlock || line.starts(with: "-----BEGIN ".utf8) {
                guard let last = objects.indices.last else { throw lines.error("[p11-kit-object-v1]", found: line) }
                objects[last].pem += line
                objects[last].pem.append(0x0a)
                isInBlock = !line.starts(with: "-----END ".utf8)
            } else if let first = line.first, first != UInt8(ascii: "#") {
                guard let last = objects.indices.last, try objects[last].add(line) else {
                    throw lines.error(
                        "an attribute with a colon, once per object, with %XX in quoted text", found: line)
                }
            }
        }
        guard !isInBlock else { throw RootListError(line: lines.number, "expected the end of a PEM block") }
        return objects
    }

    private init(line: Int) { self.line = line }

    /// Adds the attribute of a line. Returns false if the line isn't an attribute, or the attribute occurs twice.
    private mutating func add(_ line: ArraySlice<UInt8>) throws(RootListError) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon - line.startIndex <= 64,
            let value = Self.value(line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 })
        else { return false }
        return attributes.updateValue(value, forKey: String(decoding: line[..<colon], as: UTF8.self)) == nil
    }

    /// Returns a bare value, or the bytes of a quoted one. Returns nil for an incomplete escape.
    private static func value(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.first == UInt8(ascii: "\"") else { return Array(text) }
        guard text.count >= 2, text.last == UInt8(ascii: "\"") else { return nil }
        var bytes: [UInt8] = []
        var rest = text.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hex.value(ofDigit:)),
                let low = rest.popFirst().flatMap(Hex.value(ofDigit:))
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    // MARK: - Values

    /// Returns an attribute's value as text.
    func text(_ name: String) -> String? { attributes[name].map { String(decoding: $0.prefix(256), as: UTF8.self) } }

    /// Returns whether an attribute is true. An absent attribute is false.
    /// - Throws: ``RootListError`` if the value is neither true nor false.
    func flag(_ name: String) throws(RootListError) -> Bool {
        switch text(name) {
        case nil, "false": false
        case "true": true
        default: throw error("\(name): true or false")
        }
    }

    /// Returns an NSS date, or nil if the attribute is absent or false.
    /// - Throws: ``RootListError`` for anything else.
    func date(_ name: String) throws(RootListError) -> Time? {
        guard let value = attributes[name], value != [0], !value.elementsEqual("false".utf8) else { return nil }
        guard let date = Time(utcTime: value) else { throw error("\(name): a date YYMMDDHHMMSSZ") }
        return date
    }

    /// Returns the object's certificate, followed by OpenSSL's settings if it has some, or nil without a certificate.
    func certificate() throws(RootListError) -> [UInt8]? {
        if let block = try block(["CERTIFICATE", "TRUSTED CERTIFICATE"]) { return block }
        guard let value = attributes["value"], !value.isEmpty else { return nil }
        return value
    }

    /// Returns the object's key, or nil without a key.
    func publicKey() throws(RootListError) -> [UInt8]? {
        try block(["PUBLIC KEY"]) ?? attributes["public-key-info"]
    }

    private func block(_ labels: Set<String>) throws(RootListError) -> [UInt8]? {
        guard !pem.isEmpty else { return nil }
        let blocks: [[UInt8]]
        do { blocks = try PEM.decode(pem, labels: labels) } catch { throw RootListError(line: line, "\(error)") }
        guard blocks.count <= 1 else { throw error("a single PEM block") }
        return blocks.first
    }

    /// Returns an error at the object's line.
    func error(_ expected: String) -> RootListError { RootListError(line: line, "expected \(expected)") }
}
