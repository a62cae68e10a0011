// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
@_spi(Reflection) import Swift

/// A stored property of a Foundation class without a public setter, found in the runtime's metadata.
struct StoredMember {
    /// The distance in bytes from the start of an object.
    let offset: Int
    let type: Any.Type
}

extension StoredMember {
    /// Finds a stored property by its name.
    /// - Returns: nil if the class declares no property of this name, or has it at an offset that its type can't
    ///   have.
    init?(_ name: String, of owner: AnyClass) {
        var found: StoredMember?
        // `_EachFieldOptions.classType`, which isn't declared as a constant.
        _ = _forEachField(of: owner, options: _EachFieldOptions(rawValue: 1)) { field, offset, type, _ in
            guard String(cString: field) == name else { return true }
            found = StoredMember(offset: offset, type: type)
            return false
        }
        guard let found, found.offset > 0, found.offset % found.alignment == 0 else { return nil }
        self = found
    }

    private var alignment: Int {
        func read<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.alignment }
        return _openExistential(type, do: read)
    }

    /// Returns the value of the property. Call this method on the queue that the property belongs to.
    /// - Parameter object: an instance of the class. The property isn't a weak or unowned reference.
    func value(of object: AnyObject) -> Any {
        func read<Value>(_ type: Value.Type) -> Any {
            (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: type).pointee
        }
        return withExtendedLifetime(object) { _openExistential(type, do: read) }
    }
}
#endif
