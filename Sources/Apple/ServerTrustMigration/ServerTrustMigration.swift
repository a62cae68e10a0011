// SPDX-License-Identifier: Apache-2.0

// Users of this library handle pin configurations and files. This export saves them a second import.
@_exported import ServerTrustPins
