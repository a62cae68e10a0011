// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust

/// Reads the inputs of an app's configuration: files with something to pin, pins, host patterns, and sources with pins.
///
/// Every pin must be the pin of the bytes that it was made from, and a pattern's text must parse as an equal pattern.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    for entry in PinSource.entries(in: bytes, name: "input") {
        switch entry {
        case .success(let source):
            switch source.origin {
            case .certificate(let certificate):
                precondition(source.pin == SPKIPin(certificate.subjectPublicKeyInfo))
            case .publicKey(let key): precondition(source.pin == SPKIPin(key))
            case .certificateRequest(let request):
                // An altered request must never be pinned.
                precondition(request.signatureStatus == .valid)
                precondition(source.pin == SPKIPin(request.subjectPublicKeyInfo))
            }
        case .failure(let error): precondition(!error.description.isEmpty)
        }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let pattern = try? HostPattern(text) {
        precondition((try? HostPattern(pattern.description)) == pattern)
    }
    if let pin = try? SPKIPin(text) { precondition((try? SPKIPin(pin.description)) == pin) }
    _ = try? Certificate(base64: text)
    for file in ["A.kt", "A.java", "A.swift", "A.m", "A.ts", "file"] { source(bytes, file) }
    return 0
}

/// Reads a source in a language, as the detected format and as each format of sources and tools. The result must not
/// change when it is written and read in this package's own format.
private func source(_ bytes: [UInt8], _ file: String) {
    for format in [nil, PinFormat.okHttp, .trustKit, .reactNative, .ats, .curl, .git, .tlsa] {
        let configuration: PinConfiguration
        do throws(PinFileError) {
            configuration = try PinConfiguration(importing: bytes, as: format, file: file)
        } catch {
            precondition(!error.problems.isEmpty)
            continue
        }
        _ = try? configuration.serverTrustConfiguration()
        // Every conversion loses entries that pin nothing, so the rules are compared without them.
        guard let own = try? configuration.written(as: .json) else { continue }
        guard let again = try? PinConfiguration(importing: own.bytes, as: .json, file: "again") else {
            preconditionFailure("own format not readable")
        }
        precondition(configuration.losses(in: again).isEmpty && again.losses(in: configuration).isEmpty)
    }
}
