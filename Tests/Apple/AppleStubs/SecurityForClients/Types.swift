// SPDX-License-Identifier: Apache-2.0

// Declarations of Apple's Security framework, and the parts of CoreFoundation it needs. Only for type-checking app
// sources on Linux (Tests/External/apple), and not a target of the package. The names, labels, optionality and
// deprecations match the Swift interface that Xcode generates (macOS 10.15 SDK and later documentation). They have
// never been compared with an SDK, and were written without looking at Sources/Apple/SecurityCompatibility.
//
// On Linux `as CFArray` doesn't bridge, so the CoreFoundation types are Foundation's value types here. On Apple
// platforms they are classes, and the same casts bridge to them. The stubs don't detect a source that passes an array
// without a cast.
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

// CFType classes conform to Hashable through CFEqual and CFHash, but not to Sendable.
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

/// Stops the program. Nothing calls the stubs' functions.
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
