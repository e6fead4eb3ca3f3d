internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust

/// Writes reports on documents as JSON, or as text: indented lines with labels in a column. One call writes a field in
/// either format. Text from documents is escaped, so that it can't control the terminal.
struct ReportWriter: ~Copyable {
    let isText: Bool
    private var json: JSONWriter
    private var lines = ""
    private var depth = 0

    static let labelWidth = 14

    init(isText: Bool, isPretty: Bool = false) {
        self.isText = isText
        json = JSONWriter(isPretty: isPretty)
    }

    var output: String { isText ? lines : json.text }

    /// Begins the report: with a title in text, with the line's source and number in JSON.
    mutating func begin(_ title: @autoclosure () -> String = "", source: String? = nil, line number: Int? = nil) {
        line(title())
        depth = 1
        inJSON { $0.open() }
        if let source { member("source", source) }
        if let number { member("line", number) }
    }

    mutating func end() {
        depth = 0
        inJSON { json in
            json.close()
            json.endLine()
        }
    }

    /// Writes a line's documents. In text each has a title; in JSON several are a list. With `accepted`, each title
    /// states whether its document is accepted, and a member before the list states whether all are.
    mutating func documents<Failure: Error>(
        of line: PresentedReceipt, accepted: [Bool]? = nil, source: String?, number: Int?,
        _ body: (inout ReportWriter, Int) throws(Failure) -> Void
    ) throws(Failure) {
        if isText {
            for index in line.documents.indices {
                let word = accepted.map { $0[index] ? ": accepted" : ": REFUSED" } ?? ""
                begin(line.location(ofDocument: index) + word)
                try body(&self, index)
                end()
            }
            return
        }
        begin(source: source, line: number)
        if line.documents.count == 1 {
            try body(&self, 0)
        } else {
            if let accepted { member("accepted", accepted.allSatisfy { $0 }) }
            try list("documents", Array(line.documents.indices), body)
        }
        end()
    }

    // MARK: Fields of both forms

    /// Writes a field. A nil value is null in JSON, and has no line in text.
    ///
    /// - Parameters:
    ///   - label: the label in text; nil uses the key.
    ///   - shown: the value's form in text.
    mutating func field<Value: FieldValue>(
        _ key: StaticString, as label: String? = nil, _ value: Value?, shown: (Value) -> String? = { $0.shown }
    ) {
        if isText { text(label ?? "\(key)", value.flatMap(shown)) } else { member(key, value) }
    }

    /// Writes a list of values; in text, each value has its own line with the same label.
    mutating func values<Value: FieldValue>(_ key: StaticString, as label: String, _ values: [Value]) {
        inJSON { $0.openArray(key) }
        for value in values { if isText { text(label, value.shown) } else { value.write(to: &json) } }
        inJSON { $0.closeArray() }
    }

    /// Writes an object: in JSON a member or, without a key, an element of an array; in text, fields below a title.
    mutating func section<Failure: Error>(
        _ key: StaticString?, _ title: String?, _ body: (inout ReportWriter) throws(Failure) -> Void
    ) throws(Failure) {
        if let title { line(title) }
        let indent = title == nil ? 0 : 1
        inJSON { json in
            if let key { json.key(key) }
            json.open()
        }
        depth += indent
        try body(&self)
        depth -= indent
        inJSON { $0.close() }
    }

    /// Writes a list of objects; in text, each has a title, below a heading if there is one.
    mutating func list<Element, Failure: Error>(
        _ key: StaticString, heading: String? = nil, _ elements: [Element], title: (Int) -> String? = { _ in nil },
        _ body: (inout ReportWriter, Element) throws(Failure) -> Void
    ) throws(Failure) {
        if let heading { line(heading) }
        let indent = heading == nil ? 0 : 1
        inJSON { $0.openArray(key) }
        depth += indent
        for (index, element) in elements.enumerated() {
            try section(nil, isText ? title(index) : nil) { (report) throws(Failure) in try body(&report, element) }
        }
        depth -= indent
        inJSON { $0.closeArray() }
    }

    // MARK: Fields of one form

    mutating func member(_ key: StaticString, _ value: (any FieldValue)?) {
        guard !isText else { return }
        json.key(key)
        if let value { value.write(to: &json) } else { json.null() }
    }

    mutating func inJSON(_ write: (inout JSONWriter) -> Void) {
        if !isText { write(&json) }
    }

    mutating func line(_ content: @autoclosure () -> String, indent: Int = 0) {
        guard isText else { return }
        lines += String(repeating: "  ", count: depth + indent) + TerminalText.harmless(content()) + "\n"
    }

    /// Writes a line with a label and its content in text; writes nothing if the content is nil.
    mutating func text(_ label: String, _ content: @autoclosure () -> String?) {
        guard isText, let content = content() else { return }
        line(TerminalText.padded(label, to: max(Self.labelWidth, label.count + 1)) + content)
    }
}

/// A value that a field can have.
protocol FieldValue {
    /// The value's form in text.
    var shown: String { get }
    func write(to json: inout JSONWriter)
}

extension String: FieldValue {
    var shown: String { self }
    func write(to json: inout JSONWriter) { json.value(self) }
}

extension DocumentText: FieldValue {
    var shown: String { string }
    func write(to json: inout JSONWriter) { json.value(string) }
}

extension Bool: FieldValue {
    var shown: String { self ? "yes" : "no" }
    func write(to json: inout JSONWriter) { json.value(self) }
}

extension FieldValue where Self: BinaryInteger {
    var shown: String { String(self) }
    func write(to json: inout JSONWriter) { json.value(Int64(self)) }
}

extension Int: FieldValue {}
extension UInt8: FieldValue {}
extension Int64: FieldValue {
    /// The moment of this many milliseconds since 1970 UTC, in ISO 8601.
    var date: String { CivilTime.iso8601(milliseconds: self) }
}

extension NamedObject: FieldValue {
    var shown: String { name.map { "\($0) (\(identifier))" } ?? identifier }

    func write(to json: inout JSONWriter) {
        json.open()
        json.member("oid", identifier)
        json.member("name", name)
        json.close()
    }
}

/// Bytes in hexadecimal digits: all of them in JSON, at most 32 in text.
struct HexBytes: FieldValue {
    let bytes: [UInt8]

    var digits: String { Hex.text(bytes) }

    var shown: String {
        bytes.count > 32 ? HexBytes(bytes: Array(bytes.prefix(32))).digits + "… (\(bytes.count) bytes)" : digits
    }

    func write(to json: inout JSONWriter) { json.string { $0.appendHex(bytes) } }
}

extension Span<UInt8> {
    /// The text at a range, which must be within the bytes.
    func text(_ range: ByteRange) -> DocumentText {
        extracting(range.indices).withUnsafeBufferPointer { DocumentText(decoding: $0) }
    }

    func text(_ range: ByteRange?) -> DocumentText? { range.map { text($0) } }

    /// A property list's string without its escapes; nil if an escape means no character, in which case readers of
    /// property lists reject the string.
    func text(_ text: PropertyList.Text) -> DocumentText? {
        (try? ByteReader(self).unescaped(text)).map { DocumentText(decoding: $0) }
    }

    func hex(_ range: ByteRange) -> HexBytes { HexBytes(bytes: range.indices.map { self[$0] }) }
}

extension DocumentText {
    /// This text with one ASCII character replaced by another.
    func replacing(_ former: Unicode.Scalar, with other: Unicode.Scalar) -> DocumentText {
        let (former, other) = (UInt8(ascii: former), UInt8(ascii: other))
        return DocumentText(decoding: utf8.map { $0 == former ? other : $0 })
    }

    /// The text; if it is too long, its first characters and the total number. Scalars are counted, because a single
    /// grapheme can be as long as the text.
    func shortened(over most: Int, to kept: Int) -> String {
        let count = string.unicodeScalars.count
        return count > most ? "\(String(string.unicodeScalars.prefix(kept)))… (\(count) characters)" : string
    }
}
