// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) && (HTTP || Everything)
// On Apple platforms, Swift finds the members of NSString in a String:
// `challenge.protectionSpace.authenticationMethod.isEqual(NSURLAuthenticationMethodServerTrust)`.

extension String {
    /// Returns whether a value is a string with the same code units, as `NSString` does.
    public func isEqual(_ object: Any?) -> Bool { (object as? String).map(isEqual(to:)) ?? false }

    /// Returns whether a string has the same code units, as `NSString` does.
    public func isEqual(to aString: String) -> Bool { utf16.elementsEqual(aString.utf16) }
}
#endif
