internal import ReceiptFormat

/// An attribute with what is known of it, and for a purchase its own attributes.
struct InspectedAttribute {
    /// What the attribute's type is looked up as.
    enum Owner {
        case app, purchase
    }

    let attribute: Attribute
    let name: AttributeName?
    let value: AttributeValue
    /// Nil where the value is no text.
    let text: String?
    /// Letters and digits that an integer's bytes spell, as those of attribute 9 do.
    let spelled: String?
    /// Milliseconds since 1970 UTC, where the text is a date.
    let date: Int64?
    /// Of a purchase; nil for other attributes.
    let nested: [InspectedAttribute]?
    /// What can't be read of a purchase.
    let faults: [MalformedReceipt]

    init(_ attribute: Attribute, of owner: Owner, in bytes: Span<UInt8>) {
        self.attribute = attribute
        let isApps = owner == .app
        name = isApps ? .ofApp(attribute.type) : .ofPurchase(attribute.type)
        let reader = ByteReader(bytes)
        let isRaw = isApps && AppAttribute.rawTypes.contains(attribute.type)
        value = AttributeValue(of: attribute, in: reader, isRaw: isRaw)
        text = value.isText ? bytes.text(value.content).string : nil
        date = value.isText ? ReceiptDate.milliseconds(bytes, in: value.content) : nil
        spelled = value.form == .integer ? Self.spelled(bytes, value.content) : nil
        if isApps, attribute.type == AppAttribute.inAppPurchaseReceipt {
            let listing = AttributeListing(reading: ByteReader(bytes, in: attribute.value))
            nested = listing.attributes.map { InspectedAttribute($0, of: .purchase, in: bytes) }
            faults = listing.faults.map { fault in
                MalformedReceipt(fault.code, at: fault.offset, attribute: fault.attribute ?? attribute.type)
            }
        } else {
            nested = nil
            faults = []
        }
    }

    /// Three bytes or more that are all letters and digits are hardly a number.
    private static func spelled(_ bytes: Span<UInt8>, _ range: ByteRange) -> String? {
        guard range.count >= 3 else { return nil }
        for index in range.indices {
            switch bytes[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            default: return nil
            }
        }
        return bytes.text(range).string
    }
}
