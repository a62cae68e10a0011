// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

/// A value that neither a description nor a dump shows.
package struct Secret<Value: Sendable & Hashable>: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package var description: String { "…" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

#endif
