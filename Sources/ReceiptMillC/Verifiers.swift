internal import CReceiptMill
internal import ReceiptVerdicts

// A `receiptmill_verifier` is a retained ``DocumentVerifier``, which any number of threads may use.

@_cdecl("receiptmill_verifier_new")
public func newVerifier(_ options: UnsafeRawPointer?, _ verifier: UnsafeMutablePointer<OpaquePointer?>?) -> UInt32 {
    guard let verifier else { return RECEIPTMILL_INVALID_ARGUMENT.rawValue }
    do throws(Fault) {
        let made = try DocumentVerifier(options)
        verifier.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
        return RECEIPTMILL_OK.rawValue
    } catch {
        return error.status.rawValue
    }
}

@_cdecl("receiptmill_verifier_free")
public func freeVerifier(_ verifier: OpaquePointer?) {
    guard let verifier else { return }
    Unmanaged<DocumentVerifier>.fromOpaque(UnsafeRawPointer(verifier)).release()
}

@_cdecl("receiptmill_status_text")
public func statusText(_ status: UInt32) -> UnsafePointer<CChar>? {
    let text: StaticString =
        switch receiptmill_status(status) {
        case RECEIPTMILL_OK: "no error"
        case RECEIPTMILL_INVALID_ARGUMENT: "an argument is NULL, or a struct states an unknown size"
        case RECEIPTMILL_INVALID_CERTIFICATES: "an anchor is none of apple, sha256:HEX and certificates in PEM"
        case RECEIPTMILL_MARKERS_REQUIRED: "Apple's roots are never trusted without markers"
        case RECEIPTMILL_CRYPTO_FAILED: "OpenSSL failed; check the memory that is free"
        case RECEIPTMILL_UNSUPPORTED_ARRAY: "the array is no array of utf8, large_utf8, binary or large_binary"
        case RECEIPTMILL_INVALID_EXPECTATION: "name a bundle, and an environment: production or sandbox"
        default: "an unknown status"
        }
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// The reason why a call fails; in C, this is a status.
struct Fault: Error {
    let status: receiptmill_status

    init(_ status: receiptmill_status) { self.status = status }

    /// Calls `body`, and converts its OpenSSL errors.
    static func wrapping<Result>(_ body: () throws(OpenSSLError) -> Result) throws(Fault) -> Result {
        do throws(OpenSSLError) {
            return try body()
        } catch {
            throw Fault(RECEIPTMILL_CRYPTO_FAILED)
        }
    }
}

extension DocumentVerifier {
    /// The verifier of a handle; nil for NULL.
    static func borrowed(_ handle: OpaquePointer?) -> DocumentVerifier? {
        handle.map { Unmanaged<DocumentVerifier>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    /// - Parameter options: a `receiptmill_options`. Its size is read first, because a caller built for another version
    ///   has a structure of another length.
    fileprivate convenience init(_ options: UnsafeRawPointer?) throws(Fault) {
        guard options.map({ $0.load(as: Int.self) == MemoryLayout<receiptmill_options>.size }) ?? true else {
            throw Fault(RECEIPTMILL_INVALID_ARGUMENT)
        }
        let options = options?.load(as: receiptmill_options.self)
        var anchors = try Self.anchors(options?.trust) ?? .apple
        if var unmarked = try Self.anchors(options?.trust_without_markers) {
            guard !unmarked.holdsRootOfApple else { throw Fault(RECEIPTMILL_MARKERS_REQUIRED) }
            unmarked.waiveMarkers()
            anchors.formUnion(unmarked)
        }
        var issuers = CertificatePool()
        if let text = Self.bytes(options?.intermediates) {
            let count = try Fault.wrapping { () throws(OpenSSLError) in try issuers.insertCertificates(of: text) }
            guard count > 0 else { throw Fault(RECEIPTMILL_INVALID_CERTIFICATES) }
        }
        do throws(OpenSSLError) {
            try self.init(anchors: anchors, issuers: issuers)
        } catch {
            throw Fault(RECEIPTMILL_CRYPTO_FAILED)
        }
    }

    private static func anchors(_ text: UnsafePointer<CChar>?) throws(Fault) -> TrustAnchors? {
        guard let text = bytes(text) else { return nil }
        let anchors = try Fault.wrapping { () throws(OpenSSLError) in try TrustAnchors(text: text) }
        guard let anchors else { throw Fault(RECEIPTMILL_INVALID_CERTIFICATES) }
        return anchors
    }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
        guard let text else { return nil }
        var bytes: [UInt8] = []
        var next = text
        while next.pointee != 0 {
            bytes.append(UInt8(bitPattern: next.pointee))
            next += 1
        }
        return bytes
    }
}
