// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    // Attributes of the keychain. The compiler prints the message where a program uses one.

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecClass: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecClassCertificate: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecClassIdentity: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecClassKey: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecClassGenericPassword: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecClassInternetPassword: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessible: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessibleWhenUnlocked: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessibleAfterFirstUnlock: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessibleAlways: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessControl: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccessGroup: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrAccount: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrService: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrServer: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrLabel: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrApplicationLabel: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrApplicationTag: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecAttrSynchronizable: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecReturnData: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecReturnAttributes: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecReturnRef: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecReturnPersistentRef: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecMatchLimit: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecMatchLimitOne: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecMatchLimitAll: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecMatchSearchList: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecValueData: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecValueRef: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecValuePersistentRef: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecUseDataProtectionKeychain: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
    public var kSecUseAuthenticationContext: CFString { "" }

    @available(
        *, unavailable,
        message:
            "There is no keychain on Linux. Keep certificates in files, and exceptions in an ExceptionStore of ServerTrust."
    )
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
