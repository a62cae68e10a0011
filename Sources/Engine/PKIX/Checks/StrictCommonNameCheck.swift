// SPDX-License-Identifier: Apache-2.0

/// Checks that every common name is one of the alternative names, byte for byte. An IPv6 address has RFC 5952 form
/// (CA/Browser baseline § 7.1.4.3).
///
/// A certificate may have tens of thousands of both. The check searches a few common names one by one. For more, it
/// uses a hash table of the alternative names, with a seed that a certificate's author can't predict.
enum StrictCommonNameCheck {
    /// The largest number of common names that are searched one by one. Honest certificates have one.
    private static let directCount = 4

    /// The work for each name that the check adds to the table or looks up, in addition to its bytes.
    private static let workPerName = 32

    static func run(_ certificate: Certificate, _ meter: inout WorkMeter, _ list: inout FailureList) {
        let fields = certificate.storage.fields
        guard meter.charge(work: fields.subject.count) else { return }
        let count = countCommonNames(certificate)
        guard count > 0 else { return }
        let names = fields.extensions.value(.subjectAlternativeName).count
        // The check decodes and copies each value.
        let copyWork = 16 * fields.subject.count
        let hashes: Set<Int>?
        // One condition decides how the check searches and what the search costs.
        if count > directCount {
            // In a long list, nearly all names have at least three bytes.
            guard meter.charge(work: copyWork + workPerName * (count + names / 3)) else { return }
            hashes = hashedNames(certificate)
        } else {
            guard meter.charge(work: copyWork + 2 * count * names) else { return }
            hashes = nil
        }
        var wrong = CountedList()
        forEachCommonName(certificate) { value in
            let span = certificate.span
            let text = NameFolding.characters(span, value).map { String(String.UnicodeScalarView($0)) }
            // A value that isn't a string can't be one of the names.
            guard let text, isName(text, of: certificate, hashes) else {
                wrong.add(DistinguishedName.printable("CN=" + (text ?? "?").prefix(256)))
                return
            }
        }
        guard !wrong.isEmpty else { return }
        list.add(
            .strictSubjectName, expected: .text("a common name that is one of the alternative names"),
            found: wrong.value)
    }

    private static func countCommonNames(_ certificate: Certificate) -> Int {
        var count = 0
        forEachCommonName(certificate) { _ in count += 1 }
        return count
    }

    private static func forEachCommonName(_ certificate: Certificate, _ body: (DERElement) -> Void) {
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.subject)
        guard let sequence = try? outer.next("subject") else { return }
        var sets = outer.inside(sequence)
        while !sets.isAtEnd, let set = try? sets.next("subject") {
            var members = sets.inside(set)
            while !members.isAtEnd, let (type, value) = try? members.nextAttribute("subject") {
                if equals(span, type, OID.commonName.der) { body(value) }
            }
        }
    }

    /// Whether one of the alternative names is encoded exactly like `text`.
    private static func isName(_ text: String, of certificate: Certificate, _ hashes: Set<Int>?) -> Bool {
        let bytes = Array(text.utf8)
        // An address in a form other than the canonical one doesn't match any name.
        var address: [UInt8]?
        if let read = IPAddress(text), read.description.utf8.elementsEqual(bytes) {
            address = read.bytes
        }
        if let hashes {
            let isAddress = address.map { hashes.contains(hash(GeneralNameTag.ipAddress, $0)) } ?? false
            return isAddress || hashes.contains(hash(GeneralNameTag.dnsName, bytes))
        }
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.extensions.value(.subjectAlternativeName))
        guard var names = try? outer.nextSequence("subjectAltName") else { return false }
        while !names.isAtEnd, let name = try? names.next("subjectAltName") {
            switch name.tag {
            case GeneralNameTag.dnsName: if equals(span, name.contents, bytes) { return true }
            case GeneralNameTag.ipAddress: if let address, equals(span, name.contents, address) { return true }
            default: break
            }
        }
        return false
    }

    private static func hashedNames(_ certificate: Certificate) -> Set<Int> {
        let span = certificate.span
        var hashes: Set<Int> = []
        var outer = DERReader(span, certificate.storage.fields.extensions.value(.subjectAlternativeName))
        guard var names = try? outer.nextSequence("subjectAltName") else { return hashes }
        while !names.isAtEnd, let name = try? names.next("subjectAltName") {
            hashes.insert(hash(name.tag, certificate.copy(name.contents)))
        }
        return hashes
    }

    private static func hash(_ tag: UInt8, _ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        hasher.combine(tag)
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
