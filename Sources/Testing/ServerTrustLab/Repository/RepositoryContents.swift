// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOConcurrencyHelpers

/// A repository's published resources and request counts, shared with the event loops.
final class RepositoryContents: Sendable {
    struct State {
        var resources: [String: LabResource] = [:]
        var requests: [String: Int] = [:]
        var requestCount = 0
        var unmodifiedCount = 0
        var folders: [String: Int] = [:]
    }

    let state = NIOLockedValueBox(State())

    func countUnmodified() { state.withLockedValue { $0.unmodifiedCount += 1 } }

    /// Finds the resource for a request's path, and counts the request.
    /// - Returns: the resource, and the rest of the path after the resource's own path, or nil for 404.
    func find(_ path: String) -> (resource: LabResource, rest: String)? {
        state.withLockedValue { state in
            state.requestCount += 1
            guard let found = state.resource(for: path) else { return nil }
            state.requests[found.path, default: 0] += 1
            return (found.resource, String(path.dropFirst(found.path.count)))
        }
    }
}

extension RepositoryContents.State {
    fileprivate func resource(for path: String) -> (path: String, resource: LabResource)? {
        if let resource = resources[path] { return (path, resource) }
        let above = resources.filter { path.hasPrefix($0.key.hasSuffix("/") ? $0.key : $0.key + "/") }
        guard let longest = above.max(by: { $0.key.count < $1.key.count }), case .ocsp = longest.value.content else {
            return nil
        }
        return (longest.key, longest.value)
    }
}

#endif
