// SPDX-License-Identifier: Apache-2.0

/// One name of RFC 5280 § 4.2.1.6 exactly as in the certificate, neither normalized nor verified.
public enum GeneralName: Sendable, Hashable {
    /// An `otherName`, with its type and its value in DER.
    case otherName(type: OID, value: [UInt8])
    /// An `rfc822Name`, which is an email address.
    case rfc822Name(String)
    /// A `dNSName`.
    case dnsName(String)
    /// An `x400Address`, in DER.
    case x400Address([UInt8])
    /// A `directoryName`.
    case directoryName(DistinguishedName)
    /// An `ediPartyName`, in DER.
    case ediPartyName([UInt8])
    /// A `uniformResourceIdentifier`.
    case uniformResourceIdentifier(String)
    /// An `iPAddress`. In a name, it has 4 or 16 bytes. In a name constraint, it has 8 or 32 bytes (address and mask),
    /// or none to cover every address.
    case ipAddress([UInt8])
    /// A `registeredID`.
    case registeredID(OID)
}

extension GeneralName: CustomStringConvertible {
    public var description: String {
        switch self {
        case .otherName(let type, let value): "otherName:\(type):\(Hex.encode(value))"
        case .rfc822Name(let name): "email:\(name)"
        case .dnsName(let name): "DNS:\(name)"
        case .x400Address(let der): "x400Address:\(Hex.encode(der))"
        case .directoryName(let name): "DirName:\(name)"
        case .ediPartyName(let der): "ediPartyName:\(Hex.encode(der))"
        case .uniformResourceIdentifier(let uri): "URI:\(uri)"
        case .ipAddress(let bytes): "IP:\(IPAddress.text(bytes))"
        case .registeredID(let oid): "registeredID:\(oid)"
        }
    }
}

/// The tags of `GeneralName`.
enum GeneralNameTag {
    static let otherName = DERTag.contextConstructed(0)
    static let rfc822Name = DERTag.context(1)
    static let dnsName = DERTag.context(2)
    static let x400Address = DERTag.contextConstructed(3)
    static let directoryName = DERTag.contextConstructed(4)
    static let ediPartyName = DERTag.contextConstructed(5)
    static let uniformResourceIdentifier = DERTag.context(6)
    static let ipAddress = DERTag.context(7)
    static let registeredID = DERTag.context(8)
}

/// The context of a GeneralName, which determines the length of an iPAddress.
enum GeneralNameForm {
    /// A name with 4 or 16 bytes.
    case name
    /// The base of a subtree: address and mask with 8 or 32 bytes. Windows CAs write an empty base to
    /// cover every address.
    case constraint
}

extension DERReader {
    /// Checks the members of `GeneralNames ::= SEQUENCE SIZE (1..MAX) OF GeneralName`.
    consuming func checkGeneralNames(_ field: StaticString, form: GeneralNameForm) throws(DERError) {
        guard !isAtEnd else { throw DERError(.empty, in: field, at: position) }
        while !isAtEnd { _ = try nextGeneralName(field, form: form) }
    }

    /// Reads the next GeneralName and checks every byte of it.
    @_lifetime(self: copy self)
    mutating func nextGeneralName(_ field: StaticString, form: GeneralNameForm) throws(DERError) -> DERElement {
        let element = try next(field)
        switch element.tag {
        case GeneralNameTag.dnsName, GeneralNameTag.rfc822Name, GeneralNameTag.uniformResourceIdentifier:
            try checkASCII(element.contents, field)
        case GeneralNameTag.ipAddress:
            let count = element.contentCount
            guard form == .name ? count == 4 || count == 16 : count == 0 || count == 8 || count == 32 else {
                let expected = form == .name ? "4 for IPv4 or 16 for IPv6" : "8 for IPv4 or 32 for IPv6, with the mask"
                throw DERError(
                    .invalid("IP address of \(count) bytes"), in: field, at: element.start,
                    detail: "\(DERError.hexadecimal(bytes, element.contents)), expected \(expected)")
            }
        case GeneralNameTag.directoryName:
            var inner = inside(element)
            _ = try inner.nextName(field)
            try inner.finish(field)
        case GeneralNameTag.registeredID:
            try checkObjectIdentifier(element, field)
        case GeneralNameTag.otherName:
            var inner = inside(element)
            _ = try inner.nextObjectIdentifier(field)
            let explicit = try inner.next(DERTag.contextConstructed(0), field)
            try inner.finish(field)
            var value = inner.inside(explicit)
            let any = try value.next(field)
            try value.finish(field)
            try value.checkWellFormed(any, field)
        case GeneralNameTag.x400Address, GeneralNameTag.ediPartyName:
            try checkWellFormed(element, field)
        default:
            throw DERError(.invalid("tag \(hexByte(element.tag)) isn't a form of name"), in: field, at: element.start)
        }
        return element
    }
}

extension Certificate {
    /// The subject alternative names, or nil if the certificate doesn't have the extension.
    public var subjectAlternativeNames: [GeneralName]? { generalNames(.subjectAlternativeName) }

    /// The issuer alternative names, or nil if the certificate doesn't have the extension. No check uses them.
    public var issuerAlternativeNames: [GeneralName]? { generalNames(.issuerAlternativeName) }

    private func generalNames(_ known: KnownExtension) -> [GeneralName]? {
        guard storage.fields.extensions.has(known) else { return nil }
        return list(known) { (reader) throws(DERError) in
            generalName(try reader.nextGeneralName(known.name, form: .name))
        }
    }

    /// Returns the public form of a checked name.
    func generalName(_ element: DERElement) -> GeneralName { GeneralName(span, element) }
}

extension GeneralName {
    /// Creates the public form of a checked name.
    init(_ span: Span<UInt8>, _ element: DERElement) {
        let contents = span.copy(element.contents)
        switch element.tag {
        case GeneralNameTag.rfc822Name: self = .rfc822Name(String(decoding: contents, as: UTF8.self))
        case GeneralNameTag.dnsName: self = .dnsName(String(decoding: contents, as: UTF8.self))
        case GeneralNameTag.uniformResourceIdentifier:
            self = .uniformResourceIdentifier(String(decoding: contents, as: UTF8.self))
        case GeneralNameTag.ipAddress: self = .ipAddress(contents)
        case GeneralNameTag.directoryName: self = .directoryName(DistinguishedName(checkedDER: contents))
        case GeneralNameTag.registeredID: self = .registeredID(OID(checkedContents: contents))
        case GeneralNameTag.x400Address: self = .x400Address(contents)
        case GeneralNameTag.ediPartyName: self = .ediPartyName(contents)
        default:
            let view = contents[...]
            var reader = DERReader(view.span)
            guard let oid = try? reader.nextObjectIdentifier("otherName"), let explicit = try? reader.next("otherName")
            else {
                self = .otherName(type: OID(checkedContents: []), value: contents)
                return
            }
            self = .otherName(
                type: OID(checkedContents: Array(contents[oid.indices])),
                value: Array(contents[explicit.contents.indices]))
        }
    }

    /// Returns the members of `GeneralNames` without tag and length, which the parser has already checked. Empty if the
    /// names are absent.
    static func list(_ span: Span<UInt8>, _ names: ByteRange) -> [GeneralName] {
        var reader = DERReader(span, names)
        var list: [GeneralName] = []
        while !reader.isAtEnd, let element = try? reader.nextGeneralName("generalNames", form: .name) {
            list.append(GeneralName(span, element))
        }
        return list
    }
}

extension GeneralName {
    /// The description with everything but plain text escaped, so that a name can't forge a log line.
    var printable: String { DistinguishedName.printable(description) }
}
