// SPDX-License-Identifier: Apache-2.0

// Declarations of Apple's Security framework, and of CoreFoundation as far as it takes part, for sources of apps: type-checking on Linux
// alone (Tests/External/apple), no target of the package. The names, labels, optionality and deprecations are those of the
// interface that Xcode generates for Swift (macOS 10.15 SDK and later documentation; read, not compared with an SDK here), written without
// a look into Sources/Apple/SecurityCompatibility.
//
// On Linux `as CFArray` bridges nothing, so that the types of CoreFoundation are Foundation's values here. On Apple platforms they are
// classes to which the same casts bridge. Not found by these stubs: a source that passes an array without a cast.
@_exported import Dispatch
import Foundation

public typealias CFTypeRef = Any
public typealias CFArray = [Any]
public typealias CFData = Data
public typealias CFDate = Date
public typealias CFDictionary = [AnyHashable: Any]
public typealias CFString = String
public typealias CFError = NSError
public typealias CFAbsoluteTime = CFTimeInterval
public typealias CFTimeInterval = Double
public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias OSStatus = Int32

public enum CFAllocator: Sendable {}
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFAllocatorDefault: CFAllocator! = nil

public struct DarwinBoolean: ExpressibleByBooleanLiteral, Sendable {
    public init(_ value: Bool) { self.boolValue = value }
    public init(booleanLiteral value: Bool) { self.boolValue = value }
    public var boolValue: Bool
}

// CFType classes conform to Hashable by CFEqual and CFHash, and not to Sendable.
public class StubCFType: Hashable {
    init() {}
    public static func == (left: StubCFType, right: StubCFType) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
public final class SecTrust: StubCFType {}
public final class SecPolicy: StubCFType {}
public final class SecCertificate: StubCFType {}
public final class SecKey: StubCFType {}
public final class SecIdentity: StubCFType {}

/// No function of the stubs is called.
func stub() -> Never { fatalError("a stub was called") }

// MARK: - CFError.h, CFArray.h, CFDate.h: not annotated for nil

@discardableResult public func CFErrorGetDomain(_ err: CFError!) -> CFString! { stub() }
@discardableResult public func CFErrorGetCode(_ err: CFError!) -> CFIndex { stub() }
@discardableResult public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { stub() }
@discardableResult public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { stub() }
@discardableResult public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { stub() }
@discardableResult public func CFDateCreate(_ allocator: CFAllocator!, _ at: CFAbsoluteTime) -> CFDate! { stub() }
@discardableResult public func CFDateGetAbsoluteTime(_ theDate: CFDate!) -> CFAbsoluteTime { stub() }
@discardableResult public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { stub() }
