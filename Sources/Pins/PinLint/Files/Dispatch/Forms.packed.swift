// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/pack-book. Don't edit this file. Edit the texts in Book and run the script.
//
// swift-format-ignore-file

/// The texts of the book that this module shows, in the form that `Book` reads.
enum PackedForms {
    /// Other forms of pins, which no reader supports.
    static let texts = #"""
envoy
words: pins for Envoy, expected JSON with verify_certificate_spki
remedy: pin keys with verify_certificate_spki instead of verify_certificate_hash, which changes with every renewal, and lint the file as JSON, which Envoy reads too: yq -o json FILE

hpkp
words: pins for browsers (the header Public-Key-Pins), which no browser reads since 2020
remedy: remove the header; for an app's pins, write a line HOST sha256/BASE64 sha256/BASE64 into a file and lint that

flutter
words: fingerprints of whole certificates (Flutter's http_certificate_pinning), expected pins of keys
remedy: a fingerprint changes with every renewal, even if the key stays: pin keys in network_security_config.xml and NSPinnedDomains (servertrust pins make HOST), or ship the next certificate's fingerprint before each renewal

nginx
words: nginx's settings for servers behind it, which have no pins: the file of proxy_ssl_trusted_certificate lists the trusted CAs
remedy: set proxy_ssl_verify on and proxy_ssl_name, and check that file: servertrust check HOST --anchors FILE

unknown
words: quoted texts with sha256/ as in pins, but none of the known forms
remedy: if the file has pins, name its format with --from, or keep them in one of the formats that servertrust help pins convert --all lists

"""#
}
