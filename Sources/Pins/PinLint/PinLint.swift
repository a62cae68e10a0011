// SPDX-License-Identifier: Apache-2.0

// Users of this library work with pin configurations. This export saves them a second import.
@_exported import ServerTrustPins
