// SPDX-License-Identifier: Apache-2.0

import Diagnosis

extension InspectReport {
    /// Returns the page for the sources and the relation of two objects.
    func html(_ sources: [InspectedSource], _ comparison: ObjectsPage.Relation?) -> [UInt8] {
        let shown = sources.map { source in
            (
                name: source.name, objects: source.objects,
                notes: [source.handshakeFailure?.message].compactMap(\.self) + source.notes
            )
        }
        return ObjectsPage(
            shown, relation: comparison, at: time, logNames: logNames, version: ToolVersion.current
        ).bytes()
    }
}
