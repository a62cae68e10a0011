// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/pack-book. Don't edit this file. Edit the texts in Book and run the script.
//
// swift-format-ignore-file

/// The texts of the book that this module shows, in the form that `Book` reads.
enum PackedProblems {
    /// The texts of problems in files.
    static let texts = #"""
empty
words: empty (0 bytes)

blank
words: empty except for white space

fileMissing
words: no such file
remedy: names are relative to the working directory

fileUnreadable
words: can't be read: {error}

fileUnreadable permission
words: this user has no permission to read it
remedy: ask its owner, or run as a user who has it

folder
words: a folder, expected a file
remedy: name the files in it one by one

tooLarge
words: larger than {limit} MiB, expected certificates
remedy: name only the file with the certificates

zip
bytes: 504b0304
words: a ZIP archive
remedy: unpack it: unzip FILE

zip empty
bytes: 504b0506
words: an empty ZIP archive

compressed gzip
bytes: 1f8b
words: a file compressed with gzip
remedy: unpack it: gunzip FILE, or tar -xzf FILE

compressed bzip2
bytes: 425a68
words: a file compressed with bzip2
remedy: unpack it: bunzip2 FILE

compressed xz
bytes: fd377a585a
words: a file compressed with xz
remedy: unpack it: unxz FILE

compressed zstd
bytes: 28b52ffd
words: a file compressed with zstd
remedy: unpack it: unzstd FILE

compressed 7z
bytes: 377abcaf
words: a 7-Zip archive
remedy: unpack it: 7z x FILE

javaKeyStore JKS
remedy: convert it: keytool -importkeystore -srckeystore FILE -destkeystore new.p12 -deststoretype PKCS12
bytes: feedfeed
words: a Java key store (JKS)

javaKeyStore JCEKS
remedy: convert it: keytool -importkeystore -srckeystore FILE -destkeystore new.p12 -deststoretype PKCS12
bytes: cececece
words: a Java key store (JCEKS)

database sqlite
remedy: export the certificates: certutil -L -d FOLDER -n NAME -a
bytes: 53514c69746520666f726d6174203300
words: an SQLite database, perhaps an NSS certificate database (cert9.db)

database berkeley
remedy: export the certificates: certutil -L -d FOLDER -n NAME -a
bytes: 00061561
words: a Berkeley database, perhaps an NSS certificate database (cert8.db)

executable ELF
bytes: 7f454c46
words: a program (ELF)

executable windows
bytes: 4d5a
words: a Windows program

image PNG
bytes: 89504e47
words: an image (PNG)

image JPEG
bytes: ffd8ff
words: an image (JPEG)

pdf
bytes: 25504446
words: a PDF document

sshPrivateKey
bytes: 6f70656e7373682d6b65792d763100
words: an SSH private key

sshPrivateKey label
words: an SSH private key ({label})
remedy: SSH keys aren't TLS certificates; to convert a copy to PEM, use ssh-keygen -p -m PEM -f COPY

pgp
remedy: OpenPGP doesn't use X.509 certificates; request a certificate in PEM
words: an OpenPGP key or message

pgp label
remedy: OpenPGP doesn't use X.509 certificates; request a certificate in PEM
words: an OpenPGP key or message ({label})

htmlPage
words: an HTML page
remedy: a server returned a page (a login, an error) instead of the file: check the address and fetch the file again
start: "<!doctype html"
start: "<html"

xml
start: "<?xml"
words: an XML document without a certificate

json
start: "{"
start: "[{"
start: "[""
words: a JSON document without a certificate
remedy: read the document: it may be an error from the service that should return the file

sshPublicKey
remedy: SSH keys aren't TLS certificates; to write the public key in PEM, use ssh-keygen -e -m PKCS8 -f FILE
start: "ssh-rsa "
start: "ssh-ed25519 "
start: "ssh-dss "
start: "ecdsa-sha2-"
start: "sk-ssh-"
start: "---- begin ssh2 public key ----"
words: an SSH public key

puttyKey
start: "putty-user-key-file"
words: a PuTTY private key
remedy: PuTTY's keys are for SSH, not for TLS

ageKey
start: "age-secret-key-"
start: "# created: "
words: an age private key

ageKey label
words: a file encrypted with age
remedy: age -d

pinList
start: "sha256/"
words: a list of pins
remedy: pass pins with --pin, or convert them with servertrust pins convert

address
words: an address, not the file at that address
start: "https://"
remedy: fetch the file, or name the address itself

address http
words: an address, not the file at that address
start: "http://"
remedy: fetch the file first

pemBeginMissing
start: "-----end "
words: PEM text without its beginning
remedy: copy the whole object, from -----BEGIN to the last hyphen after END

pemBeginMissing line
words: PEM text without its -----BEGIN line
remedy: copy the whole object, from -----BEGIN to the last hyphen after END

htmlPage inside
words: an HTML page
remedy: a server returned a page (a login, an error) instead of the file: check the address and fetch the file again
within: "<html"
within: "<!doctype html"

xml other
start: "<"
words: an XML or HTML document without a certificate

sshPublicKey list
remedy: SSH keys aren't TLS certificates; to write the public key in PEM, use ssh-keygen -e -m PKCS8 -f FILE
within: "ssh-rsa "
within: "ssh-ed25519 "
words: a list of SSH public keys

pemDashes
within: "begin certificate"
within: "begin public key"
within: "begin rsa"
words: PEM text whose BEGIN line is damaged, expected five hyphens on each side: -----BEGIN CERTIFICATE-----
remedy: copy the file again without a word processor or mail program; they turn hyphens into dashes

text
words: text without PEM that starts with "{start}"

text path
words: text without PEM that starts with "{start}"
remedy: the text is a path: name the file at that path, or put the file's contents here

binary
words: {count} bytes that are neither PEM nor DER
remedy: name a file with certificates or keys; this file may be encrypted or damaged

unknownStructure
words: a DER structure that isn't a certificate, a key, a request, a CRL or an OCSP message
remedy: show the structure: servertrust inspect FILE --format asn1

unknownStructure pkcs7
words: a PKCS #7 file without certificates or CRLs
remedy: create a file with certificates: openssl crl2pkcs7 -nocrl -certfile chain.pem

unknownStructure content
words: a PKCS #7 file with {content}
remedy: use a PKCS #7 file with certificates (SignedData)

unknownStructure pkcs12
words: a PKCS #12 file without certificates or keys

pemEndMissing
words: {object} without its end, expected a line -----END {label}-----
remedy: copy the whole object, from -----BEGIN to the last hyphen after END

pemEndMismatch
words: {object} that begins as {label}, but ends as {end}
remedy: copy the object again: it contains parts of two objects

pemHeaders
words: {object} with header lines (RFC 1421), which X.509 doesn't use
remedy: write it again: openssl x509 -in FILE -out new.pem

pemNotBase64
words: {object} with {byte} in its base64
remedy: copy the object again from the original

pemNotBase64 padding
words: {object} whose base64 continues after its padding (=)
remedy: give each object its own BEGIN and END lines

pemNotBase64 bits
words: {object} whose base64 ends with unused bits set: its last character was changed
remedy: copy the object again

pemCutOff
words: {object} whose base64 lacks characters at its end
remedy: copy the whole object again

pemEmpty
words: {object} without content between BEGIN and END

pemLabelUnknown
words: a PEM object with the unknown label {label}

notBase64
remedy: copy the whole text again
words: base64 with {byte} in it

notBase64 cutOff
remedy: copy the whole text again
words: base64 that lacks characters at its end

notBase64 padding
remedy: copy the whole text again
words: base64 that continues after its padding (=)

notBase64 bits
remedy: copy the whole text again
words: base64 whose last character was changed

truncated
words: {object} that is cut off: its length says {stated} bytes, but it has {count}
remedy: copy the file again, in binary mode

truncated structure
words: a DER structure that is cut off: its length says {stated} bytes, but it has {count}
remedy: copy the file again, in binary mode

truncated base64
remedy: copy the whole text again
words: base64 of a structure that is cut off: its length says {stated} bytes, but it has {count}

truncated container
words: {object}, cut off after {count} bytes
remedy: copy the file again, in binary mode

trailingBytes
words: {count} bytes after the last object, from byte {offset} on, that aren't an object

indefiniteLength
words: a structure in BER with indefinite lengths, expected DER
remedy: convert it: openssl pkcs7 -inform DER -in FILE -print_certs, or openssl pkcs12 -in FILE for PKCS #12

malformed
words: {object} that can't be read: {error}

malformed structure
words: not {object}, but another structure in DER
remedy: show the structure: servertrust inspect FILE --format asn1

malformed members
words: {object} whose members can't be read

malformed pkcs7
words: {object} whose members can't be read
remedy: show the structure: servertrust inspect FILE --format asn1

mislabelled
words: labeled {label}, but it is {found}
remedy: correct the label in its BEGIN and END lines, or name the right file

unexpectedKind
words: {found}

unexpectedKind key
words: a private key, expected a certificate, a public key or a certificate request; keep the private key where it is, and write its public key to a separate file with "openssl pkey -pubout"

unexpectedKind certificateRevocationList certificate
words: {found}
remedy: create a CRL of revoked certificates: servertrust ca crl, or openssl ca -gencrl

unexpectedKind certificate privateKey
words: {found}
remedy: name the file with the certificate, and keep the private key where it is

unexpectedKind certificate certificateRequest
words: {found}
remedy: have a CA sign the request: use servertrust ca sign, or send it to your CA

unexpectedKind certificate certificateRevocationList
words: {found}
remedy: pass a CRL with --crl

unexpectedKind certificate ocspResponse
words: {found}
remedy: pass an OCSP response with --ocsp

unexpectedKind certificate ocspRequest
words: {found}
remedy: send the request to a responder, and pass its response with --ocsp

unexpectedKind certificate publicKey
words: {found}
remedy: name the certificate; a public key has no name and no dates

trustRejected
words: an OpenSSL TRUSTED CERTIFICATE whose settings don't trust it for {purpose}
remedy: to trust it anyway, remove the settings: openssl x509 -in FILE -out new.pem

passphraseRequired
words: an encrypted PKCS #12 file, but no passphrase was supplied
remedy: supply a file with the passphrase: --password-file FILE

passphraseWrong
words: {object} that can't be decrypted: the passphrase is wrong, or the data was changed
remedy: check the passphrase and the end of its file: only one trailing line feed is ignored

encryptionNotSupported pkcs12
words: {object} encrypted with {algorithm}, which isn't supported
remedy: convert it: openssl pkcs12 -legacy -in FILE -nodes -out all.pem, then openssl pkcs12 -export -in all.pem -out new.p12

encryptionNotSupported encryptedPrivateKey
words: {object} encrypted with {algorithm}, which isn't supported
remedy: convert it: openssl pkey -in FILE -aes256 -out new.pem

encryptionNotSupported keys
words: {object} with more than 16 keys

encryptionNotSupported content
words: {object} encrypted or signed with keys instead of a passphrase
remedy: export it again with a passphrase

iterationsOverLimit
words: {object} that requires more than {limit} key derivation iterations

tooManyObjects
words: more than {limit} objects; the rest isn't read

tooDeep
words: more than {limit} nested encodings

"""#
}
