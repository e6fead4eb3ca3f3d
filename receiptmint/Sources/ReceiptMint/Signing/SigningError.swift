/// A function of OpenSSL failed that doesn't depend on input.
struct SigningError: Error {
    /// The function, or what it was for.
    let operation: String
}
