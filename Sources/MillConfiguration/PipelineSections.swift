internal import Foundation
internal import MillSystem
package import ReceiptArchive
package import ReceiptReports
internal import ReceiptTrust
package import ReceiptVerification

/// One `archives` entry: the files, their order, and their disposal after the load.
package struct ArchiveSource: ConfigurationSection {
    package enum Order: String, CaseIterable, Sendable { case name, modified }
    package enum Afterwards: String, CaseIterable, Sendable { case keep, move, delete }

    package var path = ""
    package var order = Order.name
    package var after = Afterwards.keep
    package var destination: String?
    /// Days after which moved archives are deleted; nil for never.
    package var expiryDays: Int?
    /// The folder for archives that are damaged.
    package var quarantine: String?

    static var keys: [Key] {
        [
            Key(
                "path", \.path, .path("a path or a pattern such as /var/spool/receipts/*.jsonl.gz"), isRequired: true,
                "A path, or a pattern of glob(7). A pattern may find nothing, but its folder has to be there, as a path "
                    + "without * ? [ has. None may find the database, the pipeline file, or one that it names."),
            Key("order", \.order, .word, "Load in the order of names, or of the times of last change."),
            Key(
                "after", \.after, .word,
                "What becomes of an archive whose every line is on the disk, at the end of a run that met no fault of the "
                    + "database: it stays, it is moved, it is deleted. Damaged archives stay, or go where damaged_to says, "
                    + "and with delete those of which rejected lines would be lost: lines that the database does not keep "
                    + "for dead_letters. So do, without keep_receipts, those with more documents that are not trusted than "
                    + "untrusted_share allows."),
            Key(
                "move_to", \.destination, .path("a folder"),
                "Where archives are moved, with after: move. Not where any path looks, and not where runs into another "
                    + "database move theirs: what lies there and the database does not know is told."),
            Key(
                "expire_days", \.expiryDays, .number(1...100_000, "days"),
                "Delete moved archives so many days after they were loaded, unless rejected lines of them would be lost, or, "
                    + "without keep_receipts, more documents that are not trusted than untrusted_share allows."
            ),
            Key(
                "damaged_to", \.quarantine, .path("a folder"),
                "Where archives are moved that can't be read to their end, or of which nearly all lines are rejected, once "
                    + "that was reported: what could be read is loaded, and the next night does not fail for them again. "
                    + "Not where any path looks."),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) {
        if after == .move, destination == nil {
            throw written["after"].fault("move says not where to", hint: "add move_to with a folder")
        }
        if after != .move, expiryDays != nil {
            throw written["expire_days"].fault("goes with after: move, and after is \(after.rawValue)")
        }
        if after != .move, destination != nil {
            throw written["move_to"].fault("goes with after: move, and after is \(after.rawValue)")
        }
    }
}

extension LineKeys: ConfigurationSection {
    static var keys: [Key] {
        [
            Key(
                "receipt", \.receipt, names,
                "Keys under which every text is meant as a document, so that one that can't be read is rejected. As below, "
                    + "keys that a file names are put before the usual ones."),
            Key("device", \.device, names, "Keys of the device identifier."),
            Key("account", \.account, names, "Keys of the account."),
            Key("time", \.time, names, "Keys of the time of submission."),
            Key(
                "ignore_keys", \.ignored, .list("keys", of: .text("a key")),
                "Keys whose values are passed over, with all documents in them."),
        ]
    }

    private static var names: ValueKind<[String]> { .filledList("keys", of: .text("a key")) }
}

/// The section `trust`: anchors, and certificates that receipts need and don't contain.
package struct TrustSection: ConfigurationSection {
    package var anchors = ["apple"]
    package var anchorsWithoutMarkers: [String] = []
    package var intermediates: [String] = []

    package init() {}

    static var keys: [Key] {
        [
            Key(
                "anchors", \.anchors, .filledList("anchors", of: .anchor),
                "Roots that chains must lead to. A list replaces the default, so name apple too to keep it."),
            Key(
                "anchors_without_markers", \.anchorsWithoutMarkers, .list("anchors", of: .anchor),
                "Further roots, below which signers need not bear Apple's markers: of a test store of your own. Whoever "
                    + "holds a key of any certificate below one can sign receipts that are trusted, so Apple's is "
                    + "refused here."),
            Key(
                "intermediates", \.intermediates,
                .list("certificate files", of: .path("a certificate file (PEM or DER)")),
                "Certificates between signer and root, which receipts of iOS 6 and before need and don't carry."),
        ]
    }
}

extension ValueKind where Value == String {
    /// `apple`, a fingerprint, or the path of a certificate file.
    fileprivate static var anchor: ValueKind {
        text("apple, sha256:HEX or a certificate file (PEM or DER)").checked { (text, node) throws(MillError) in
            TrustAnchors.isFile(text) ? node.file.resolved(text) : text
        }
    }
}

extension AppSetting: ConfigurationSection {
    static var keys: [Key] {
        [
            Key("bundle", \.bundleID, .text("a bundle identifier"), isRequired: true, "Its bundle identifier."),
            Key(
                "platform", \.platform, .word,
                "The platform of these versions: an app has one entry for each platform, or one entry for all."),
            Key(
                "first_free_version", \.firstFreeVersion, .text("a version, such as 2.0"),
                "The first version that cost nothing: who got an earlier one has paid."),
            Key(
                "versions", \.versions, .list("versions", of: .text("a version, such as 2.0")),
                "Versions that were released; receipts of others are unexpected. None: any version is expected."),
        ]
    }

    func check(_ written: ConfigurationNode) throws(MillError) {
        // A word would sort after every version, so all owners would count as having paid.
        if let first = firstFreeVersion?.first, !("0"..."9").contains(first) {
            throw written["first_free_version"].fault("a version begins with a digit")
        }
    }
}

extension Limits: ConfigurationSection {
    static var keys: [Key] {
        [
            Key(
                "line_bytes", \.lineBytes, .number(1...(1 << 30), "bytes"),
                "Longest line that is read; longer ones are rejected as line_too_long."),
            Key(
                "receipt_bytes", \.receiptBytes, .number(1...(1 << 30), "bytes"),
                "Largest receipt that is read, decoded; larger ones are rejected."),
            Key(
                "rejections", \.rejections, .number(1...1_000_000_000, "documents"),
                "Documents of an archive that may be rejected while fewer of them are loaded, a line without any counting "
                    + "as one; beyond, its loading ends."),
            Key(
                "inflation", \.inflation, .number(1...1_000_000, "times"),
                "How many times larger than a gzip file its text may be; more is taken for damage."),
        ]
    }
}

extension DeadLetterSettings: ConfigurationSection {
    static var keys: [Key] {
        [
            Key(
                "file", \.file, .path("a path", of: .deadLetters), isRequired: true,
                "The dead-letter file: gzip, one JSON object a line. Corrected lines of it are loaded by receiptmill "
                    + "ingest, or where archives lie."),
            Key(
                "keep_days", \.keepDays, .number(days, "days"),
                "Days after which a kept line goes; its rejection stays."),
            Key(
                "keep_mib", \.keepMebibytes, .number(mebibytes, "MiB"),
                "MiB that kept lines may take in all, compressed; lines beyond are rejected and not kept."),
        ]
    }
}

/// One `reports` entry: a report that every run writes to a file.
package struct ReportOrder: ConfigurationSection {
    package var name = ""
    package var parameters: [Setting] = []
    package var format = ReportFormatName.csv
    package var output = ""

    /// The keys of a report that only has to run.
    static var keysWithoutOutput: [Key] { keys(onParameters: "") }

    private static func keys(onParameters more: String) -> [Key] {
        [
            Key(
                "name", \.name, .text("the name of a report"), isRequired: true, "As receiptmill report --list has it."),
            Key(
                "parameters", \.parameters, .settings("a mapping of parameters to values"),
                "Values of its parameters." + more),
        ]
    }

    static var keys: [Key] {
        keys(
            onParameters: " Days and months may be told from the day of the run, of the database's time zone: today, "
                + "yesterday, last-7-days; this-month, last-month, last-12-months.") + [
                Key("format", \.format, .word, "How it is written."),
                Key(
                    "output", \.output, .file("a path"), isRequired: true,
                    "The file, which is replaced as a whole or left as it was."),
            ]
    }
}

/// The section `alarms`: conditions that make a run end with a message and an exit status other than 0.
package struct AlarmSettings: ConfigurationSection {
    /// Reports that must have no rows, and whose rows are not written.
    package var reportsWithoutRows: [ReportOrder] = []
    /// Nil if the file states none: see ``allowedRejections(of:)``.
    package var rejectedShare: Double?
    package var untrustedShare = 0.5
    package var missingDays: Int?
    package var clockJumpDays = 30
    package var unknownMembers = true

    package init() {}

    /// The share of rejected lines that is allowed for a number of lines.
    package func allowedRejections(of lines: Int) -> Double { Self.allowedRejections(rejectedShare, of: lines) }

    /// The stated share, or a half if none is stated. If there are fewer than twenty lines, all may be rejected,
    /// because with few lines a half is easily reached by chance.
    package static func allowedRejections(_ stated: Double?, of lines: Int) -> Double {
        stated ?? (lines >= fewestLines ? usualShare : 1)
    }

    package static let usualShare = 0.5
    package static let fewestLines = 20

    static var keys: [Key] {
        [
            Key(
                "no_rows", \.reportsWithoutRows,
                .list("reports, each with the key name", of: .section(with: ReportOrder.keysWithoutOutput)),
                "Reports that must have no rows."),
            Key(
                "rejected_share", \.rejectedShare, .share,
                "More than this share of the run's lines, or of their documents, rejected; with 1 never. Unless "
                    + "set, it is 0.5, for runs of at least twenty lines. The alarm names the archives that brought them."
            ),
            Key(
                "untrusted_share", \.untrustedShare, .share,
                "More than this share of the run's lines that hold a document hold one that is not trusted, as all do "
                    + "where an anchor is missing; with 1 never. The alarm names the archives that brought them."),
            Key(
                "archive_missing_days", \.missingDays, .number(1...36_500, "days"),
                "No new archive with lines of an entry of archives for so many days, by the folders and names in "
                    + "which archives were found."),
            Key(
                "clock_jump_days", \.clockJumpDays, .number(1...36_500, "days"),
                "Days that may lie between a run and the last, in both directions. Beyond, the clock may be wrong: "
                    + "nothing is deleted by its age (retention_days, keep_days, expire_days)."),
            Key(
                "unknown_members", \.unknownMembers, .flag,
                "Trusted signed documents state members, or values of closed lists, that this version does not know and "
                    + "that no earlier run had met: the store has changed its data."),
        ]
    }
}
