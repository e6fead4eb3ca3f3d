/// A function of OpenSSL failed that doesn't depend on input.
package struct SigningError: Error {
    /// The function, or what it was for.
    package let operation: String
}
