// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust

@testable import ServerTrustPins

extension ListFixture {
    func store(_ folder: URL, builtIn: BuiltInPinList? = nil) throws -> PinStore {
        try PinStore(file: folder.appendingPathComponent("pins.json").path, builtIn: try builtIn ?? self.builtIn())
    }
}

extension PinStore {
    /// The current pin, from ``ListFixture/pins(_:)``.
    var pin: SPKIPin? { table.configuration.rules.first?.pins.first?.key }
}
