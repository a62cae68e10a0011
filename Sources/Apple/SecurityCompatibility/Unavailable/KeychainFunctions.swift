// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// Names of the keychain. If a program uses one, the compiler prints the message.

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { -4 }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    -4
}

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { -4 }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { -4 }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
@discardableResult
public func SecCertificateAddToKeychain(_ certificate: SecCertificate, _ keychain: Any?) -> OSStatus { -4 }

@available(*, unavailable, message: "Linux has no keychain. SecPKCS12Import reads an identity from a file.")
@discardableResult
public func SecIdentityCopyPreferred(_ name: CFString, _ keyUsage: CFArray?, _ validIssuers: CFArray?)
    -> SecIdentity?
{ nil }

@available(*, unavailable, message: "Linux has no keychain. SecPKCS12Import reads an identity from a file.")
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus { -4 }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
@discardableResult
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Any? { nil }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public enum SecKeychain {}

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public enum SecKeychainItem {}

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public enum SecAccessControl {}
#endif
