// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The dates that a resource's bytes state. Nothing about them is validated.
struct ResourceDates: Sendable, Hashable {
    /// The date on which the resource was made; nil if it states none (certificates).
    var thisUpdate: Time?
    /// The last second at which it may be used; nil if it states none.
    var nextUpdate: Time?
    /// Whether it is an answer at all: an OCSP responder may say "try later".
    var isAnswer = true
}
