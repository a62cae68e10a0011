// SPDX-License-Identifier: Apache-2.0

// An empty module. When the compiler finds it, `canImport(Darwin)` is true, and code for Apple platforms is compiled on
// Linux (Tests/External/apple).
