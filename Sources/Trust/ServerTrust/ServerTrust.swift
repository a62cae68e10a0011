// SPDX-License-Identifier: Apache-2.0

// Users of this library read lists of roots, denied certificates, filters and logs; they need no second import for them.
@_exported import TrustLists
