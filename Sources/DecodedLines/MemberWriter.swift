internal import MillJSON
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Writes members as JSON.
struct MemberWriter: MemberVisitor, ~Copyable, ~Escapable {
    let batch: VerifiedBatch
    /// The batch's bytes, to which ranges of its documents refer.
    private let bytes: Span<UInt8>
    /// The batch's archive as JSON, which is the same in every line.
    private(set) var archive: [UInt8] = []
    var json: JSONWriter
    var memory: WriterMemory

    /// - Parameter archive: the archive that the lines name.
    @_lifetime(borrow batch)
    init(
        _ batch: borrowing VerifiedBatch, of archive: ArchiveID?, into json: consuming JSONWriter,
        _ memory: consuming WriterMemory
    ) {
        self.batch = copy batch
        bytes = batch.bytes.span
        self.json = json
        self.memory = memory
        guard let archive else { return }
        var members = ArchiveObject(archive)
        write(&members)
        self.archive = self.json.bytes
        self.json.endLine()
        self.json.removeAll()
    }

    mutating func write<Object: DecodedObject>(_ object: inout Object) {
        json.open()
        object.visit(with: &self)
        json.close()
    }

    mutating func member<Format: MemberFormat>(
        _ name: StaticString, _ value: inout Format.Value?, as format: Format.Type
    ) {
        guard let value else { return }
        json.key(name)
        Format.write(value, to: &self)
    }

    mutating func member<Format: MemberFormat>(_ name: [UInt8], _ value: inout Format.Value?, as format: Format.Type) {
        guard let value else { return }
        json.key(name)
        Format.write(value, to: &self)
    }

    /// Writes the object without copying it, because copying a receipt's members costs more than writing most of them.
    mutating func object<Object: DecodedObject>(_ name: StaticString, _ value: inout Object?) {
        guard value != nil else { return }
        json.key(name)
        json.open()
        value?.visit(with: &self)
        json.close()
    }

    mutating func payload(_ index: inout Int?) {
        guard let index, let form = SignedForm.of(batch.signedPayloads[index].kind) else { return }
        var members = SignedMembers(payload: batch.signedPayloads[index])
        json.key(form.name)
        write(&members)
    }

    mutating func versionKey(of version: ByteRange) {
        bytes.extracting(version.indices).withUnsafeBufferPointer { memory.versionKeys.write($0, to: &json) }
    }

    /// Writes a string that `append` creates from a range of the batch's bytes.
    @inline(__always)
    mutating func string(at range: ByteRange, _ append: (inout JSONWriter, UnsafeBufferPointer<UInt8>) -> Void) {
        bytes.extracting(range.indices).withUnsafeBufferPointer { part in json.string { append(&$0, part) } }
    }
}

/// A cache of repeated texts, by the values from which they are made. It does not change the output.
struct WriterMemory {
    var versionKeys = VersionKeyCache()
    /// Certificates of issuers as JSON, about 2 kB each; Apple has used five.
    var issuers = RecentValues<SHA256Digest, [UInt8]>()
    var types = RecentValues<UndocumentedTypes, [UInt8]>()
}
