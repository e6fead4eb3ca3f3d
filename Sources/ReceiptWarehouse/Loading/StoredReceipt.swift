internal import Foundation
internal import GRDB
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification

/// A transaction receipt that is stored to be verified again.
struct StoredReceipt {
    let id: Int64
    let digest: SHA256Digest
    let app: Int64
    let verdict: Verdict
    let transaction: DatabaseValue
    let receipt: [UInt8]

    /// Its parts, and the buffer that they point into.
    struct Parsed {
        let parts: TransactionReceiptVerifier.Parsed
        let buffer: ByteBuffer
    }

    init(_ row: Row) throws {
        guard let digest = SHA256Digest(bytes: row[1] as Data), let verdict = Verdict(rawValue: row[3]) else {
            throw Self.damage("receipt \(row[0] as Int64)")
        }
        id = row[0]
        self.digest = digest
        app = row[2]
        self.verdict = verdict
        transaction = row[4]
        receipt = [UInt8](row[5] as Data)
    }

    func parsed() throws(MillError) -> Parsed {
        var buffer = ByteBuffer(capacity: 2 * receipt.count)
        let whole = buffer.append(receipt)
        do throws(Unreadable) {
            return Parsed(parts: try TransactionReceiptVerifier.parse(whole, &buffer), buffer: buffer)
        } catch {
            throw Self.damage("receipt \(digest.hex): \(error.detail)")
        }
    }

    /// What was readable when it was stored is so now.
    private static func damage(_ what: String) -> MillError {
        MillError(
            stage: .loading, what: "a receipt that was kept is damaged: \(what)",
            hint: "load the archives into a new database", exitStatus: .internalFault)
    }
}
