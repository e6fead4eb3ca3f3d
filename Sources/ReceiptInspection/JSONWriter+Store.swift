internal import MillJSON
internal import MillSystem
package import ReceiptFormat

/// The three keys under which the store's endpoint gave one date.
package struct DateKeys {
    let gmt, milliseconds, pacific: StaticString

    static let receiptCreation = DateKeys(
        gmt: "receipt_creation_date", milliseconds: "receipt_creation_date_ms", pacific: "receipt_creation_date_pst")
    package static let purchase = DateKeys(
        gmt: "purchase_date", milliseconds: "purchase_date_ms", pacific: "purchase_date_pst")
    static let originalPurchase = DateKeys(
        gmt: "original_purchase_date", milliseconds: "original_purchase_date_ms",
        pacific: "original_purchase_date_pst")
    static let expires = DateKeys(gmt: "expires_date", milliseconds: "expires_date_ms", pacific: "expires_date_pst")
    package static let expiration = DateKeys(
        gmt: "expiration_date", milliseconds: "expiration_date_ms", pacific: "expiration_date_pst")
    package static let cancellation = DateKeys(
        gmt: "cancellation_date", milliseconds: "cancellation_date_ms", pacific: "cancellation_date_pst")
    static let preorder = DateKeys(
        gmt: "preorder_date", milliseconds: "preorder_date_ms", pacific: "preorder_date_pst")
}

/// Members in the types of the store's endpoint; nothing is written for nil.
extension JSONWriter {
    package mutating func text(_ name: StaticString, _ range: ByteRange?, _ octets: Span<UInt8>) {
        guard let range else { return }
        key(name)
        let part = octets.extracting(range.indices)
        string { json in part.withUnsafeBufferPointer { json.appendEscaped($0) } }
    }

    package mutating func number(_ name: StaticString, _ number: Int64?) {
        if let number { member(name, number) }
    }

    /// A number in a string.
    package mutating func digits(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        key(name)
        string { $0.appendDigits(number) }
    }

    /// "true" or "false" in a string.
    package mutating func truth(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        key(name)
        string { $0.appendPlain(number == 0 ? "false" : "true") }
    }

    /// One date thrice: `2020-07-22 17:39:08 Etc/GMT`, "1595439548000",
    /// `2020-07-22 10:39:08 America/Los_Angeles`.
    package mutating func dates(_ keys: DateKeys, _ milliseconds: Int64?) {
        guard let milliseconds else { return }
        let seconds = CivilTime.seconds(ofMilliseconds: milliseconds)
        key(keys.gmt)
        string { json in
            json.append(CivilTime(seconds: seconds))
            json.appendPlain(" Etc/GMT")
        }
        key(keys.milliseconds)
        string { $0.appendDigits(milliseconds) }
        key(keys.pacific)
        string { json in
            json.append(CivilTime(seconds: seconds + PacificTime.offset(atSeconds: seconds)))
            json.appendPlain(" America/Los_Angeles")
        }
    }

    private mutating func append(_ time: CivilTime) {
        appendDigits(UInt64(clamping: time.year), places: 4)
        appendPlain("-")
        appendDigits(UInt64(clamping: time.month), places: 2)
        appendPlain("-")
        appendDigits(UInt64(clamping: time.day), places: 2)
        appendPlain(" ")
        appendDigits(UInt64(clamping: time.hour), places: 2)
        appendPlain(":")
        appendDigits(UInt64(clamping: time.minute), places: 2)
        appendPlain(":")
        appendDigits(UInt64(clamping: time.second), places: 2)
    }
}
