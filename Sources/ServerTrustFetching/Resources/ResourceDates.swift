// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What a resource's bytes say about their own time. Nobody has checked who says so.
struct ResourceDates: Sendable, Hashable {
    /// When it was made; nil if it doesn't say (certificates).
    var thisUpdate: Time?
    /// The last second at which it may be used; nil if it doesn't say.
    var nextUpdate: Time?
    /// Whether it answers at all: an OCSP responder may say "try later".
    var isAnswer = true
}
