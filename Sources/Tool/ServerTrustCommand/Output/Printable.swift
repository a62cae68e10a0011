// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Returns a text without characters that control a terminal or reorder the text around them. The contents of
/// certificates aren't trusted.
func printable(_ text: String) -> String { text.escapingUnprintable }
