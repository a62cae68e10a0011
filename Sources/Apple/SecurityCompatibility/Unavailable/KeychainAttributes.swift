// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// Attributes of the keychain. If a program uses one, the compiler prints the message.

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecClass: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecClassCertificate: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecClassIdentity: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecClassKey: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecClassGenericPassword: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecClassInternetPassword: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessible: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessibleWhenUnlocked: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessibleAfterFirstUnlock: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessibleAlways: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessControl: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccessGroup: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrAccount: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrService: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrServer: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrLabel: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrApplicationLabel: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrApplicationTag: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecAttrSynchronizable: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecReturnData: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecReturnAttributes: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecReturnRef: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecReturnPersistentRef: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchLimit: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchLimitOne: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchLimitAll: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecMatchSearchList: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecValueData: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecValueRef: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecValuePersistentRef: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecUseDataProtectionKeychain: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecUseAuthenticationContext: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain. Use files, and an ExceptionStore for exceptions.")
public var kSecUseAuthenticationUI: CFString { "" }

@available(*, unavailable, message: "Linux has no keychain, so no function returns this.")
public var errSecDuplicateItem: OSStatus { -25299 }

@available(*, unavailable, message: "Linux has no keychain, so no function returns this.")
public var errSecInteractionNotAllowed: OSStatus { -25308 }

@available(*, unavailable, message: "Linux has no keychain, so no function returns this.")
public var errSecMissingEntitlement: OSStatus { -34018 }

@available(*, unavailable, message: "Linux has no keychain, so no function returns this.")
public var errSecUserCanceled: OSStatus { -128 }

@available(*, unavailable, message: "Linux has no keychain, so no function returns this.")
public var errSecNotAvailable: OSStatus { -25291 }
#endif
