internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill decode` and `receiptmill load` as a user, a shell and a cluster
/// run them.
@Suite struct DecodeCommandTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// Runs a shell script with the binary as `$MILL`, the sample as `$ARCHIVE` and
    /// its root as `$ROOT`, in a folder of its own.
    private func shell(_ script: String) throws -> Mill.Result {
        var command = try Command("bash", ["-uo", "pipefail", "-c", script], in: workdir.url)
        command.environment = ["MILL": Mill.binary.path, "ARCHIVE": Samples.archive, "ROOT": Samples.root]
        return try command.run()
    }

    /// Three receipts worked out with openssl and a reader of DER of some lines, from
    /// the archive and truth-lines.jsonl, and two rejections by hand.
    @Test("decode writes what openssl and a separate reader found")
    func golden() throws {
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/decode.jsonl")
        let wanted = try String(contentsOf: golden, encoding: .utf8)
        let found = try shell(#""$MILL" decode "$ARCHIVE" --trust "$ROOT" | sed -n '9p;15p;59p;208p;300p'"#)
        #expect(found.status == 0)
        #expect(found.output == wanted)
    }

    @Test("Two decode processes over divided input write what one writes")
    func dividedInput() throws {
        let result = try shell(
            """
            gzip -dc "$ARCHIVE" > whole
            "$MILL" decode --trust "$ROOT" < whole > one
            split --lines=151 --filter='"$MILL" decode --trust "$ROOT" --jobs 1' whole > two
            cmp one two
            split --number=r/2 --filter='"$MILL" decode --trust "$ROOT" > $FILE' whole turn.
            paste --delimiters='\\n' turn.aa turn.ab > woven
            cmp one woven
            wc --lines < one
            """)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output == "300\n")
    }

    @Test("decode reads standard input where no file is named, and recognises gzip")
    func standardInput() throws {
        let result = try shell(
            """
            gzip -dc "$ARCHIVE" | "$MILL" decode --trust "$ROOT" > nothing
            "$MILL" decode - --trust "$ROOT" < "$ARCHIVE" > hyphen
            "$MILL" decode <(cat "$ARCHIVE") --trust "$ROOT" > pipe
            cmp nothing hyphen && cmp nothing pipe && grep --count '"archive"' nothing
            """)
        #expect(result.output == "0\n")
    }

    @Test("decode answers each line as it comes, and ends without an error when its reader closes the pipe")
    func streams() throws {
        let result = try shell(
            """
            mkfifo lines
            "$MILL" decode --trust "$ROOT" < lines > first &
            exec 3> lines
            gzip -dc "$ARCHIVE" 2> /dev/null | head -1 >&3
            for i in {1..100}; do [ -s first ] && break; sleep 0.2; done
            wc --lines < first
            exec 3>&-
            wait $!; echo $?
            for i in 1 2 3 4 5 6; do cat "$ARCHIVE"; done > many.gz
            "$MILL" decode many.gz --trust "$ROOT" | head -1 > /dev/null
            echo "${PIPESTATUS[0]}"
            """)
        #expect(result.output == "1\n0\n0\n")
        #expect(result.errors.isEmpty, "\(result.errors)")
        // A reader that is gone before the first line.
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let gone = try Mill.run(["decode", Samples.archive, "--trust", Samples.root], output: pipe)
        #expect(gone.status == 0 && gone.errors.isEmpty)
    }

    @Test("decode leaves no temporary files")
    func noTemporaryFiles() throws {
        let result = try shell(
            #"TMPDIR=$PWD/tmp; export TMPDIR; mkdir tmp; "$MILL" decode < "$ARCHIVE" > out; ls -A tmp"#)
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.url.path).sorted() == ["out", "tmp"])
    }

    @Test("decode reports files at fault and answers the others")
    func faults() throws {
        let result = try shell(
            """
            head -c 200000 "$ARCHIVE" > cut.gz
            "$MILL" decode cut.gz --trust "$ROOT" > cut.out; echo $?
            "$MILL" decode absent.gz "$ARCHIVE" --trust "$ROOT" > absent.out; echo $?
            wc --lines < absent.out
            [ -s cut.out ] && grep --count '"last"' cut.out
            "$MILL" decode "$ARCHIVE" > /dev/full; echo $?
            """)
        #expect(result.output.split(separator: "\n") == ["65", "66", "300", "0", "74"])
        #expect(result.errors.contains("cut.gz: ") && result.errors.contains("absent.gz: "))
        #expect(result.errors.contains("hint: "))
    }

    @Test("load takes what decode writes over a pipe")
    func loadFromPipe() throws {
        let result = try shell(
            """
            "$MILL" decode "$ARCHIVE" --trust "$ROOT" | "$MILL" load --database a.sqlite --trust "$ROOT" --format json
            "$MILL" decode "$ARCHIVE" --trust "$ROOT" | gzip > decoded.gz
            "$MILL" load decoded.gz --database a.sqlite --quiet; echo $?
            "$MILL" ingest "$ARCHIVE" --trust "$ROOT" --database b.sqlite --quiet
            "$MILL" check --database a.sqlite --quiet; echo $?
            for database in a b; do
                sqlite3 $database.sqlite 'SELECT * FROM submissions; SELECT * FROM rejections; SELECT * FROM purchases;
                    SELECT name, sha256, bytes, lines, loaded_lines, complete FROM archives' | sort > $database
            done
            cmp a b && wc --lines < a
            """)
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.contains(#""lines":300"#) == true)
        #expect(lines.dropFirst().prefix(2) == ["0", "0"])
        #expect(lines.count == 4 && (Int(lines.last ?? "") ?? 0) > 600, "\(result)")
    }

    @Test("load refuses lines that decode did not write")
    func loadRefusesOthers() throws {
        let result = try shell(
            """
            "$MILL" load "$ARCHIVE" --database a.sqlite --quiet; echo $?
            "$MILL" load absent --database a.sqlite --quiet; echo $?
            "$MILL" load --help-all | grep --count 'BELIEVES THE VERDICTS'
            """)
        #expect(result.output == "65\n66\n1\n")
        #expect(result.errors.contains("receipts-001.jsonl.gz:1: ") && result.errors.contains("hint: "))
    }
}
