// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import TrustScenes

@testable import ServerTrust

/// A substitute for the operating system that always gives one answer and records its calls.
final class FakeSystem: SystemEvaluator {
    private let answer: SystemEvaluationResponse
    private let asked = Locked<[SystemEvaluationRequest]>([])

    init(_ answer: SystemEvaluationResponse) { self.answer = answer }

    static func trusting(
        _ path: [Certificate], resultType: UInt32 = 4, checked: [TrustCheck] = []
    ) -> FakeSystem {
        FakeSystem(.trusted(SystemFinding(resultType: resultType, path: path.map(\.der), checked: checked)))
    }

    static func refusing(_ path: [Certificate], _ status: Int32, resultType: UInt32 = 5) -> FakeSystem {
        FakeSystem(.refused(SystemFinding(resultType: resultType, path: path.map(\.der)), status: status))
    }

    var questions: [SystemEvaluationRequest] { asked.withLock { $0 } }

    func evaluate(_ question: SystemEvaluationRequest) -> SystemEvaluationResponse {
        asked.withLock { $0.append(question) }
        return answer
    }
}

extension TrustScene {
    /// A trust as the bridge creates it from a `SecTrust`: the system's anchors, the system's evaluator.
    func systemTrust(
        _ system: FakeSystem, _ change: (inout Trust) -> Void = { _ in }
    ) -> Trust {
        trust {
            $0.anchors = .system
            $0.systemEvaluator = system
            change(&$0)
        }
    }
}
