// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import PKIX

// The CoreFoundation types that the Security framework's functions take, as Foundation's values. `as CFData`, `as
// CFArray` and `as? [SecCertificate]` compile and need no bridging. A file that also imports CoreFoundation has two
// declarations of each type.

/// An array of any values: `certificates as CFArray`, `chain as? [SecCertificate]`.
public typealias CFArray = [Any]
/// Bytes.
public typealias CFData = Data
/// A string.
public typealias CFString = String
/// A date.
public typealias CFDate = Date
/// A dictionary. In all functions here, its keys are strings: `attributes as? [String: Any]`.
public typealias CFDictionary = [AnyHashable: Any]
/// An error with a domain, a code and a dictionary. It is a class, so that `Unmanaged<CFError>` compiles.
public typealias CFError = NSError
/// Any value.
public typealias CFTypeRef = Any
/// Seconds since 2001-01-01T00:00:00Z.
public typealias CFAbsoluteTime = Double
/// An index or a count.
public typealias CFIndex = Int
/// Flags.
public typealias CFOptionFlags = UInt
/// The status of a function of the Security framework; `errSecSuccess` or a constant that names the error.
public typealias OSStatus = Int32

/// An allocator. Swift allocates memory. The parameter only completes the signatures.
public enum CFAllocator: Sendable {}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

/// A Boolean value in Apple's C interfaces.
public struct DarwinBoolean: Sendable, Hashable, ExpressibleByBooleanLiteral {
    /// The value.
    public var boolValue: Bool
    /// Creates a Boolean value.
    public init(_ value: Bool) { self.boolValue = value }
    /// Creates a Boolean value from a literal.
    public init(booleanLiteral value: Bool) { self.boolValue = value }
}

// Apple's headers don't mark these parameters as nullable. Passing an optional compiles, but nil is undefined.
// Here, nil means an empty value.

/// Returns the code of an error, or 0 for nil.
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err?.code ?? 0 }
/// Returns the domain of an error, or nil for nil.
public func CFErrorGetDomain(_ err: CFError!) -> CFString! { err?.domain }
/// Returns the description of an error, for display, or nil for nil.
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { err?.localizedDescription }
/// Returns the dictionary of an error, or nil for nil.
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { err?.userInfo }

/// Returns the number of elements, or 0 for nil.
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray?.count ?? 0 }
/// Returns a date.
public func CFDateCreate(_ allocator: CFAllocator!, _ at: CFAbsoluteTime) -> CFDate! {
    Date(timeIntervalSinceReferenceDate: at)
}
/// Returns the seconds from 2001-01-01T00:00:00Z to a date, or 0 for nil.
public func CFDateGetAbsoluteTime(_ theDate: CFDate!) -> CFAbsoluteTime {
    theDate?.timeIntervalSinceReferenceDate ?? 0
}
/// Returns the seconds since 2001-01-01T00:00:00Z by the machine's clock.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

extension Date {
    init(_ time: Time) { self.init(timeIntervalSince1970: Double(time.secondsSinceEpoch)) }
}

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
