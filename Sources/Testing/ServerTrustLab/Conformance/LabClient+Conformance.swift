// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

extension LabClient.Report {
    /// Returns whether the outcome is the one that the server expects, a trusted server's response is complete, and a
    /// refused server received no part of a request.
    package func conforms(to server: LabServer) -> Bool {
        guard outcome == server.expected else { return false }
        return outcome.isTrusted ? isComplete : server.counts.requestBytes == 0
    }
}

#endif
