internal import ReceiptFormat

/// All attributes of a payload or of a purchase, known or not, in order.
///
/// Reading continues after a malformed attribute, until the bytes end. It stops at ``maximumCount`` attributes and at
/// ``maximumFaults`` faults, because a hostile receipt could hold millions of either.
struct AttributeListing {
    private(set) var attributes: [InspectedAttribute] = []
    private var faults: [MalformedReceipt] = []

    /// The maximum number of attributes; a purchase counts as one.
    static let maximumCount = AppReceipt.maximumAttributes + AppReceipt.maximumPurchases
    static let maximumFaults = 100

    /// An empty listing.
    init() {}

    /// Reads a SET of attributes, including one that is cut short.
    init(reading range: ByteRange, of level: UndocumentedTypes.Level, in bytes: Span<UInt8>) {
        var reader = ByteReader(bytes, in: range)
        let start = reader.position
        let first = reader.readClippedElement()
        guard let set = first, set.tag == Tag.set else {
            let code = first.map { MalformedReceipt.Code.unexpectedTag(expected: Tag.set, found: $0.tag) }
            faults = [MalformedReceipt(code ?? .truncated, at: start)]
            return
        }
        var members = reader.reader(in: set.content)
        while !members.isAtEnd {
            guard attributes.count < Self.maximumCount else {
                faults.append(MalformedReceipt(.tooManyAttributes, at: members.position))
                return
            }
            // Each attribute is read within its own element, so that the next one is found even after a malformed one.
            var element: Element?
            do throws(MalformedReceipt) {
                element = try members.readElement()
                var member = members.reader(in: element?.whole ?? range)
                attributes.append(InspectedAttribute(try member.readAttribute(), of: level, in: bytes))
            } catch {
                faults.append(error)
                if faults.count == Self.maximumFaults { return }
                if element == nil { break }
            }
        }
        if !reader.isAtEnd { faults.append(MalformedReceipt(.trailingBytes, at: reader.position)) }
    }

    /// The faults of the attributes, then those of the purchases among them.
    var allFaults: ArraySlice<MalformedReceipt> {
        let nested = attributes.flatMap { attribute in
            (attribute.nested?.faults ?? []).map { fault in
                MalformedReceipt(fault.code, at: fault.offset, attribute: fault.attribute ?? attribute.type)
            }
        }
        return (faults + nested).prefix(Self.maximumFaults)
    }

    /// Writes the attributes; their offsets are counted from `base`.
    func write(heading: String? = nil, to report: inout ReportWriter, _ bytes: Span<UInt8>, base: Int) {
        report.list("attributes", heading: heading, attributes, title: { attributes[$0].title }) {
            $1.write(to: &$0, bytes, base: base)
        }
    }
}

/// An attribute with its field and the interpretation of its value; a purchase has attributes of its own.
///
/// The form of a value is recognised from its bytes, not from the attribute's type. ``AttributeField/rawTypes`` are an
/// exception, because their bytes can look like ASN.1 by chance.
struct InspectedAttribute {
    private let attribute: Attribute
    private let field: AttributeField?
    /// ASN.1's name for the value's type; `raw` if the value is not exactly one element.
    private let form: String
    /// The value if it is an integer of at most 64 bits; otherwise nil.
    private let integer: Int64?
    /// The value if it is a text; otherwise nil.
    private let text: String?
    /// The letters and digits that an integer's bytes spell, as in attribute 9.
    private let spelled: String?
    /// The value in ISO 8601, if it is a text with a date.
    private let date: String?
    /// The attributes of a purchase; nil for other attributes.
    let nested: AttributeListing?

    var type: Int64 { attribute.type }

    private static let forms: [UInt8: String] = [
        Tag.integer: "INTEGER", Tag.utf8String: "UTF8String", Tag.ia5String: "IA5String",
        Tag.printableString: "PrintableString", Tag.octetString: "OCTET STRING", Tag.null: "NULL",
        Tag.objectIdentifier: "OBJECT IDENTIFIER", Tag.sequence: "SEQUENCE", Tag.set: "SET",
    ]
    private static let texts: Set<UInt8> = [Tag.utf8String, Tag.ia5String, Tag.printableString]

    init(_ attribute: Attribute, of level: UndocumentedTypes.Level, in bytes: Span<UInt8>) {
        self.attribute = attribute
        let isApps = level == .app
        field = .of(attribute.type, at: level)
        var reader = ByteReader(bytes, in: attribute.value)
        let isRaw = isApps && AttributeField.rawTypes.contains(attribute.type)
        let element = isRaw ? nil : try? reader.readElement()
        let form = reader.isAtEnd ? element.flatMap { Self.forms[$0.tag] } : nil
        let value = form == nil ? nil : element
        self.form = form ?? (attribute.value.isEmpty ? "empty" : "raw")
        var number = ByteReader(bytes, in: value?.tag == Tag.integer ? attribute.value : ByteRange(offset: 0, count: 0))
        integer = try? number.readInteger()
        spelled = value.flatMap { $0.tag == Tag.integer ? Self.spelled(bytes, $0.content) : nil }
        let texts = value.flatMap { Self.texts.contains($0.tag) ? $0.content : nil }
        text = texts.map { bytes.text($0).string }
        date = texts.flatMap { ReceiptDate.milliseconds(bytes, in: $0)?.date }
        let isPurchase = isApps && attribute.type == AppAttribute.inAppPurchaseReceipt
        nested = isPurchase ? AttributeListing(reading: attribute.value, of: .purchase, in: bytes) : nil
    }

    /// The text that an integer's bytes spell. Three or more bytes that are all letters and digits are unlikely to be
    /// meant as a number.
    private static func spelled(_ bytes: Span<UInt8>, _ range: ByteRange) -> String? {
        let text = bytes.text(range).string
        let isSpelled = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return range.count >= 3 && isSpelled ? text : nil
    }

    var title: String {
        let name = field.map { $0.name + ($0.source == .observed ? " (not documented)" : "") } ?? "unknown"
        var title = "\(type) \(name), version \(attribute.version), \(form)"
        if let integer { title += ": \(integer)" + (spelled.map { " (\"\($0)\")" } ?? "") }
        if let text { title += ": \"\(text)\"" }
        if let date, date != text { title += " = \(date)" }
        return title
    }

    func write(to report: inout ReportWriter, _ bytes: Span<UInt8>, base: Int) {
        report.member("type", type)
        report.member("name", field?.name)
        report.member("name_source", field?.source.rawValue)
        report.member("version", attribute.version)
        report.member("offset", attribute.value.offset - base)
        report.member("bytes", attribute.value.count)
        report.member("form", form)
        if let integer { report.member("value", integer) } else { report.member("value", text) }
        if let spelled { report.member("spelled", spelled) }
        if let date { report.member("date", date) }
        let hex = bytes.hex(attribute.value)
        report.member("hex", hex)
        nested?.write(to: &report, bytes, base: base)
        if nested?.attributes.isEmpty ?? true, !attribute.value.isEmpty { report.line(hex.shown, indent: 1) }
    }
}
