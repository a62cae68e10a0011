// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore

extension TimeAmount {
    /// Creates an amount from a duration of any size, limited to a century in either direction.
    ///
    /// NIO's initializer traps for the largest durations, and creates an endless amount from a very negative one.
    package init(clamping duration: Duration) {
        let century = Duration.seconds(100 * 366 * 86_400)
        self.init(min(max(duration, .zero - century), century))
    }
}

#endif
