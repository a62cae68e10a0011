// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The input is a byte of options, then certificates, each after its length in two bytes. The first is the leaf, the
/// last the anchor. Validation ends within its budget, and an accepted path leads from this leaf to this anchor.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    guard let options = bytes.first else { return 0 }
    var certificates: [Certificate] = []
    var index = 1
    while index + 2 <= bytes.count, certificates.count < 64 {
        let length = Int(bytes[index]) << 8 | Int(bytes[index + 1])
        let end = min(index + 2 + length, bytes.count)
        if let certificate = try? Certificate(der: Array(bytes[(index + 2)..<end])) { certificates.append(certificate) }
        index = end
    }
    guard let leaf = certificates.first, let anchor = certificates.last else { return 0 }
    let policy = ValidationPolicy(
        profile: options & 1 == 0 ? .webPKI : .rfc5280, purpose: options & 2 == 0 ? .serverAuth : .any,
        isStrict: options & 4 != 0,
        certificatePolicies: .init(
            requireExplicit: options & 8 != 0, inhibitMapping: options & 16 != 0, inhibitAny: options & 32 != 0))
    let memory = SignatureMemory(capacity: 64)
    let validator = PathValidator(anchors: [anchor], policy: policy, memory: memory)
    let time = options & 64 == 0 ? leaf.notBefore : Time(secondsSinceEpoch: 1_704_067_200)
    let host = try? Hostname("example.com")
    let pool = Array(certificates.dropFirst().dropLast())
    let first = validator.validate(leaf, presented: pool, host: host, at: time)
    let again = validator.validate(leaf, presented: pool, host: host, at: time)
    switch (first, again) {
    case (.valid(let path), .valid(let other)):
        if path != other || path.leaf != leaf || path.anchor != anchor { fatalError("another path") }
        if time < path.validFrom || time > path.validUntil { fatalError("outside its validity") }
    case (.rejected(let rejection), .rejected):
        if rejection.failures.isEmpty { fatalError("rejected for no reason") }
        for failure in rejection.paths.flatMap(\.failures) { _ = failure.message }
    default:
        fatalError("the memory changed the answer")
    }
    return 0
}
