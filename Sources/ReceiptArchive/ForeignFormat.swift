internal import MillBytes
internal import MillSystem

/// Formats of files that are not read as archives, recognised by their first bytes. One error names the format;
/// otherwise each line would be rejected.
enum ForeignFormat: String, CaseIterable {
    case xz, zstd, bzip2, lz4, zip
    case utf16 = "UTF-16"
    case storeReport = "a report file of the store"

    /// The number of bytes that are needed to recognise every format.
    static let longestBeginning = allCases.flatMap(\.beginnings).map(\.count).max() ?? 0

    /// The bytes with which files of this format begin.
    private var beginnings: [[UInt8]] {
        switch self {
        case .xz: [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]]
        case .zstd: [[0x28, 0xb5, 0x2f, 0xfd]]
        case .bzip2: (UInt8(ascii: "1")...UInt8(ascii: "9")).map { Array("BZh".utf8) + [$0, 0x31, 0x41, 0x59] }
        case .lz4: [[0x04, 0x22, 0x4d, 0x18]]
        case .zip: [[0x50, 0x4b, 0x03, 0x04]]
        // The byte order mark, or a brace or a base64 letter in two bytes.
        case .utf16:
            [[0xff, 0xfe], [0xfe, 0xff], [0x7b, 0x00], [0x00, 0x7b], [0x4d, 0x00, 0x49], [0x00, 0x4d, 0x00]]
        // The first column of the reports SALES and PRE_ORDER, of FINANCIAL, FINANCE_DETAIL, SUBSCRIPTION, of events
        // and subscribers, and of offer codes; the title of payments.
        case .storeReport:
            [
                "Provider\t", "Start Date\t", "Vendor Name\t", "App Name\t", "Event Date\t", "Date\tApp Name\t",
                "\"iTunes Connect - ", "iTunes Connect - ",
            ].map { Array($0.utf8) }
        }
    }

    private var hint: String {
        switch self {
        case .utf16: "iconv -f UTF-16 -t UTF-8, or have it delivered as UTF-8"
        case .zip: "unzip -p, then gzip; or have it delivered as gzip"
        case .storeReport: "receiptmill store-reports loads report files; a pipeline file names them by store_reports"
        default: "\(rawValue) -dc, then gzip; or have it delivered as gzip"
        }
    }

    private var what: String {
        switch self {
        case .utf16: "is in UTF-16, and only gzip and plain UTF-8 are read"
        case .storeReport: "is a report file of the store, and no archive"
        default: "is compressed by \(rawValue), and only gzip and plain UTF-8 are read"
        }
    }

    /// Refuses text that begins like one of the formats.
    ///
    /// - Parameter takesOtherText: whether only compressed text is refused, which can't be read at all.
    static func refuse(_ beginning: Span<UInt8>, of path: String, takesOtherText: Bool) throws(MillError) {
        for format in allCases where format.beginnings.contains(where: { begins(beginning, $0) }) {
            if takesOtherText, format == .utf16 || format == .storeReport { return }
            throw MillError(
                stage: .reading, path: path, what: format.what, hint: format.hint, exitStatus: .badData)
        }
    }

    private static func begins(_ text: Span<UInt8>, _ beginning: [UInt8]) -> Bool {
        text.count >= beginning.count && ByteSearch.isEqual(text, 0..<beginning.count, beginning)
    }
}
