// SPDX-License-Identifier: Apache-2.0

/// An encoded name where it stands in a certificate. Equal spellings have equal bytes.
struct NameSpelling: Hashable {
    let certificate: Certificate
    /// Tag and length included.
    let range: ByteRange

    static func == (left: NameSpelling, right: NameSpelling) -> Bool {
        bytesEqual(left.certificate.span, left.range, right.certificate.span, right.range)
    }

    func hash(into hasher: inout Hasher) {
        unsafe certificate.span.extracting(range.indices).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

/// The normalised names of a search. Each spelling is normalised once.
struct NormalizedNames {
    private var names: [NameSpelling: NormalizedName] = [:]

    /// Returns the name; nil if the meter refuses the work.
    mutating func name(_ spelling: NameSpelling, _ meter: inout WorkMeter) -> NormalizedName? {
        guard meter.charge(work: spelling.range.count) else { return nil }
        if let known = names[spelling] { return known }
        let span = spelling.certificate.span
        guard meter.charge(work: NormalizedName.cost(span, spelling.range)) else { return nil }
        let name = NormalizedName(span, spelling.range)
        names[spelling] = name
        return name
    }
}
