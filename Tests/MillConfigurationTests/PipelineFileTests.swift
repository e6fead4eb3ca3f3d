import Foundation
import ReceiptArchive
import ReceiptReports
import ReceiptVerification
import ReportHeaders
import TestSupport
import Testing
import Yams

@testable import MillConfiguration
@testable import MillSystem

@Suite("A pipeline file")
struct PipelineFileTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func pipeline(_ text: String, environment: [String: String] = [:]) throws -> Pipeline {
        try Pipeline(path: workdir.write(text, to: "night.yaml"), environment: environment)
    }

    /// The fault of a file that makes no sense, without the way to the file.
    private func fault(_ text: String, environment: [String: String] = [:]) throws -> String {
        let error = try #require(throws: MillError.self) { try pipeline(text, environment: environment) }
        #expect(error.exitStatus == .configuration && error.path == workdir.path("night.yaml"))
        return "\(error.line ?? 0): \(error.what)" + (error.hint.map { " | \($0)" } ?? "")
    }

    private static let least = "database: /d/mill.sqlite\narchives:\n  - path: /in/*.gz\n"

    @Test("tells days from the day of the run, not of its reading")
    func relativeDays() throws {
        let text = "reports:\n  - {name: refunds, output: o, parameters: {from: last-7-days, until: yesterday}}\n"
        let pipeline = try pipeline(Self.least + text)
        let order = try #require(pipeline.reports.first)
        // 2024-03-01, and the day after.
        for (today, from, until) in [(19_783, "2024-02", "2024-02"), (19_784, "2024-02", "2024-03")] {
            let run = try pipeline.run(of: order.name, order.parameters, today: Int64(today))
            #expect(run.values == ["from": .text(from), "until": .text(until)])
        }
    }

    @Test("needs a database and archives, and has defaults for the rest")
    func minimumFile() throws {
        let read = try pipeline(Self.least)
        #expect(read.database == "/d/mill.sqlite")
        #expect(read.archives.map(\.path) == ["/in/*.gz"])
        #expect(read.archives.map(\.order) == [.name] && read.archives.map(\.after) == [.keep])
        #expect(read.lines == LineKeys() && read.limits == Limits())
        #expect(read.trust.anchors == ["apple"])
        #expect(read.alarms.rejectedShare == nil && read.reports.isEmpty && read.jobs == nil)
    }

    @Test("is read key by key, texts as they are written")
    func values() throws {
        let read = try pipeline(
            """
            database: mill.sqlite
            archives:
              - {path: in/a.gz, order: modified, after: move, move_to: done}
              - {path: /b.gz, after: delete}
            lines: {receipt: [r, rr]}
            trust: {anchors: [apple, root.pem.absent], intermediates: [\(Self.certificate)]}
            environments: [Production]
            apps:
              - {bundle: com.example.a, platform: macos, first_free_version: 1.10, versions: [1.10, 1.100]}
            jobs: 3
            limits: {line_bytes: 5000}
            reports:
              - {name: refunds, parameters: {from: 2024-01-01}, format: html, output: out/r.html}
            alarms: {rejected_share: 0.25, archive_missing_days: 7, no_rows: [{name: refunds}]}
            metrics: m.prom
            """.replacing(", root.pem.absent", with: ""))
        #expect(read.database == workdir.path("mill.sqlite"))
        #expect(read.archives.map(\.path) == [workdir.path("in/a.gz"), "/b.gz"])
        #expect(read.archives[0].order == .modified && read.archives[0].destination == workdir.path("done"))
        #expect(read.archives.map(\.after) == [.move, .delete])
        #expect(read.lines.receipt == ["r", "rr"] && read.lines.device == LineKeys().device)
        #expect(read.trust.intermediates == [Self.certificate] && read.environments == ["Production"])
        #expect(read.apps[0].firstFreeVersion == "1.10" && read.apps[0].versions == ["1.10", "1.100"])
        #expect(read.apps[0].platform == .macos && read.jobs == 3 && read.limits.lineBytes == 5000)
        #expect(read.reports[0].parameters == [Setting(name: "from", text: "2024-01-01")])
        #expect(read.reports[0].format == .html && read.reports[0].output == workdir.path("out/r.html"))
        #expect(read.alarms.rejectedShare == 0.25 && read.alarms.missingDays == 7)
        #expect(read.metrics == workdir.path("m.prom"))
    }

    @Test(
        "that is invalid is reported with line, key, what was expected, and the nearest key",
        arguments: [
            (
                "database: /d\narchvies: []\n",
                "2: archvies: there is no such key | did you mean archives? the keys here are database"
            ),
            ("archives:\n  - path: /a\n", "1: database: is missing"),
            (
                "database: /d\narchives: [{path: /a}]\nprices: /none.csv\n",
                "3: prices: /none.csv: the file can't be read"
            ),
            ("database: /d\n", "1: archives: is missing"),
            ("database: /d\narchives: []\n", "2: archives: the list is empty"),
            (
                "database: /d\narchives: /in/*.gz\n",
                "2: archives: expected a list of archives, each with the key path, found '/in/*.gz'"
            ),
            ("database:\narchives:\n  - path: /a\n", "1: database: expected a path, found nothing"),
            ("database: [a]\narchives:\n  - path: /a\n", "1: database: expected a path, found a list"),
            (
                least + "    after: mov\n",
                "4: archives[0].after: expected keep, move or delete, found 'mov' | did you mean move?"
            ),
            (least + "    after: move\n", "4: archives[0].after: move says not where to"),
            (least + "    move_to: /x\n", "4: archives[0].move_to: goes with after: move"),
            (
                "database: /d\narchives:\n  - path: /in/*.gz\n    after: move\n    move_to: /x/../in/\n",
                "5: archives[0].move_to: /in/*.gz looks into this folder"
            ),
            (
                "database: /d\narchives:\n  - path: /in/*/a.gz\n    after: move\n    move_to: /in/done\n",
                "5: archives[0].move_to: /in/*/a.gz looks into this folder"
            ),
            (
                "database: /d\narchives:\n  - path: /in/a.gz\n    after: move\n    move_to: /in\n",
                "5: archives[0].move_to: /in/a.gz looks into this folder"
            ),
            (
                "database: /d\narchives:\n  - path: /b/*.gz\n  - path: /a/*.gz\n    after: move\n    move_to: /b\n",
                "6: archives[1].move_to: /b/*.gz looks into this folder"
            ),
            (least + "    aftr: keep\n", "4: archives[0].aftr: there is no such key | did you mean after?"),
            (least + "jobs: many\n", "4: jobs: expected a number of workers from 1 to 1024, found 'many'"),
            (least + "jobs: 0\n", "4: jobs: expected a number of workers from 1 to 1024, found '0'"),
            (
                least + "retention_days: 010\n",
                "4: retention_days: expected a number of days from 1 to 100000, found '010' | write it without the 0"
            ),
            ("database: \"nu\\0l\"\narchives: []\n", "1: database: holds the character NUL"),
            (
                "database: /d\narchives:\n  - {path: /in/*.gz, after: move, move_to: \"a\\0\"}\n",
                "3: archives[0].move_to: holds the character NUL"
            ),
            (least + "trust: {anchors: [\"\\x00/r.pem\"]}\n", "4: trust.anchors[0]: holds the character NUL"),
            (least + "alarms:\n  rejected_share: 2\n", "5: alarms.rejected_share: expected a share from 0 to 1"),
            (
                least + "alarms:\n  no_rows:\n    - name: refunsd\n",
                "6: alarms.no_rows[0].name: there is no report named refunsd | did you mean refunds"
            ),
            (
                least + "reports:\n  - name: refunds\n    output: o\n    parameters: {fro: x}\n",
                "7: reports[0].parameters.fro: the report refunds has no parameter fro | did you mean from?"
            ),
            (
                least + "reports:\n  - name: refunds\n    output: o\n    parameters:\n      from: 2024-01-01\n"
                    + "      until: soon\n",
                "9: reports[0].parameters.until: until=soon: the value is not a month such as 2024-02, a day of it, or all"
            ),
            (
                least
                    + "reports:\n  - name: refunds\n    output: o\n    parameters: {from: 2024-02-01, until: 2024-01-01}\n",
                "7: reports[0].parameters: until=2024-01: the value is before from, which is 2024-02"
            ),
            (
                least
                    + "reports:\n  - name: refunds\n    output: o\n    parameters:\n      environment: Production,Sandox\n",
                "8: reports[0].parameters.environment: expected one of Production, ProductionSandbox, ProductionVPP, "
                    + "ProductionVPPSandbox, Sandbox, Xcode, LocalTesting, found 'Sandox' | did you mean Sandbox?"
            ),
            (
                least + "reports:\n  - name: refunds\n    output: o\n    parameters: {from: last-0-days}\n",
                "7: reports[0].parameters.from: from=last-0-days: the value is not a month such as 2024-02, a day of it, or all"
            ),
            (
                least
                    + "reports:\n  - name: refunds\n    output: o\n    parameters: {from: this-month, until: last-month}\n",
                "7: reports[0].parameters: until="
            ),
            (
                least + "alarms:\n  no_rows:\n    - name: refunds\n      parameters:\n        until: soon\n",
                "8: alarms.no_rows[0].parameters.until: until=soon: the value is not a month such as 2024-02, a day of it, or all"
            ),
            (
                least + "reports:\n  - name: fraud-case\n    output: o\n",
                "5: reports[0].parameters: the report fraud-case needs case"
            ),
            (least + "reports:\n  - name: refunds\n", "5: reports[0].output: is missing"),
            (least + "trust:\n  anchors: [sha256:12]\n", "5: trust.anchors[0]: 'sha256:12' is no SHA-256 fingerprint"),
            (
                least + "trust:\n  anchors_without_markers: [apple]\n",
                "5: trust.anchors_without_markers[0]: Apple's root needs the markers"
            ),
            (
                least + "apps:\n  - {bundle: a, first_free_version: free}\n",
                "5: apps[0].first_free_version: a version begins with a digit"
            ),
            (least + "apps: [{bundle: a}, {bundle: a}]\n", "4: apps: a is named twice"),
            (least + "apps: [{bundle: a, platform: ios}, {bundle: a, platform: ios}]\n", "4: apps: a is named twice"),
            (least + "apps: [{bundle: a, platform: ios}, {bundle: a}]\n", "4: apps: a is named twice"),
            (
                "database: /d/m.html\narchives:\n  - path: /a\ndashboard: /d/x/../m.html\n",
                "4: dashboard: /d/x/../m.html is the database, which would be overwritten"
            ),
            (
                "database: /d\narchives:\n  - path: /in/*.gz\ndead_letters: {file: /in/letters.gz}\n",
                "4: dead_letters.file: /in/letters.gz is an archive, which would be overwritten"
            ),
            (
                "database: /d\narchives:\n  - {path: /in/*.gz, after: move, move_to: /old}\ndead_letters: {file: /old/r.gz}\n",
                "4: dead_letters.file: /old/r.gz is an archive that was moved, which would be overwritten"
            ),
            (
                least + "reports:\n  - {name: refunds, output: /o}\n  - {name: archive-loads, output: /./o}\n",
                "6: reports[1].output: /./o is another report, which would be overwritten"
            ),
            (least + "jobs: 1\nalarms: {}\njobs: 2\n", "6: this is no YAML: jobs stands more than once in one mapping"),
            (
                "database: /d\narchives:\n  - path: /a\n    order: name\n    path: /b\n",
                "5: this is no YAML: path stands more than once"
            ),
            (least + "lines: {time: [a],\n  device: [b], time: [c]}\n", "5: this is no YAML: time stands"),
            (least + "limits: {inflation: 1, inflation: 2}\n", "4: this is no YAML: inflation stands"),
            (least + "limit:\n  line_bytes: 5\n", "4: limit: there is no such key | did you mean limits?"),
            (
                least + "lines:\n  device: []\n",
                "5: lines.device: the list is empty | name one; a key that has a default may be left out"
            ),
            (
                least + "trust: {anchors: [], anchors_without_markers: [\(certificate)]}\n",
                "4: trust.anchors: the list is empty"
            ),
            (
                "database: mill.sqlite/\narchives:\n  - path: /a\n",
                "1: database: expected a path, found 'mill.sqlite/' | remove the slash at its end"
            ),
            (least + "reports: [{name: refunds, output: /o/}]\n", "4: reports[0].output: expected a path, found '/o/'"),
            (least + "lines:\n\n  receipt: {}\n", "6: lines.receipt: expected a list of keys, found a mapping"),
            (
                least + "environments:\n  - Production\n  - ProductionSandBox\n",
                "6: environments[1]: expected one of Production, ProductionSandbox, ProductionVPP, "
                    + "ProductionVPPSandbox, Sandbox, Xcode, LocalTesting, found 'ProductionSandBox' | "
                    + "did you mean ProductionSandbox?"
            ),
            (
                least + "trust:\n  intermediates:\n    - /none.pem\n",
                "6: trust.intermediates[0]: /none.pem: can't be read | give a certificate file"
            ),
            (least + "pseudonym_key: /none.key\n", "4: pseudonym_key: /none.key: the key can't be read"),
            (least + "limits:\n  <<: {line_bytes: 100}\n", "5: limits: merge keys (<<) are not supported"),
            (least + "report_folder: /none\n", "4: report_folder: /none: no folder of reports can be read here"),
            (least + "metrics: /m.txt\n", "4: metrics: expected a path that ends in .prom, found '/m.txt'"),
            (least + "dashboard: /d.htm\n", "4: dashboard: expected a path that ends in .html, found '/d.htm'"),
            (
                least + "dead_letters: {file: /r.jsonl}\n",
                "4: dead_letters.file: expected a path that ends in .gz, found '/r.jsonl'"
            ),
            (least + "dead_letters:\n  keep_days: 9\n", "4: dead_letters.file: is missing"),
            (
                least + "dead_letters: {file: /r.gz, keep_mib: 0}\n",
                "4: dead_letters.keep_mib: expected a number of MiB from 1"
            ),
            (least + "  jobs: 1\n", "this is no YAML"),
            (least + "limits: \"\n", "this is no YAML"),
            ("[]\n", "expected a mapping of the keys database, create, archives"),
            ("", "database: is missing"),
        ])
    func faults(text: String, expected: String) throws {
        let found = try fault(text)
        #expect(found.contains(expected), "\(found)")
    }

    @Test("with a word in the place of an anchor is reported with the nearest word, line and key")
    func anchorThatIsNoFile() throws {
        let found = try fault(Self.least + "trust:\n  anchors:\n    - apple\n    - aple\n")
        #expect(
            found == "7: trust.anchors[1]: \(workdir.path("aple")): can't be read | "
                + "did you mean apple? give apple, sha256:HEX or a certificate file (PEM or DER)")
    }

    @Test("may expect any environment beside the anchor of a test store")
    func environmentOfATestStore() throws {
        let read = try pipeline(
            Self.least + "environments: [Rehearsal]\ntrust: {anchors_without_markers: [\(Self.certificate)]}\n")
        #expect(read.environments == ["Rehearsal"])
    }

    private static let certificate = Repository.file("data-samples/root.pem").path

    @Test("of any depth is read to its fault")
    func depth() throws {
        #expect(try fault(String(repeating: "[", count: 100_000)).contains("this is no YAML"))
    }

    @Test("takes environment variables, never silently empty")
    func environment() throws {
        let read = try pipeline(
            "database: ${DATA}/x-${NAME_2}.sqlite\narchives:\n  - path: ${IN}\n",
            environment: ["DATA": "/data", "NAME_2": "n", "IN": "/in/a b"])
        #expect(read.database == "/data/x-n.sqlite" && read.archives[0].path == "/in/a b")
        let text = Self.least + "metrics: ${WHERE}/m.prom\n"
        #expect(try fault(text).hasPrefix("4: metrics: the environment variable WHERE is not set | set it"))
        #expect(
            try fault(text, environment: ["WHERE": ""]).hasPrefix("4: metrics: the environment variable WHERE is empty")
        )
        #expect(
            try fault(text, environment: ["WHERE": " \t"])
                .hasPrefix("4: metrics: the environment variable WHERE holds nothing but blanks | set it"))
        #expect(try fault(Self.least + "metrics: ${\n").hasPrefix("4: metrics: ${ has to be followed by the name"))
        #expect(try fault(Self.least + "metrics: ${A-B}\n").hasPrefix("4: metrics: ${ has to be followed by the name"))
    }

    @Test("that is missing is a missing input")
    func missingFile() throws {
        let error = #expect(throws: MillError.self) { try Pipeline(path: workdir.path("none.yaml"), environment: [:]) }
        #expect(error?.exitStatus == .missingInput)
    }

    @Test("may have the keys of the example, all of them and no others")
    func exampleHasEveryKey() throws {
        let example = Repository.file("pipelines/nightly.yaml")
        _ = try Pipeline(path: example.path, environment: [:])
        // Keys that need what is not everywhere, or exclude another, are comments.
        let text = try String(contentsOf: example, encoding: .utf8)
            .replacing(#/\n# (pseudonym_key|prices|rates|currency|rate_card|report_folder): /#) { "\n\($0.1): " }
        let node = try #require(try compose(yaml: text))
        // What stands below a report's parameters is the report's.
        let written = Set(keys(of: node, under: "")).filter { !$0.contains(".parameters.") }
        #expect(written.symmetricDifference(names(of: Pipeline.descriptions, under: "")) == [])
    }

    /// Every key by its full name, members of lists as `archives[].path`.
    private func names(of keys: [KeyDescription], under prefix: String) -> [String] {
        keys.flatMap { key in
            let name = prefix + key.name
            return [name] + names(of: key.keys, under: name + (key.isList ? "[]." : "."))
        }
    }

    private func keys(of node: Node, under prefix: String) -> [String] {
        if let list = node.sequence { return list.flatMap { keys(of: $0, under: prefix + "[]") } }
        guard let mapping = node.mapping else { return [] }
        return mapping.flatMap { key, value in
            let name = prefix.isEmpty ? key.string ?? "" : "\(prefix).\(key.string ?? "")"
            return [name] + keys(of: value, under: name)
        }
    }
}
