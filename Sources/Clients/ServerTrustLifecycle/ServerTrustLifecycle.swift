// SPDX-License-Identifier: Apache-2.0

// `import ServerTrustLifecycle` is all you need for a service group with a client.
@_exported import ServerTrustHTTP

@_exported import struct Logging.Logger
@_exported import protocol ServiceLifecycle.Service
@_exported import class ServiceLifecycle.ServiceGroup
