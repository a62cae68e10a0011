// SPDX-License-Identifier: Apache-2.0

/// An encoded name and its range in a certificate. Two values are equal if their bytes are equal.
struct EncodedName: Hashable {
    let certificate: Certificate
    /// The range of the name, including tag and length.
    let range: ByteRange

    static func == (left: EncodedName, right: EncodedName) -> Bool {
        bytesEqual(left.certificate.span, left.range, right.certificate.span, right.range)
    }

    func hash(into hasher: inout Hasher) {
        unsafe certificate.span.extracting(range.indices).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

/// The normalized names of a search. Each encoding is normalized only once.
struct NormalizedNames {
    private var names: [EncodedName: NormalizedName] = [:]

    /// Returns the name, or nil if the meter refuses the work.
    mutating func name(_ encoded: EncodedName, _ meter: inout WorkMeter) -> NormalizedName? {
        guard meter.charge(work: encoded.range.count) else { return nil }
        if let known = names[encoded] { return known }
        let span = encoded.certificate.span
        guard meter.charge(work: NormalizedName.cost(span, encoded.range)) else { return nil }
        let name = NormalizedName(span, encoded.range)
        names[encoded] = name
        return name
    }
}
