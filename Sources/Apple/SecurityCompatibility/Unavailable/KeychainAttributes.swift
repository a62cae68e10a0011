// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    // Attributes of the keychain. If a program uses one, the compiler prints the message.

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecClass: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecClassCertificate: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecClassIdentity: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecClassKey: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecClassGenericPassword: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecClassInternetPassword: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessible: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessibleWhenUnlocked: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessibleAfterFirstUnlock: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessibleAlways: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessControl: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccessGroup: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrAccount: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrService: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrServer: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrLabel: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrApplicationLabel: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrApplicationTag: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecAttrSynchronizable: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecReturnData: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecReturnAttributes: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecReturnRef: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecReturnPersistentRef: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchLimit: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchLimitOne: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchLimitAll: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecMatchSearchList: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecValueData: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecValueRef: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecValuePersistentRef: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecUseDataProtectionKeychain: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecUseAuthenticationContext: CFString { "" }

    @available(*, unavailable, message: "No keychain on Linux: keep files, and exceptions in an ExceptionStore.")
    public var kSecUseAuthenticationUI: CFString { "" }

    @available(*, unavailable, message: "There is no keychain on Linux, so that no function returns this.")
    public var errSecDuplicateItem: OSStatus { -25299 }

    @available(*, unavailable, message: "There is no keychain on Linux, so that no function returns this.")
    public var errSecInteractionNotAllowed: OSStatus { -25308 }

    @available(*, unavailable, message: "There is no keychain on Linux, so that no function returns this.")
    public var errSecMissingEntitlement: OSStatus { -34018 }

    @available(*, unavailable, message: "There is no keychain on Linux, so that no function returns this.")
    public var errSecUserCanceled: OSStatus { -128 }

    @available(*, unavailable, message: "There is no keychain on Linux, so that no function returns this.")
    public var errSecNotAvailable: OSStatus { -25291 }
#endif
