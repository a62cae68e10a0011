// SPDX-License-Identifier: Apache-2.0

// The file that a target with aliases needs: the names of Security and URLSession in files that import only Foundation.
@_exported import Security
