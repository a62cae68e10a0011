// SPDX-License-Identifier: Apache-2.0

/// The dates that a resource's bytes state. They aren't validated.
struct ResourceDates: Sendable, Hashable {
    /// The date when the resource was issued, or nil if it states none (certificates).
    var thisUpdate: Time?
    /// The last second when the resource may be used, or nil if it states none.
    var nextUpdate: Time?
    /// Whether the resource is an answer at all. An OCSP responder may say "try later".
    var isAnswer = true
}
