// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

/// A resource that a scenario's repository publishes.
struct PublishedResource: Sendable {
    /// The last component of its path.
    let name: String
    let resource: LabResource

    init(_ name: String, _ resource: LabResource) {
        self.name = name
        self.resource = resource
    }
}

#endif
