// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust

@testable import PinUpdates

extension ListRoom {
    func store(_ folder: URL, floor: PinFloor? = nil) throws -> PinStore {
        try PinStore(file: folder.appendingPathComponent("pins.json").path, floor: try floor ?? self.floor())
    }
}

extension PinStore {
    /// Which of ``ListRoom/pins(_:)`` is in force.
    var pin: SPKIPin? { table.configuration.rules.first?.pins.first?.key }
}
