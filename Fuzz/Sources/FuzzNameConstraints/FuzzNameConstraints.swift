// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The input is an extension value for a CA (name constraints), one for a leaf (alternative names) and a subject for
/// the leaf. The lengths of the first two come first, in two bytes each. The target builds certificates from them. It
/// signs nothing, so validation must never accept anything.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    guard bytes.count >= 4 else { return 0 }
    let first = 4 + min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 4)
    let second = first + min(Int(bytes[2]) << 8 | Int(bytes[3]), bytes.count - first)
    let constraints = Array(bytes[4..<first])
    let names = Array(bytes[first..<second])
    let subject = second == bytes.count ? [0x30, 0x00] : Array(bytes[second...])

    let issuer = sequence(name("CA"))
    let authority = certificate(
        issuer: issuer, subject: issuer,
        extensions: `extension`([0x55, 0x1d, 0x13], [0x30, 0x03, 0x01, 0x01, 0xff])
            + `extension`([0x55, 0x1d, 0x1e], constraints))
    let leaf = certificate(issuer: issuer, subject: subject, extensions: `extension`([0x55, 0x1d, 0x11], names))
    guard let authority = try? Certificate(der: authority), let leaf = try? Certificate(der: leaf) else { return 0 }
    for strict in [false, true] {
        let validator = PathValidator(
            anchors: [authority], policy: ValidationPolicy(isStrict: strict), memory: nil)
        guard case .rejected(let rejection) = validator.validate(leaf, host: nil, at: leaf.notBefore) else {
            fatalError("accepted without a signature")
        }
        for failure in rejection.failures { _ = failure.message }
    }
    return 0
}

private func tlv(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    if contents.count < 128 { return [tag, UInt8(contents.count)] + contents }
    if contents.count < 256 { return [tag, 0x81, UInt8(contents.count)] + contents }
    if contents.count < 65_536 {
        return [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 255)] + contents
    }
    return [tag, 0x83, UInt8(contents.count >> 16), UInt8(contents.count >> 8 & 255), UInt8(contents.count & 255)]
        + contents
}

private func sequence(_ contents: [UInt8]) -> [UInt8] { tlv(0x30, contents) }

private func name(_ commonName: String) -> [UInt8] {
    tlv(0x31, sequence(tlv(0x06, [0x55, 0x04, 0x03]) + tlv(0x0c, Array(commonName.utf8))))
}

private func `extension`(_ oid: [UInt8], _ value: [UInt8]) -> [UInt8] { sequence(tlv(0x06, oid) + tlv(0x04, value)) }

private func certificate(issuer: [UInt8], subject: [UInt8], extensions: [UInt8]) -> [UInt8] {
    let ed25519 = sequence(tlv(0x06, [0x2b, 0x65, 0x70]))
    let tbs = sequence(
        tlv(0xa0, tlv(0x02, [2])) + tlv(0x02, [1]) + ed25519 + issuer
            + sequence(tlv(0x17, Array("200101000000Z".utf8)) + tlv(0x17, Array("490101000000Z".utf8))) + subject
            + sequence(ed25519 + tlv(0x03, [0] + [UInt8](repeating: 7, count: 32))) + tlv(0xa3, sequence(extensions)))
    return sequence(tbs + ed25519 + tlv(0x03, [0] + [UInt8](repeating: 0, count: 64)))
}
