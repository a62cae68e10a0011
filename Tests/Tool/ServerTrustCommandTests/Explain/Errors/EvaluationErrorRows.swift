// SPDX-License-Identifier: Apache-2.0

import PKIX

@testable import ServerTrust

extension ErrorRow {
    /// Errors from evaluators, managers and exceptions.
    static let evaluation: [ErrorRow] = evaluators + managers + exceptions

    private static let evaluators: [ErrorRow] = [
        evaluator(.evaluatorKeysMissing) { try PublicKeysTrustEvaluator(keys: []) },
        evaluator(.evaluatorCertificatesMissing) { try CertificateAuthorityTrustEvaluator(authorities: []) },
        evaluator(.evaluatorMembersMissing) { try CompositeTrustEvaluator(evaluators: []) },
    ]

    private static func evaluator(_ code: ErrorCode, _ create: () throws -> Any) -> ErrorRow {
        ErrorRow(TrustEvaluatorError.self, code, { _ in [:] }, by: create)
    }

    // MARK: - Managers

    private static let managers: [ErrorRow] = [
        manager(.hostPatternRepeated, [DefaultTrustEvaluator(), DefaultTrustEvaluator()]),
        manager(.hostRuleAcceptsAnyServer, [DisabledTrustEvaluator.insecurelyTrustingAnyServer]),
        ErrorRow(
            ServerTrustManagerError.Problem.self, .hostPatternRepeated, having: ["pattern": "a.test"],
            { ["pattern": $0.pattern] }
        ) {
            do throws(ServerTrustManagerError) {
                return try made([DefaultTrustEvaluator(), DefaultTrustEvaluator()])
            } catch {
                throw error.problems[0]
            }
        },
    ]

    private static func manager(_ code: ErrorCode, _ evaluators: [any TrustEvaluator]) -> ErrorRow {
        ErrorRow(ServerTrustManagerError.self, code, { ["problems": $0.problems] }) { try made(evaluators) }
    }

    /// Returns a manager with a rule for each evaluator, all for the same host.
    private static func made(_ evaluators: [any TrustEvaluator]) throws(ServerTrustManagerError) -> ServerTrustManager {
        guard let host = try? HostPattern("a.test") else { return ServerTrustManager() }
        return try ServerTrustManager(rules: evaluators.map { (host, HostRule.enforced($0)) })
    }

    // MARK: - Exceptions

    private static let exceptions: [ErrorRow] = [
        exception(TrustExceptionsError(.exceptionNotNeeded)),
        exception(TrustExceptionsError(.exceptionHostMissing)),
        exception(
            TrustExceptionsError(
                .exceptionNotPermitted, [TrustFailure(.signatureInvalid, certificate: 0, role: .leaf)])),
    ]

    private static func exception(_ error: TrustExceptionsError) -> ErrorRow {
        ErrorRow(error) { ["failures": $0.failures.isEmpty ? nil : $0.failures] }
    }
}
