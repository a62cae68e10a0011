// SPDX-License-Identifier: Apache-2.0

// Users of this library handle pin configurations and files. They need no second import for them.
@_exported import PinFormats
