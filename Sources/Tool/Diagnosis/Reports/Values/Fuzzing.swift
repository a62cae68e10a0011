// SPDX-License-Identifier: Apache-2.0

extension TrustReport {
    /// Parses bytes as a file of any kind, with the passphrase "p" everywhere and at most 1,000 iterations.
    /// - Returns: the number of objects, the size of all objects' DER in bytes, and the longest problem text.
    @_spi(Fuzzing)
    public static func readFile(_ bytes: [UInt8]) -> (objects: Int, size: Int, longestText: String) {
        var limits = ReadingLimits()
        limits.iterations = 1_000
        limits.keys = 4
        let file = InspectionReader.read(bytes, name: "f", limits: limits) { _ in "p" }
        var texts = file.objects.compactMap { $0.problem?.description }
        for entry in file.certificates(for: .anchor(.serverAuth)) {
            if case .failure(let error) = entry { texts.append(error.description) }
        }
        return (
            file.objects.count, file.objects.reduce(0) { $0 + $1.der.count },
            texts.max { $0.utf8.count < $1.utf8.count } ?? ""
        )
    }
}
