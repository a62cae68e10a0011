// SPDX-License-Identifier: Apache-2.0

/// The `Cookie` field of a request (RFC 6265 § 4.2).
package enum CookieField {
    /// The largest size of the field, in bytes, as in libcurl. Servers often refuse larger fields, and a subdomain can
    /// set cookies for its whole site.
    static let maximumSize = 8190

    /// Returns the value of the field, or nil if there are no cookies.
    ///
    /// Leaves out the cookies that don't fit.
    /// - Parameter cookies: the cookies to send, in order.
    package static func value(_ cookies: some Sequence<(name: String, value: String)>) -> String? {
        var field = ""
        for (name, value) in cookies {
            let size = (field.isEmpty ? 0 : 2) + name.utf8.count + 1 + value.utf8.count
            guard field.utf8.count + size <= maximumSize else { continue }
            if !field.isEmpty { field += "; " }
            field += name + "=" + value
        }
        return field.isEmpty ? nil : field
    }
}
