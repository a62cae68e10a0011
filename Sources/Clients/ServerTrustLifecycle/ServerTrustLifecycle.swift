// SPDX-License-Identifier: Apache-2.0

// `import ServerTrustLifecycle` is enough for a group of services with a client.
@_exported import ServerTrustHTTP

@_exported import struct Logging.Logger
@_exported import protocol ServiceLifecycle.Service
@_exported import class ServiceLifecycle.ServiceGroup
