internal import MillBytes
internal import MillJSON
internal import ReceiptArchive

/// Texts: recognises what each one is, and which texts it contains.
extension LineWalk {
    /// The maximum depth of nested encodings, such as a body in a gateway's record, in a logger's record, in base64.
    /// The search for persons in rejected lines goes deeper.
    private static let maximumLayers = 4
    /// The minimum length of a text that is searched, unless it is JSON or meant as a document. Certificates alone are
    /// longer.
    private static let shortest = 64
    static let budgetPerByte = 16
    static let inflationPerByte = 128
    static let maximumInflated = 4 << 20

    /// Reads the text of a value.
    mutating func read(_ token: JSONToken, _ bytes: Span<UInt8>, isMeant: Bool, depth: Int) {
        guard token.hasEscapes else { return read(bytes, token.range, isMeant: isMeant, depth: depth) }
        if let text = JSONString.unescaped(bytes, in: token.range) {
            read(content: text, of: token, isMeant: isMeant, depth: depth)
        } else if isMeant {
            add(token, fault: Unreadable(.noReceipt, "half a surrogate pair is there"))
        }
    }

    /// Reads a text that a value encodes.
    private mutating func read(content: [UInt8], of token: JSONToken, isMeant: Bool, depth: Int) {
        let documents = line.documents.count
        let holder = enter(content, of: token)
        read(content.span, content.indices, isMeant: isMeant, depth: depth)
        leave(holder, documents: documents)
    }

    private mutating func enter(_ content: [UInt8], of token: JSONToken) -> ScannedValue {
        let holder = ScannedValue(token: token, text: text)
        line.texts.append(ScannedText(bytes: content, holder: holder))
        text = line.texts.count - 1
        return holder
    }

    /// Returns to the surrounding text, and drops the texts inside if no document was found in them.
    private mutating func leave(_ holder: ScannedValue, documents: Int) {
        if line.documents.count == documents, let text {
            line.texts.removeSubrange(text...)
            if let miss = line.nearMiss, miss.value.text ?? -1 >= text { line.nearMiss = (holder, miss.what) }
        }
        text = holder.text
    }

    /// Reads a text without escapes.
    private mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>, isMeant: Bool, depth: Int) {
        let range = WhiteSpace.trimmed(range, of: bytes)
        guard let first = range.first, isMeant || range.count >= Self.shortest || TextForm.beginsJSON(bytes[first])
        else { return }
        let former = line.documentCount
        let form = TextForm(bytes, range, isMeant: isMeant)
        if form == .document { return add(JSONToken(kind: .string, range: range)) }
        if form == .otherSignedString {
            note(range, "is a signed string without certificates (x5c), as tokens of sessions are")
        } else if layers < Self.maximumLayers, budget >= range.count {
            budget -= range.count
            layers += 1
            switch form {
            case .json: scan(bytes, range, depth: depth + 1)
            case .base64, .packed: decode(bytes, range, isPacked: form == .packed, depth: depth)
            case .document, .otherSignedString, .other: readOther(bytes, range, depth: depth)
            }
            layers -= 1
        }
        if isMeant, line.documentCount == former { add(JSONToken(kind: .string, range: range)) }
    }

    private mutating func note(_ range: Range<Int>, _ what: String) {
        if line.nearMiss == nil {
            line.nearMiss = (ScannedValue(token: JSONToken(kind: .string, range: range), text: text), what)
        }
    }

    // MARK: Encodings

    private mutating func decode(_ bytes: Span<UInt8>, _ range: Range<Int>, isPacked: Bool, depth: Int) {
        var decoded: [UInt8] = []
        guard Base64.append(bytes, in: range, to: &decoded) else {
            // Prose may begin like base64, as "Info" does.
            let former = line.documentCount
            readOther(bytes, range, depth: depth)
            let isBase64 = range.prefix(Self.shortest).allSatisfy { Base64.value(of: bytes[$0]) != nil }
            if line.documentCount == former, isBase64 { note(range, "is base64 that is cut or altered") }
            return
        }
        if isPacked {
            guard inflatable > 0, let inflated = PackedBytes.inflated(decoded, upTo: inflatable) else { return }
            inflatable -= inflated.count
            budget += Self.maximumLayers * inflated.count
            decoded = inflated
        }
        let former = line.documentCount
        read(content: decoded, of: JSONToken(kind: .string, range: range), isMeant: false, depth: depth)
        // Words that consist of letters alone look like base64 with white space.
        let isOneWord = !range.contains { WhiteSpace.contains(bytes[$0]) }
        if line.documentCount == former, !isOneWord { scan(bytes, range, depth: depth) }
    }

    /// Reads a data URI, a form, an address with a query, or free text.
    mutating func readOther(_ bytes: Span<UInt8>, _ range: Range<Int>, depth: Int) {
        if let form = FormText(bytes, range) {
            read(form, bytes, at: range, depth: depth)
        } else if let decoded = FormText.unescaped(bytes, range) {
            read(content: decoded, of: JSONToken(kind: .string, range: range), isMeant: false, depth: depth)
        } else {
            scan(bytes, range, depth: depth)
        }
    }

    /// Reads the members of a form like those of an object.
    private mutating func read(_ form: consuming FormText, _ bytes: Span<UInt8>, at range: Range<Int>, depth: Int) {
        let first = line.documents.count
        let content = form.content
        let holder = enter(content, of: JSONToken(kind: .string, range: range))
        var context = StatedContext()
        while let member = form.next(bytes) {
            let key = keys.key(JSONToken(kind: .string, range: member.key), content.span)
            take(JSONToken(kind: .string, range: member.value), under: key, content.span, depth: depth, &context)
        }
        close(context, from: first)
        leave(holder, documents: first)
    }

    /// Reads the fields of a row like the members of an object.
    mutating func read(_ row: TableRow, under names: [[UInt8]], at range: Range<Int>) {
        let first = line.documents.count
        let holder = enter(row.content, of: JSONToken(kind: .string, range: range))
        var context = StatedContext()
        for (name, field) in zip(names, row.fields) {
            let value = row.content[field]
            // MySQL and PostgreSQL write these texts for a missing value.
            if value.elementsEqual("NULL".utf8) || value.elementsEqual("\\N".utf8) { continue }
            let key = keys.key(JSONToken(kind: .string, range: name.indices), name.span)
            take(JSONToken(kind: .string, range: field), under: key, row.content.span, depth: 0, &context)
        }
        close(context, from: first)
        leave(holder, documents: first)
    }

    // MARK: Free text

    /// Reads JSON values, quoted texts and long words, whatever is between them.
    mutating func scan(_ bytes: Span<UInt8>, _ range: Range<Int>, depth: Int) {
        guard let whole = try? JSONCursor(line: bytes, range) else { return }
        var index = range.lowerBound
        var word = index
        while index < range.upperBound {
            let byte = bytes[index]
            guard TextForm.endsWord(byte) else {
                index += 1
                continue
            }
            readWord(bytes, word..<index, of: range, depth: depth)
            var end: Int?
            if budget > 0, TextForm.beginsJSON(byte) {
                var cursor = JSONCursor(bytes, in: index..<range.upperBound, mayHoldControls: whole.mayHoldControls)
                end = byte == UInt8(ascii: "\"") ? readQuoted(&cursor, depth: depth) : readJSON(&cursor, depth: depth)
            }
            index = end ?? index + 1
            word = index
        }
        readWord(bytes, word..<index, of: range, depth: depth)
    }

    private mutating func readWord(_ bytes: Span<UInt8>, _ word: Range<Int>, of range: Range<Int>, depth: Int) {
        guard word.count >= Self.shortest, word != range else { return }
        let former = line.documents.count
        read(bytes, word, isMeant: false, depth: depth)
        // With the budget used up, objects are no longer read, and one of them may state the document's account.
        guard budget <= 0 else { return }
        let detail = "texts of the line take more than \(Self.budgetPerByte) times its length to be read"
        for index in former..<line.documents.count { line.documents[index].fault = Unreadable(.lineTooLong, detail) }
    }

    /// Reads a quoted text that has escapes; other quoted texts are read as words.
    ///
    /// - Returns: the end of the text; nil if it was not read.
    private mutating func readQuoted(_ cursor: inout JSONCursor, depth: Int) -> Int? {
        let token: JSONToken
        do throws(InvalidJSON) { token = try cursor.readString() } catch {
            budget -= error.offset + 1
            return nil
        }
        guard token.hasEscapes, token.range.count >= Self.shortest else { return nil }
        read(token, cursor.bytes, isMeant: false, depth: depth)
        return cursor.position
    }

    /// Reads an object or a list in a text. If it is not valid JSON and documents begin in it, the rest of the text
    /// from its beginning counts as a document that can't be read, because the document's account may be in it.
    ///
    /// - Returns: the end of the text that was read; nil if nothing was read.
    private mutating func readJSON(_ cursor: inout JSONCursor, depth: Int) -> Int? {
        let former = (
            count: line.documentCount, documents: line.documents.count, texts: line.texts.count, hasMetDocument
        )
        hasMetDocument = false
        defer { hasMetDocument = hasMetDocument || former.3 }
        let start = cursor.position
        do throws(InvalidJSON) {
            try value(&cursor, isMeant: false, depth: depth)
            return cursor.position
        } catch {
            budget -= error.offset + 1
            line.documentCount = former.count
            line.documents.removeSubrange(former.documents...)
            line.texts.removeSubrange(former.texts...)
            if let miss = line.nearMiss, miss.value.text ?? -1 >= former.texts { line.nearMiss = nil }
            guard hasMetDocument else { return nil }
            let detail = "JSON in a text of the line: \(error.what) (character \(error.offset + 1) of the text)"
            add(JSONToken(kind: .string, range: start..<cursor.end), fault: Unreadable(.invalidJSON, detail))
            return cursor.end
        }
    }
}
