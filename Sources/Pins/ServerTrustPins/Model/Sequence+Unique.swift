// SPDX-License-Identifier: Apache-2.0

extension Sequence {
    /// Returns the first element with each value.
    package func unique<Value: Hashable>(by value: (Element) -> Value) -> [Element] {
        var seen: Set<Value> = []
        return filter { seen.insert(value($0)).inserted }
    }
}
