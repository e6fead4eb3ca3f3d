internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust

/// Writes reports about receipts as JSON, or as text: indented lines with labels in a
/// column. Each field is listed once for both. Text from receipts can't command the
/// terminal.
struct ReportWriter: ~Copyable {
    let isText: Bool
    private var json: JSONWriter
    private var lines = ""
    private var depth = 0

    private static let labelWidth = 14

    init(isText: Bool, isPretty: Bool = false) {
        self.isText = isText
        json = JSONWriter(isPretty: isPretty)
    }

    var output: String { isText ? lines : json.text }

    /// Begins the report on one receipt: in text with a title, in JSON with its source and line.
    mutating func begin(_ title: @autoclosure () -> String = "", source: String?, line number: Int?) {
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

    // MARK: Fields of both forms

    /// A field, in text under a label if that is another; null, and no line, for nil.
    mutating func field(_ key: StaticString, as label: String? = nil, _ value: String?) {
        if isText { text(label ?? "\(key)", value) } else { json.member(key, value) }
    }

    mutating func field(_ key: StaticString, _ number: (some BinaryInteger)?) {
        if isText { text("\(key)", number.map { String($0) }) } else { member(key, number) }
    }

    mutating func field(_ key: StaticString, as label: String, date milliseconds: Int64?) {
        field(key, as: label, milliseconds.map(CivilTime.iso8601))
    }

    /// A flag; in text a line where it is set.
    mutating func flag(_ key: StaticString, as label: String, _ flag: Bool, _ meaning: String) {
        if isText { text(label, flag ? meaning : nil) } else { json.member(key, flag) }
    }

    /// An object identifier with its name.
    mutating func object(_ key: StaticString, as label: String? = nil, _ range: ByteRange?, _ bytes: Span<UInt8>) {
        guard let range else { return member(key, nil as String?) }
        section(key, nil) { $0.object(as: label, range, bytes) }
    }

    /// The same as an element of a list.
    mutating func object(as label: String?, _ range: ByteRange, _ bytes: Span<UInt8>) {
        let object = NamedObject(bytes, in: range)
        member("oid", object.identifier)
        member("name", object.name)
        if let label { text(label, object.text) }
    }

    /// An object as a member or, without a key, as an element; in text fields below a title.
    mutating func section(_ key: StaticString?, _ title: String?, _ body: (inout ReportWriter) -> Void) {
        if let title { line(title) }
        let indent = title == nil ? 0 : 1
        inJSON { json in
            if let key { json.key(key) }
            json.open()
        }
        depth += indent
        body(&self)
        depth -= indent
        inJSON { $0.close() }
    }

    /// A list of objects; in text below a heading, if there is one, and each below its title.
    mutating func list<Element>(
        _ key: StaticString, heading: String? = nil, _ elements: [Element], title: (Int) -> String? = { _ in nil },
        _ body: (inout ReportWriter, Element) -> Void
    ) {
        if let heading { line(heading) }
        let indent = heading == nil ? 0 : 1
        inJSON { $0.openArray(key) }
        depth += indent
        for (index, element) in elements.enumerated() {
            section(nil, isText ? title(index) : nil) { body(&$0, element) }
        }
        depth -= indent
        inJSON { $0.closeArray() }
    }

    /// In text, lines of another indent.
    mutating func indented(_ body: (inout ReportWriter) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    // MARK: Fields of one form

    mutating func member(_ key: StaticString, _ value: String?) {
        if !isText { json.member(key, value) }
    }

    mutating func member(_ key: StaticString, _ value: DocumentText?) { member(key, value?.string) }

    mutating func member(_ key: StaticString, _ number: (some BinaryInteger)?) {
        if !isText { json.member(key, number.map { Int64($0) }) }
    }

    mutating func member(_ key: StaticString, _ flag: Bool?) {
        if !isText { json.member(key, flag) }
    }

    mutating func date(_ key: StaticString, _ milliseconds: Int64?) { member(key, milliseconds.map(CivilTime.iso8601)) }

    /// The text at a range; null for nil.
    mutating func member(_ key: StaticString, _ range: ByteRange?, _ bytes: Span<UInt8>) {
        if range == nil { member(key, nil as String?) } else { inJSON { $0.text(key, range, bytes) } }
    }

    mutating func hex(_ key: StaticString, _ range: ByteRange, _ bytes: Span<UInt8>) {
        let part = bytes.extracting(range.indices)
        inJSON { json in
            json.key(key)
            json.string { json in part.withUnsafeBufferPointer { json.appendHex($0) } }
        }
    }

    mutating func inJSON(_ write: (inout JSONWriter) -> Void) {
        if !isText { write(&json) }
    }

    mutating func line(_ content: @autoclosure () -> String, indent: Int = 0) {
        guard isText else { return }
        lines += String(repeating: "  ", count: depth + indent) + TerminalText.harmless(content()) + "\n"
    }

    /// A label and its content; nothing for nil.
    mutating func text(_ label: String, _ content: @autoclosure () -> String?) {
        guard isText, let content = content() else { return }
        line(TerminalText.padded(label, to: max(Self.labelWidth, label.count + 1)) + content)
    }
}

extension JSONWriter {
    /// The text at a range; nothing for nil.
    mutating func text(_ name: StaticString, _ range: ByteRange?, _ bytes: Span<UInt8>) {
        guard let range else { return }
        key(name)
        let part = bytes.extracting(range.indices)
        string { json in part.withUnsafeBufferPointer { json.appendEscaped($0) } }
    }
}

extension NamedObject {
    var text: String { name.map { "\($0) (\(identifier))" } ?? identifier }
}

extension Span<UInt8> {
    /// The text at a range, which must lie within.
    func text(_ range: ByteRange) -> DocumentText {
        extracting(range.indices).withUnsafeBufferPointer { DocumentText(decoding: $0) }
    }

    /// A property list's string without its escapes; nil where one stands for no
    /// character, which readers of property lists refuse.
    func text(_ text: PropertyList.Text) -> DocumentText? {
        guard text.hasEscapes else { return self.text(text.range) }
        return (try? ByteReader(self).unescaped(text)).map { DocumentText(decoding: $0) }
    }

    func hex(_ range: ByteRange) -> String {
        range.indices.reduce(into: "") { text, index in
            text += (self[index] < 16 ? "0" : "") + String(self[index], radix: 16)
        }
    }

    /// The first 32 bytes, and how many there are in all.
    func cutHex(_ range: ByteRange) -> String {
        guard range.count > 32 else { return hex(range) }
        return hex(ByteRange(offset: range.offset, count: 32)) + "… (\(range.count) bytes)"
    }
}

extension DocumentText {
    /// The same with one ASCII character in the place of another.
    func replacing(_ former: Unicode.Scalar, with other: Unicode.Scalar) -> DocumentText {
        let (former, other) = (UInt8(ascii: former), UInt8(ascii: other))
        return DocumentText(decoding: utf8.map { $0 == former ? other : $0 })
    }

    /// So many of its first characters, and how many there are in all, where there are more than may
    /// be shown. What a reader sees as one character may be as long as the text: scalars are counted.
    func shortened(over most: Int, to kept: Int) -> String {
        let count = string.unicodeScalars.count
        return count > most ? "\(String(string.unicodeScalars.prefix(kept)))… (\(count) characters)" : string
    }
}
