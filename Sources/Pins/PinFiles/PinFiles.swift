// SPDX-License-Identifier: Apache-2.0

// Users of this library work with pin configurations, and don't need a second import for them.
@_exported import PinModel
