// SPDX-License-Identifier: Apache-2.0

/// Checks on DER, regardless of the type that it encodes.
package enum DER {
    /// The default for ``validate(_:maximumDepth:)``.
    ///
    /// A certificate needs 12 (a directory name inside name constraints). The default of 32 leaves room for formats
    /// that contain certificates.
    static let defaultMaximumDepth = 32

    /// Checks that `bytes` are one value in strict DER: minimal definite lengths on every level, and nothing after the
    /// end.
    ///
    /// Checks the framing of constructed values on all levels, and the contents of BOOLEAN, INTEGER and OBJECT
    /// IDENTIFIER. Doesn't check the alphabets of strings, the order of sets, or the contents of context-specific
    /// primitives.
    /// - Parameters:
    ///   - bytes: the encoding.
    ///   - maximumDepth: the largest number of nested values, at least 1. A certificate needs 12.
    /// - Throws: ``DERError`` with the position of the first wrong byte.
    package static func validate(_ bytes: [UInt8], maximumDepth: Int = 32) throws(DERError) {
        guard bytes.count <= Int(Int32.max) else {
            throw DERError(.limitExceeded(limit: Int(Int32.max)), in: "value", at: 0)
        }
        let view = bytes[...]
        var reader = DERReader(view.span)
        let element = try reader.next("value")
        try reader.checkWellFormed(element, "value", depth: 1, maximumDepth: maximumDepth)
        try reader.finish("value")
    }
}

extension DERReader {
    /// Checks a value of any type on every level, for fields of type ANY.
    func checkWellFormed(
        _ element: DERElement, _ field: StaticString, depth: Int = 1, maximumDepth: Int = DER.defaultMaximumDepth
    ) throws(DERError) {
        guard depth <= maximumDepth else {
            throw DERError(.limitExceeded(limit: maximumDepth), in: field, at: element.start)
        }
        // X.690 §§ 8.9, 8.11, 10.2: of the universal types, sequences and sets (and EXTERNAL and similar types) are
        // constructed, all others primitive.
        if element.tag & 0xc0 == 0 {
            switch element.tag {
            case 0x30, 0x31, 0x28, 0x2b, 0x01...0x07, 0x09, 0x0a, 0x0c, 0x0d, 0x0e, 0x12...0x1e: break
            default:
                throw DERError(
                    .invalid("tag \(hexByte(element.tag)) in a form that its type doesn't allow"), in: field,
                    at: element.start)
            }
        }
        switch element.tag {
        case DERTag.boolean: _ = try boolean(element, field)
        case DERTag.integer, DERTag.enumerated: try checkInteger(element, field)
        case DERTag.objectIdentifier: try checkObjectIdentifier(element, field)
        case DERTag.bitString: try checkBitString(element, field)
        case DERTag.null:
            guard element.contentCount == 0 else { throw DERError(.trailingBytes, in: field, at: element.content) }
        default: break
        }
        guard element.isConstructed else { return }
        var inner = inside(element)
        while !inner.isAtEnd {
            let member = try inner.next(field)
            try inner.checkWellFormed(member, field, depth: depth + 1, maximumDepth: maximumDepth)
        }
    }
}
