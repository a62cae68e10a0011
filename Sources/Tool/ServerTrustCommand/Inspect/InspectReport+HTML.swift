// SPDX-License-Identifier: Apache-2.0

import Diagnosis

extension InspectReport {
    /// Returns the page for the sources and the relation of two objects.
    func html(
        _ sources: [InspectedSource], _ comparison: (result: ObjectComparison, names: (String, String))?
    ) -> [UInt8] {
        let relation = comparison.map { ObjectsPage.Relation($0.result, $0.names) }
        return ObjectsPage(
            sources.map {
                ObjectsPage.Source(
                    name: $0.name, objects: $0.objects,
                    notes: [$0.handshakeFailure?.message].compactMap { $0 } + $0.notes)
            },
            relation: relation, at: time, logNames: logNames, version: ToolVersion.current
        ).bytes()
    }
}
