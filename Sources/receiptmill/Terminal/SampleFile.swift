internal import CSample
internal import MillSystem

/// A file of data-samples/company, whose bytes are compiled into the program.
enum SampleFile: String, CaseIterable {
    case archive = "archive.jsonl.gz"
    case root = "root.pem"
    case rates = "rates.csv"

    private var number: Int {
        switch self {
        case .archive: SAMPLE_ARCHIVE
        case .root: SAMPLE_ROOT
        case .rates: SAMPLE_RATES
        }
    }

    func write(to path: String) throws {
        var count = 0
        let bytes = UnsafeRawBufferPointer(start: receiptmill_sample(Int32(number), &count), count: count)
        try OutputFile.write(to: path, mode: OutputFile.reportMode) { descriptor in
            try TextOutput.write(bytes, to: descriptor, named: path)
        }
    }
}
