/// Checks on DER as such, without knowing what it encodes.
public enum DER {
    /// How deeply values may be nested in ``validate(_:maximumDepth:)`` unless told otherwise.
    ///
    /// A certificate needs 12 (a directory name inside name constraints); 32 leaves room for formats around it.
    public static let defaultMaximumDepth = 32

    /// Checks that `bytes` are one value in strict DER: minimal definite lengths all the way down, nothing after the end.
    ///
    /// The framing of constructed values is checked to the bottom, and the contents of BOOLEAN, INTEGER and
    /// OBJECT IDENTIFIER. Not checked: alphabets of strings, order of sets, contents of context-specific primitives.
    /// - Parameters:
    ///   - bytes: the encoding.
    ///   - maximumDepth: how many values may stand inside one another, from 1.
    /// - Throws: ``DERError`` naming the first byte that is wrong.
    public static func validate(_ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth) throws(DERError) {
        guard bytes.count <= Int(Int32.max) else {
            throw DERError(.limitExceeded(limit: Int(Int32.max)), in: "value", at: 0)
        }
        var reader = DERReader(bytes.span)
        try validateNext(&reader, depth: 1, maximumDepth: maximumDepth)
        try reader.finish("value")
    }

    private static func validateNext(
        _ reader: inout DERReader, depth: Int, maximumDepth: Int
    ) throws(DERError) {
        let element = try reader.next("value")
        guard depth <= maximumDepth else {
            throw DERError(.limitExceeded(limit: maximumDepth), in: "nesting", at: element.start)
        }
        switch element.tag {
        case DERTag.boolean: _ = try reader.boolean(element, "boolean")
        case DERTag.integer, DERTag.enumerated: try reader.checkInteger(element, "integer")
        case DERTag.objectIdentifier: try reader.checkObjectIdentifier(element, "object identifier")
        default: break
        }
        guard element.isConstructed else { return }
        var inner = reader.inside(element)
        while !inner.isAtEnd {
            try validateNext(&inner, depth: depth + 1, maximumDepth: maximumDepth)
        }
    }
}
