// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) && (HTTP || Everything)

import Foundation

// On Apple platforms, Swift finds the members of NSString in a String:
// `challenge.protectionSpace.authenticationMethod.isEqual(NSURLAuthenticationMethodServerTrust)`.

extension String {
    /// Returns whether a value is a string with the same code units, as `NSString` does.
    public func isEqual(_ object: Any?) -> Bool { (object as? String).map(isEqual(to:)) ?? false }

    /// Returns whether a string has the same code units, as `NSString` does.
    public func isEqual(to aString: String) -> Bool { utf16.elementsEqual(aString.utf16) }
}

extension Bundle {
    /// Returns the URLs of the resources with an extension as `URL`, as on Apple platforms. Foundation's function
    /// on Linux returns `NSURL`.
    /// - Parameters:
    ///   - ext: the extension, such as `cer`, or nil for all resources.
    ///   - subpath: the folder in the bundle, or nil for its resources.
    @_disfavoredOverload
    public func urls(forResourcesWithExtension ext: String?, subdirectory subpath: String?) -> [URL]? {
        let found: [NSURL]? = urls(forResourcesWithExtension: ext, subdirectory: subpath)
        return found?.compactMap(\.absoluteURL)
    }
}

#endif
