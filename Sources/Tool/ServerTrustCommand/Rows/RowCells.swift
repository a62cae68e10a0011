// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The cells that count in a table's row. Nil for a cell that the row doesn't have.
struct RowCells {
    /// A value with the name of its column.
    typealias Cell = (column: String, value: JSONValue.Content)

    var id: Cell?
    var host: Cell?
    var chain: Cell?
}
