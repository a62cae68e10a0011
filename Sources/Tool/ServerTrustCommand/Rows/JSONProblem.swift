// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The reason why a line isn't a JSON object.
enum JSONProblem {
    /// Returns the reason on one line.
    static func describe(_ error: any Error, in line: Data) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "another JSON value" }
        // The decoder shows that the line is wrong. The older parser also shows where.
        do {
            _ = try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)
            return context.debugDescription
        } catch {
            return (error as NSError).userInfo["NSDebugDescription"] as? String ?? context.debugDescription
        }
    }
}
