// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: each source file has to import the modules that it uses, and imports are not passed
/// on to importers.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of targets that read bytes: with `Lifetimes` the compiler keeps a cursor from outliving the bytes that the
/// cursor borrows.
let byteReadingSettings = swiftSettings + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
    name: "receiptmill",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ReceiptFormat", targets: ["ReceiptFormat", "MillBytes"]),
        .library(name: "ReceiptTrust", targets: ["ReceiptTrust", "MillDigest"]),
        .library(name: "ReceiptVerdicts", targets: ["ReceiptVerdicts"]),
        // `packaging/library.sh` links this archive into libreceiptmill.so, with Swift's runtime inside.
        .library(name: "ReceiptMillC", type: .static, targets: ["ReceiptMillC"]),
        .executable(name: "receiptmill", targets: ["receiptmill"]),
        .executable(name: "receiptmint", targets: ["MintCommand"]),
    ],
    traits: [
        .trait(name: "ISAL", description: "Inflate archives with ISA-L (libisal-dev), twice as fast as zlib.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Test targets alone may use swift-asn1, which gives a second opinion on payloads.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // C headers have to live in a module; the shims of these modules wrap only C that Swift can't call.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // CMemory has settings of glibc's allocator, and prefetches memory into the processor's cache.
        .systemLibrary(name: "CMemory"),

        // CFiles renames files without ever replacing another file.
        .systemLibrary(name: "CFiles"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // CISAL inflates faster, in builds with the trait `ISAL`.
        .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),

        // CBase64 decodes by vector instructions that are chosen at run time, which Swift can't do.
        .target(name: "CBase64"),

        // CP256 verifies ECDSA by tables of a key's multiples. The target is C because the calls of OpenSSL are
        // deprecated.
        .target(name: "CP256", dependencies: ["COpenSSL"]),

        // CSample holds the bytes of data-samples/company: Swift has no way to embed a file of megabytes.
        .target(name: "CSample"),

        // CRowBuffer shows rows in memory as a table, by SQLite's interface for virtual tables, which is C.
        .target(name: "CRowBuffer", linkerSettings: [.linkedLibrary("sqlite3")]),

        // MillBytes has the tools of every reader of bytes: base64, hexadecimal, UTF-8, tables of keys.
        .target(name: "MillBytes", dependencies: ["CBase64"], swiftSettings: byteReadingSettings),

        // ReceiptFormat turns hostile bytes into values, without files, cryptography or a database.
        .target(name: "ReceiptFormat", dependencies: ["MillBytes"], swiftSettings: byteReadingSettings),

        // MillDigest computes SHA-1 and SHA-256 by OpenSSL, and knows no rule of trust.
        .target(name: "MillDigest", dependencies: ["MillBytes", "COpenSSL"], swiftSettings: byteReadingSettings),

        // ReceiptTrust alone decides what is believed: parsed bytes become a verdict.
        .target(
            name: "ReceiptTrust", dependencies: ["MillBytes", "MillDigest", "ReceiptFormat", "COpenSSL", "CP256"],
            swiftSettings: byteReadingSettings),

        // ReceiptSQL holds the files of `sql/`, which are compiled into the binary and stay the source.
        .target(
            name: "ReceiptSQL", swiftSettings: swiftSettings, plugins: ["EmbedSQLPlugin"]),
        .executableTarget(name: "EmbedSQL", swiftSettings: swiftSettings),
        .plugin(
            name: "EmbedSQLPlugin", capability: .buildTool(), dependencies: ["EmbedSQL"],
            path: "Sources/EmbedSQLPlugin"),

        // MillSystem has errors, files, cancellation and threads for every stage, and needs Foundation alone.
        .target(name: "MillSystem", swiftSettings: swiftSettings),

        // MillJSON reads and writes JSON without copying texts, because every line passes through here.
        .target(
            name: "MillJSON", dependencies: ["MillBytes"],
            swiftSettings: byteReadingSettings),

        // SignedDataFormat turns signed strings of StoreKit 2 into values, without cryptography or a database.
        .target(
            name: "SignedDataFormat", dependencies: ["MillBytes", "MillJSON", "ReceiptFormat"],
            swiftSettings: byteReadingSettings),

        // StoreReports turns report files of the store into rows, without a database.
        .target(
            name: "StoreReports", dependencies: ["MillBytes", "MillJSON", "MillSystem"],
            swiftSettings: byteReadingSettings),

        // MillDatabase has the schema, connections that can't write, and SQLite's errors, for loader and reports alike.
        .target(
            name: "MillDatabase",
            dependencies: [
                "MillSystem", "ReceiptSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),

        // What a report file declares about itself, as values: no database.
        .target(
            name: "ReportHeaders", dependencies: ["MillSystem", "ReceiptFormat"],
            swiftSettings: swiftSettings),

        // Rows to answers: reads databases by SQL, and knows neither OpenSSL nor the loader.
        .target(
            name: "ReceiptReports",
            dependencies: [
                "MillDatabase", "MillJSON", "MillSystem", "ReceiptFormat", "ReceiptSQL", "ReportHeaders",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            resources: [.embedInCode("Dashboard/dashboard.css"), .embedInCode("Dashboard/dashboard.js")],
            swiftSettings: swiftSettings),

        // ReceiptArchive turns files into batches of lines, and alone inflates. The target has no database.
        .target(
            name: "ReceiptArchive",
            dependencies: [
                "MillBytes", "MillDigest", "MillSystem", "CZlib",
                .target(name: "CISAL", condition: .when(traits: ["ISAL"])),
            ],
            swiftSettings: byteReadingSettings),

        // ReceiptVerification turns a line into a submission or a rejection: values come in, values go out, no
        // database.
        .target(
            name: "ReceiptVerification",
            dependencies: [
                "ReceiptArchive", "SignedDataFormat", "MillBytes", "MillJSON", "MillSystem", "ReceiptTrust",
                "ReceiptFormat",
            ],
            swiftSettings: byteReadingSettings),

        // RunGuide says what a person sees of a run: its progress, and the command that comes next.
        .target(
            name: "RunGuide",
            dependencies: ["MillDatabase", "MillSystem", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: swiftSettings),

        // DecodedLines has the lines that `decode` writes and `load` reads, without a database.
        .target(
            name: "DecodedLines",
            dependencies: [
                "MillBytes",
                "ReceiptVerification", "ReceiptArchive", "SignedDataFormat", "MillJSON", "MillSystem", "ReceiptTrust",
                "ReceiptFormat",
            ],
            swiftSettings: byteReadingSettings),

        // ReceiptInspection makes the answers of `verify` and `inspect` on single documents, apart from the stages of a
        // run.
        .target(
            name: "ReceiptInspection",
            dependencies: [
                "ReceiptVerification", "ReceiptArchive", "SignedDataFormat", "MillJSON", "MillSystem", "ReceiptTrust",
                "ReceiptFormat",
            ],
            swiftSettings: byteReadingSettings),

        // ReceiptVerdicts verifies single documents in one call, from any thread, for servers and for the C interface.
        .target(
            name: "ReceiptVerdicts",
            dependencies: [
                "DecodedLines", "ReceiptInspection", "ReceiptVerification", "ReceiptArchive", "SignedDataFormat",
                "ReceiptTrust", "ReceiptFormat",
            ],
            swiftSettings: byteReadingSettings),

        // CReceiptMill has the C interface's header, and the extension of SQLite, which uses that header alone.
        .target(name: "CReceiptMill"),

        // ReceiptMillC implements the C interface: handles, texts, and Arrow's C data interface.
        .target(
            name: "ReceiptMillC",
            dependencies: ["CReceiptMill", "ReceiptVerdicts", "ReceiptVerification", "ReceiptFormat"],
            swiftSettings: byteReadingSettings),

        // MillConfiguration turns pipeline files into values, so that a file can be checked without the loader.
        .target(
            name: "MillConfiguration",
            dependencies: [
                "ReceiptReports", "ReportHeaders", "ReceiptVerification", "ReceiptArchive", "MillDatabase",
                "MillSystem", "ReceiptTrust",
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),

        // ReceiptWarehouse writes and checks the database; rows and progress are committed in one transaction.
        .target(
            name: "ReceiptWarehouse",
            dependencies: [
                "MillBytes",
                "ReceiptVerification", "ReceiptArchive", "SignedDataFormat", "MillDatabase", "MillSystem",
                "ReceiptFormat", "ReceiptTrust", "CMemory", "CRowBuffer", "CZlib",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: byteReadingSettings),

        // StoreLoading loads report files of the store, each in one transaction, apart from archives.
        .target(
            name: "StoreLoading",
            dependencies: [
                "StoreReports", "ReceiptWarehouse", "ReceiptArchive", "MillDatabase", "MillDigest", "MillSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),

        // DatabaseCare changes databases outside of loads: erases persons, decides cases, removes old rows.
        .target(
            name: "DatabaseCare",
            dependencies: [
                "MillBytes", "ReceiptSQL", "CZlib",
                "StoreLoading", "ReceiptWarehouse", "ReceiptVerification", "ReceiptArchive", "SignedDataFormat",
                "MillDatabase", "MillJSON", "MillSystem", "ReceiptFormat", "ReceiptTrust",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: byteReadingSettings),

        // RefundAnswers works out answers to the store's questions about refunds, and records those that were sent.
        .target(
            name: "RefundAnswers",
            dependencies: [
                "DatabaseCare", "MillBytes", "MillConfiguration", "MillDatabase", "MillJSON", "MillSystem",
                "ReceiptTrust", "ReceiptWarehouse", "ReportHeaders",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),

        // MillStatus reads how things stand, for the operator's screen and for the metrics. The target writes nothing.
        .target(
            name: "MillStatus",
            dependencies: [
                "DatabaseCare", "MillConfiguration", "MillDatabase", "MillSystem", "ReceiptArchive", "ReceiptWarehouse",
                "StoreLoading",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),

        // MillRun drives runs, and alone knows all stages.
        .target(
            name: "MillRun",
            dependencies: [
                "MillBytes",
                "MillConfiguration", "MillStatus", "RunGuide", "DatabaseCare", "StoreLoading", "ReceiptWarehouse",
                "DecodedLines",
                "ReceiptVerification", "ReceiptArchive", "ReceiptReports", "MillDatabase", "MillJSON", "MillSystem",
                "ReceiptTrust", "CFiles",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: byteReadingSettings),

        // The program receiptmill has arguments, terminal and exit codes, and no other duty.
        .executableTarget(
            name: "receiptmill",
            dependencies: [
                "MillRun", "MillStatus", "RefundAnswers", "DatabaseCare", "StoreLoading", "ReceiptWarehouse",
                "MillConfiguration", "ReceiptInspection", "RunGuide",
                "ReceiptReports", "ReportHeaders", "ReceiptVerification", "ReceiptArchive", "MillDatabase", "MillJSON",
                "MillSystem", "ReceiptTrust", "ReceiptFormat", "CMemory", "CSample", "CSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),

        // The package in the folder `receiptmint`, which makes test data and shares no code with
        // the reader that it tests. A dependency by path would keep a released version of this
        // package from being depended upon, so its targets are declared here as well.
        .target(
            name: "ReceiptMint", dependencies: ["COpenSSL", "CZlib"], path: "receiptmint/Sources/ReceiptMint",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "MintCommand",
            dependencies: ["ReceiptMint", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "receiptmint/Sources/MintCommand", swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptMintTests", dependencies: ["ReceiptMint"], path: "receiptmint/Tests/ReceiptMintTests",
            swiftSettings: swiftSettings),

        // CTestProcess sets up a test process before any other code runs in the process.
        .target(name: "CTestProcess", dependencies: ["CSQLite"], path: "Tests/CTestProcess"),

        // TestSupport finds real receipts where the machine has some, and makes throw-away ones by openssl.
        .target(
            name: "TestSupport",
            dependencies: [
                "COpenSSL", "CTestProcess",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Tests/TestSupport", swiftSettings: swiftSettings),
        // Fuzz feeds generated bytes to readers of hostile bytes; `make fuzz` runs the program.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "ReceiptFormat", "ReceiptTrust", "DatabaseCare", "ReceiptWarehouse", "DecodedLines",
                "ReceiptVerification",
                "ReceiptArchive", "SignedDataFormat", "MillJSON", "MillSystem", "CReceiptMill", "ReceiptMillC",
            ],
            path: "Tests/Fuzz",
            exclude: ["seeds", "make-seeds.py"], swiftSettings: byteReadingSettings),

        .testTarget(
            name: "MillBytesTests", dependencies: ["CBase64", "MillBytes", "TestSupport"],
            swiftSettings: byteReadingSettings),
        .testTarget(
            name: "ReceiptFormatTests",
            dependencies: [
                "ReceiptFormat", "ReceiptMint", "TestSupport",
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: byteReadingSettings),
        .testTarget(
            name: "ReceiptTrustTests",
            dependencies: [
                "COpenSSL", "ReceiptTrust", "ReceiptFormat", "ReceiptMint", "TestSupport",
            ],
            swiftSettings: byteReadingSettings),
        .testTarget(
            name: "SignedDataFormatTests",
            dependencies: ["MillJSON", "MillSystem", "ReceiptFormat", "SignedDataFormat", "TestSupport"],
            swiftSettings: byteReadingSettings),
        // MillTestSupport has a minted archive, a sample database, and gzip's own tool.
        .target(
            name: "MillTestSupport",
            dependencies: [
                "MillDatabase", "MillRun", "ReceiptMint", "ReceiptReports", "ReceiptTrust", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ], path: "Tests/MillTestSupport",
            swiftSettings: swiftSettings),

        .testTarget(
            name: "RunGuideTests",
            dependencies: ["RunGuide"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "MillSystemTests", dependencies: ["MillSystem"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "MillJSONTests", dependencies: ["MillJSON"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "StoreReportsTests", dependencies: ["MillJSON", "MillSystem", "StoreReports", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "MillDatabaseTests",
            dependencies: [
                "MillDatabase", "MillSystem", "ReceiptSQL", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptReportsTests",
            dependencies: [
                "MillConfiguration", "MillDatabase", "MillJSON", "MillRun", "MillSystem", "MillTestSupport",
                "ReceiptFormat", "ReceiptMint", "ReceiptReports", "ReceiptVerification",
                "ReceiptWarehouse",
                "ReportHeaders", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Dashboard/page.html", "HandWorked", "StatedShares.csv"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptArchiveTests",
            dependencies: ["MillSystem", "MillTestSupport", "ReceiptArchive", "ReceiptTrust", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptVerificationTests",
            dependencies: [
                "MillJSON", "MillRun", "MillSystem", "MillTestSupport", "ReceiptArchive", "ReceiptFormat",
                "ReceiptInspection", "ReceiptTrust", "ReceiptVerification", "ReceiptWarehouse", "SignedDataFormat",
                "TestSupport",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "DecodedLinesTests",
            dependencies: [
                "DecodedLines", "MillRun", "MillSystem", "MillTestSupport", "ReceiptArchive", "ReceiptFormat",
                "ReceiptMint", "ReceiptTrust", "ReceiptVerification", "ReceiptWarehouse", "TestSupport",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptVerdictsTests",
            dependencies: ["ReceiptInspection", "ReceiptVerdicts", "ReceiptVerification", "TestSupport"],
            swiftSettings: byteReadingSettings),
        .testTarget(
            name: "ReceiptInspectionTests",
            dependencies: [
                "ReceiptArchive",
                "MillConfiguration", "MillJSON", "MillSystem", "ReceiptFormat", "ReceiptInspection", "ReceiptReports",
                "ReceiptTrust", "ReceiptVerification", "TestSupport",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "MillConfigurationTests",
            dependencies: [
                "MillConfiguration", "MillDatabase", "ReceiptArchive", "ReceiptVerification", "MillSystem",
                "ReceiptReports",
                "ReportHeaders", "TestSupport",
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptWarehouseTests",
            dependencies: [
                "DatabaseCare", "DecodedLines", "MillConfiguration", "MillDatabase", "MillJSON", "MillRun",
                "MillSystem",
                "MillBytes", "MillTestSupport", "ReceiptArchive", "ReceiptFormat", "ReceiptMint",
                "ReceiptSQL",
                "ReceiptTrust",
                "ReceiptVerification", "ReceiptWarehouse", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "DatabaseCareTests",
            dependencies: [
                "DatabaseCare", "DecodedLines", "MillBytes", "MillConfiguration", "MillDatabase", "MillJSON",
                "MillRun", "MillSystem", "MillTestSupport", "ReceiptArchive", "ReceiptFormat", "ReceiptMint",
                "ReceiptSQL", "ReceiptTrust", "ReceiptVerification", "ReceiptWarehouse", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "MillRunTests",
            dependencies: [
                "DatabaseCare", "MillConfiguration", "MillDatabase", "MillRun", "MillStatus", "MillSystem",
                "MillTestSupport",
                "ReceiptArchive",
                "ReceiptMint", "ReceiptReports", "ReceiptTrust", "ReceiptVerification", "ReceiptWarehouse",
                "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),

        .testTarget(
            name: "RefundAnswersTests",
            dependencies: [
                "MillConfiguration", "MillDatabase", "MillRun", "MillSystem", "ReceiptWarehouse", "RefundAnswers",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),

        // CommandLineTests run the built binary as a user does.
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "receiptmill", "ReceiptMint", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Golden"],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
