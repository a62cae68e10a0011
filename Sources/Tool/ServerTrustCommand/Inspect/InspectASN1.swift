// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The ASN.1 dump of sources for `servertrust inspect --format asn1`.
enum InspectASN1 {
    /// The maximum number of lines for an object. With `--long`, an object may have more lines.
    static let usualLines = 10_000
    static let maximumLines = 1_000_000

    /// Returns the dumps of a source's objects, each with the object's name, and whether an object is damaged.
    ///
    /// Containers appear as they are in the file, without decoding their contents. Numbers and strings of private keys
    /// are omitted.
    static func text(_ source: InspectedSource, isOnly: Bool, isLong: Bool) -> (text: String, isDamaged: Bool) {
        let parts = parts(source)
        // A private key in an unencrypted container is one of the container's values.
        let isSecret = parts.count == 1 && source.objects.contains { $0.kind == .privateKey }
        var text = ""
        var isDamaged = false
        for (index, part) in parts.enumerated() {
            if index > 0 { text += "\n" }
            if parts.count > 1 {
                text += "\(printable(source.name)): \(index + 1) \(printable(part.name))\n"
            } else if !isOnly {
                text += printable(source.name) + "\n"
            }
            let dump = ASN1Dump(part.der, maximumLines: isLong ? maximumLines : usualLines, isSecret: isSecret)
            text += dump.text
            if dump.omitted > 0, !isLong { text += "--long shows more\n" }
            if dump.isBroken { isDamaged = true }
        }
        return (text, isDamaged)
    }

    private static func parts(_ source: InspectedSource) -> [(name: String, der: [UInt8])] {
        let blocks = PEM.blocks(in: source.bytes).compactMap { try? $0.get() }
        guard blocks.isEmpty else { return blocks.map { ($0.label, $0.der) } }
        let containers: [InspectedObject.Layer] = [.pkcs7, .pkcs12]
        let isContainer = source.objects.contains { !Set($0.place.layers).isDisjoint(with: containers) }
        let isEncoded = source.objects.contains { !$0.place.layers.isEmpty } || source.bytes.isEmpty
        let objects = source.objects.filter { !$0.der.isEmpty }
        guard isEncoded, !isContainer || source.bytes.isEmpty, !objects.isEmpty else { return [("file", source.bytes)] }
        return objects.map { ($0.label ?? $0.kind?.rawValue ?? "object", $0.der) }
    }
}
