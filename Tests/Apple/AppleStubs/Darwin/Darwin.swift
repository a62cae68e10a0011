// SPDX-License-Identifier: Apache-2.0

// An empty module. Where it is in sight, `canImport(Darwin)` holds, and code for Apple platforms is compiled on Linux (Tests/External/apple).
