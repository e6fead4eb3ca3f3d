internal import COpenSSL

/// The version of the OpenSSL that the process runs with, which may be newer than the one it was
/// built with.
package var openSSLVersion: String { OpenSSL_version(OPENSSL_VERSION_STRING).map { String(cString: $0) } ?? "" }
