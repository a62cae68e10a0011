// SPDX-License-Identifier: Apache-2.0

import Alamofire
import Foundation

/// The expected and the actual results of requests.
struct Table {
    private let lab: Lab
    private var rows: [(name: String, expected: String, found: String)] = []

    init(lab: Lab) { self.lab = lab }

    var hasDifference: Bool { rows.contains { $0.expected != $0.found } }

    mutating func accepts(
        _ name: String, _ server: Lab.Server, _ session: Session, byAddress: Bool = false
    ) async {
        await append(name, "accepted", server, session, byAddress)
    }

    /// Expects a refusal. The server must not receive a request either.
    mutating func refuses(
        _ name: String, _ server: Lab.Server, _ session: Session, _ reason: String, byAddress: Bool = false
    ) async {
        await append(name, "refused: \(reason)", server, session, byAddress)
    }

    private mutating func append(
        _ name: String, _ expected: String, _ server: Lab.Server, _ session: Session, _ byAddress: Bool
    ) async {
        let before = server.requests
        let response = await session.request(byAddress ? server.addressURL : server.url).validate().serializingData()
            .response
        let requests = server.requests - before
        var found = response.error.map { "refused: \(Self.reason($0))" } ?? "accepted"
        if requests != (response.error == nil ? 1 : 0) { found += ", \(requests) requests" }
        rows.append((name, expected, found))
    }

    /// Returns the name of Alamofire's reason, without its values, or the code of any other error.
    private static func reason(_ error: AFError) -> String {
        if case .serverTrustEvaluationFailed(let reason) = error {
            return Mirror(reflecting: reason).children.first?.label ?? "\(reason)"
        }
        if let error = error.underlyingError as? URLError { return "URLError \(error.code.rawValue)" }
        return "\(error)"
    }

    var text: String {
        func line(_ cells: [String]) -> String {
            cells[0].padding(toLength: 46, withPad: " ", startingAt: 0)
                + cells[1].padding(toLength: 36, withPad: " ", startingAt: 0) + cells[2]
        }
        var lines = [line(["session", "expected", "found"])]
        for row in rows {
            lines.append(line([row.name, row.expected, row.found]) + (row.expected == row.found ? "" : "  <- differs"))
        }
        let right = rows.count { $0.expected == $0.found }
        return lines.joined(separator: "\n") + "\n\(right) of \(rows.count) as expected"
    }
}
