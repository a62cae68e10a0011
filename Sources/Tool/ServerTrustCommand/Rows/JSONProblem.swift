// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The reason for which a line is no JSON object.
enum JSONProblem {
    /// Returns the reason on one line.
    static func describe(_ error: any Error, in line: Data) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "another JSON value" }
        // The decoder says that it is wrong, the older parser says where.
        do {
            _ = try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)
            return context.debugDescription
        } catch {
            return (error as NSError).userInfo["NSDebugDescription"] as? String ?? context.debugDescription
        }
    }
}
