// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Verdicts and exceptions as JSON. What is read has to be written and read again as the same, and must not contradict itself.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let data = Data(UnsafeRawBufferPointer(start: start, count: count))
    if let verdict = try? JSONDecoder().decode(TrustVerdict.self, from: data) {
        precondition(verdict.isTrusted == verdict.failures.isEmpty)
        let again = try? JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict))
        precondition(again == verdict)
        precondition(!verdict.description.isEmpty)
        // Nothing that a record claims may crash what is done with it.
        _ = try? verdict.exceptions()
        _ = verdict.assertsExtendedValidation
    }
    if let exceptions = try? JSONDecoder().decode(TrustExceptions.self, from: data) {
        let again = try? JSONDecoder().decode(TrustExceptions.self, from: JSONEncoder().encode(exceptions))
        precondition(again == exceptions)
    }
    return 0
}
