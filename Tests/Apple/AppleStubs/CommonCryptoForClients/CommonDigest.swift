// SPDX-License-Identifier: Apache-2.0

// The part of CommonDigest.h that this package's app sources use. Only for type-checking on Linux
// (Tests/External/apple).

public typealias CC_LONG = UInt32

public struct CC_SHA256state_st: Sendable {
    public init() {}
}
public typealias CC_SHA256_CTX = CC_SHA256state_st

public var CC_SHA256_DIGEST_LENGTH: Int32 { 32 }

@discardableResult
public func CC_SHA256(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { nil }
@discardableResult public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 { 0 }
@discardableResult
public func CC_SHA256_Update(
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { 0 }
@discardableResult
public func CC_SHA256_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 { 0 }
