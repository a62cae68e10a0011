// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// Returns a text without characters that steer a terminal or reorder the text around them, as certificates are written by strangers.
func printable(_ text: String) -> String { text.escapingUnprintable }
