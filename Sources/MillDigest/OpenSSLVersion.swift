internal import COpenSSL

/// The version of OpenSSL that the process uses, which may be newer than the one with which it was built.
package var openSSLVersion: String { OpenSSL_version(OPENSSL_VERSION_STRING).map { String(cString: $0) } ?? "" }
