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
#endif
