// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Reads verdicts and exceptions as JSON. A record must be equal after it is written and read again, and must not
/// contradict itself. Writing a verdict shortens long texts and lists. The shortened record must not change any more.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let data = Data(UnsafeRawBufferPointer(start: start, count: count))
    if let verdict = try? JSONDecoder().decode(TrustVerdict.self, from: data) {
        precondition(verdict.isTrusted == verdict.failures.isEmpty)
        guard let written = try? JSONEncoder().encode(verdict),
            let once = try? JSONDecoder().decode(TrustVerdict.self, from: written)
        else { preconditionFailure("a record that can't be written and read") }
        precondition(once == verdict || isCut(String(decoding: written, as: UTF8.self)))
        precondition(once.isTrusted == verdict.isTrusted)
        let again = try? JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(once))
        precondition(again == once)
        precondition(!verdict.description.isEmpty)
        // No claim in a record may crash its use.
        _ = try? verdict.exceptions()
        _ = verdict.assertsExtendedValidation
    }
    if let exceptions = try? JSONDecoder().decode(TrustExceptions.self, from: data) {
        let again = try? JSONDecoder().decode(TrustExceptions.self, from: JSONEncoder().encode(exceptions))
        precondition(again == exceptions)
    }
    return 0
}

/// Returns whether a record says that it was shortened: a text ends in an ellipsis, or a list counts its omitted
/// elements.
private func isCut(_ record: String) -> Bool { record.contains("…") || record.contains("Omitted\":") }
