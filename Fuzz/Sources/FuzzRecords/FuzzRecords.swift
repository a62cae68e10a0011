// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Verdicts and exceptions as JSON. A record must be equal after writing and reading it again, and must not contradict
/// itself.
#if !REPLAY
    @c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let data = Data(UnsafeRawBufferPointer(start: start, count: count))
    if let verdict = try? JSONDecoder().decode(TrustVerdict.self, from: data) {
        precondition(verdict.isTrusted == verdict.failures.isEmpty)
        let again = try? JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict))
        precondition(again == verdict)
        precondition(!verdict.description.isEmpty)
        // No claim of a record may crash its use.
        _ = try? verdict.exceptions()
        _ = verdict.assertsExtendedValidation
    }
    if let exceptions = try? JSONDecoder().decode(TrustExceptions.self, from: data) {
        let again = try? JSONDecoder().decode(TrustExceptions.self, from: JSONEncoder().encode(exceptions))
        precondition(again == exceptions)
    }
    return 0
}
