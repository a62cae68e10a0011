// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation

// CoreFoundation functions and constants that trust code uses, with Foundation's values.

/// A Boolean value.
public typealias CFBoolean = Bool

// Apple's headers don't say that these are never nil, so programs write `kCFBooleanTrue!`.
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The value true; never nil.
public let kCFBooleanTrue: CFBoolean! = true
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The value false; never nil.
public let kCFBooleanFalse: CFBoolean! = false

/// The domain of an error.
public typealias CFErrorDomain = CFString

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// The domain of errors whose codes are statuses, such as ``errSecParam``; never nil.
public let kCFErrorDomainOSStatus: CFErrorDomain! = NSOSStatusErrorDomain

/// No error; the same number as ``errSecSuccess``.
public let noErr: OSStatus = 0

/// Creates an error.
/// - Parameters:
///   - allocator: ignored.
///   - domain: the domain. Nil means an empty string.
///   - code: the code.
///   - userInfo: the dictionary. Its keys are strings; others are left out.
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    let pairs = (userInfo ?? [:]).compactMap { key, value in (key as? String).map { ($0, value) } }
    return NSError(domain: domain ?? "", code: code, userInfo: Dictionary(pairs) { first, _ in first })
}

/// Returns whether two values are equal: certificates, keys, policies, strings, bytes, dates, numbers, and arrays
/// and dictionaries of these.
///
/// A trust object is only equal to itself. False for nil, and for values of types without equality.
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
    guard let cf1, let cf2 else { return false }
    // An NSString isn't equal to a String with the same text.
    if let left = cf1 as? String, let right = cf2 as? String { return left == right }
    if let left = cf1 as? AnyHashable, let right = cf2 as? AnyHashable { return left == right }
    if let left = cf1 as? [Any], let right = cf2 as? [Any] {
        return left.count == right.count && zip(left, right).allSatisfy { CFEqual($0, $1) }
    }
    guard let left = cf1 as? [AnyHashable: Any], let right = cf2 as? [AnyHashable: Any] else { return false }
    return left.count == right.count && left.allSatisfy { key, value in CFEqual(value, right[key]) }
}

/// Creates data from bytes. Returns nil for a negative length, or for nil bytes with a length.
public func CFDataCreate(
    _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
    guard length >= 0, bytes != nil || length == 0 else { return nil }
    return Data(UnsafeBufferPointer(start: bytes, count: length))
}

/// Returns the number of bytes, or 0 for nil.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData?.count ?? 0 }

/// Returns the bytes, or nil for nil.
///
/// Apple's function returns a pointer that is valid as long as the data. Here you get a copy, because Foundation's
/// data may release its memory earlier than you expect. Pass the copy wherever a pointer is expected: Swift passes
/// an array as a pointer that is valid during the call.
///
/// ```swift
/// let bytes = CFDataGetBytePtr(data)
/// let copy = NSData(bytes: bytes, length: CFDataGetLength(data))
/// CC_SHA256(CFDataGetBytePtr(data), CC_LONG(CFDataGetLength(data)), &digest)
/// ```
/// `UnsafeBufferPointer(start:count:)` would keep a pointer beyond the call, so it doesn't compile with the copy.
/// Use `data.withUnsafeBytes` there.
public func CFDataGetBytePtr(_ theData: CFData!) -> [UInt8]! { theData.map { [UInt8]($0) } }

// Overload resolution prefers these to the conversion of an array to a pointer. A call without `try` then doesn't
// compile.

extension UnsafeBufferPointer where Element == UInt8 {
    /// Always throws, because a pointer to the array would be dangling. Use `withUnsafeBytes`.
    @available(*, deprecated, message: "The pointer would be dangling. Use data.withUnsafeBytes instead.")
    public init(start: [UInt8]?, count: Int) throws { throw NSError.danglingPointer }
}

extension UnsafeRawBufferPointer {
    /// Always throws, because a pointer to the array would be dangling. Use `withUnsafeBytes`.
    @available(*, deprecated, message: "The pointer would be dangling. Use data.withUnsafeBytes instead.")
    public init(start: [UInt8]?, count: Int) throws { throw NSError.danglingPointer }
}

extension NSError {
    fileprivate static var danglingPointer: NSError {
        .status(errSecParam, "A pointer to an array is valid during a call only. Use withUnsafeBytes.")
    }
}
#endif
