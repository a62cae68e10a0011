// SPDX-License-Identifier: Apache-2.0

// Users of this library handle configurations and files of pins; they need no second import for them.
@_exported import PinFormats
