// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) && (HTTP || Everything)
import Foundation

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
