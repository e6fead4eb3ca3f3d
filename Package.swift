// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: warnings that keep the dependencies between
/// targets visible in the sources.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// `Lifetimes` lets a cursor over borrowed bytes be a type that the compiler
/// keeps from outliving them.
let byteReadingSettings = swiftSettings + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
    name: "receiptmill",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ReceiptFormat", targets: ["ReceiptFormat", "MillBytes"]),
        .library(name: "ReceiptTrust", targets: ["ReceiptTrust", "MillDigest"]),
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
        // A second opinion on payloads; test targets alone may use it.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // C headers have to live in a module; shims wrap what Swift can't call.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Settings of glibc's allocator, and what is asked of memory ahead of time.
        .systemLibrary(name: "CMemory"),

        // Files that are renamed, and never over others.
        .systemLibrary(name: "CFiles"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // Faster inflation, for builds with the trait of its name.
        .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),

        // Base64 with vector instructions, which Swift can't choose at run time.
        .target(name: "CBase64"),

        // ECDSA by tables of a key's multiples, in C, whose calls of OpenSSL are deprecated.
        .target(name: "CP256", dependencies: ["COpenSSL"]),

        // Rows in memory as a table, by SQLite's interface for virtual tables.
        .target(name: "CRowBuffer", linkerSettings: [.linkedLibrary("sqlite3")]),

        // Base64, hexadecimal, UTF-8, tables of keys: what every reader of bytes needs.
        .target(name: "MillBytes", dependencies: ["CBase64"], swiftSettings: byteReadingSettings),

        // Hostile bytes to values: no files, no cryptography, no database.
        .target(name: "ReceiptFormat", dependencies: ["MillBytes"], swiftSettings: byteReadingSettings),

        // SHA-1 and SHA-256, by OpenSSL: no rule of trust.
        .target(name: "MillDigest", dependencies: ["MillBytes", "COpenSSL"], swiftSettings: byteReadingSettings),

        // The only place that decides what is believed: from parsed bytes to a verdict.
        .target(
            name: "ReceiptTrust", dependencies: ["MillBytes", "MillDigest", "ReceiptFormat", "COpenSSL", "CP256"],
            swiftSettings: byteReadingSettings),

        // `sql/` compiled into the binary; the files stay the source.
        .target(
            name: "ReceiptSQL", swiftSettings: swiftSettings, plugins: ["EmbedSQLPlugin"]),
        .executableTarget(name: "EmbedSQL", swiftSettings: swiftSettings),
        .plugin(
            name: "EmbedSQLPlugin", capability: .buildTool(), dependencies: ["EmbedSQL"],
            path: "Sources/EmbedSQLPlugin"),

        // What every stage needs of the machine: errors, files, cancellation, threads. Foundation alone.
        .target(name: "MillSystem", swiftSettings: swiftSettings),

        // JSON read and written, without a copy: the hot path of lines in and out.
        .target(
            name: "MillJSON", dependencies: ["MillBytes"],
            swiftSettings: byteReadingSettings),

        // Signed strings of StoreKit 2 to values: no cryptography, no database.
        .target(
            name: "SignedDataFormat", dependencies: ["MillBytes", "MillJSON", "ReceiptFormat"],
            swiftSettings: byteReadingSettings),

        // The schema, connections that can't write, and SQLite's errors: what loader and reports share.
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
            resources: [.embedInCode("Dashboard/dashboard.css")],
            swiftSettings: swiftSettings),

        // Files to batches of lines: the only place that inflates. No database.
        .target(
            name: "ReceiptArchive",
            dependencies: [
                "MillBytes", "MillDigest", "MillSystem", "CZlib",
                .target(name: "CISAL", condition: .when(traits: ["ISAL"])),
            ],
            swiftSettings: byteReadingSettings),

        // A line to a submission or a rejection: values in, values out. No database.
        .target(
            name: "ReceiptVerification",
            dependencies: [
                "ReceiptArchive", "SignedDataFormat", "MillBytes", "MillJSON", "MillSystem", "ReceiptTrust",
                "ReceiptFormat",
            ],
            swiftSettings: byteReadingSettings),

        // What `decode` writes and `load` reads; no database either.
        .target(
            name: "DecodedLines",
            dependencies: [
                "MillBytes",
                "ReceiptVerification", "ReceiptArchive", "SignedDataFormat", "MillJSON", "MillSystem", "ReceiptTrust",
                "ReceiptFormat",
            ],
            swiftSettings: byteReadingSettings),

        // What `verify` and `inspect` say of single receipts, beside the stages.
        .target(
            name: "ReceiptInspection",
            dependencies: [
                "ReceiptVerification", "ReceiptArchive", "SignedDataFormat", "MillJSON", "MillSystem", "ReceiptTrust",
                "ReceiptFormat",
            ],
            swiftSettings: byteReadingSettings),

        // Pipeline files to values: checked without a loader at hand.
        .target(
            name: "MillConfiguration",
            dependencies: [
                "ReceiptReports", "ReportHeaders", "ReceiptVerification", "ReceiptArchive", "MillDatabase",
                "MillSystem", "ReceiptTrust",
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),

        // Rows and progress in one transaction: what writes the database, and checks it.
        .target(
            name: "ReceiptWarehouse",
            dependencies: [
                "MillBytes",
                "ReceiptVerification", "ReceiptArchive", "SignedDataFormat", "MillDatabase", "MillJSON", "MillSystem",
                "ReceiptFormat", "ReceiptTrust", "ReceiptSQL", "CMemory", "CRowBuffer", "CZlib",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: byteReadingSettings),

        // What is done to a database beside loading: persons erased, cases decided.
        .target(
            name: "DatabaseCare",
            dependencies: [
                "MillBytes", "ReceiptSQL", "CZlib",
                "ReceiptWarehouse", "ReceiptVerification", "ReceiptArchive", "SignedDataFormat", "MillDatabase",
                "MillJSON", "MillSystem", "ReceiptFormat", "ReceiptTrust",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: byteReadingSettings),

        // The drivers: the only place that knows all stages.
        .target(
            name: "MillRun",
            dependencies: [
                "MillBytes",
                "MillConfiguration", "DatabaseCare", "ReceiptWarehouse", "DecodedLines", "ReceiptVerification",
                "ReceiptArchive", "ReceiptReports", "MillDatabase", "MillJSON", "MillSystem", "ReceiptTrust", "CFiles",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: byteReadingSettings),

        // Arguments, terminal, exit codes.
        .executableTarget(
            name: "receiptmill",
            dependencies: [
                "MillRun", "DatabaseCare", "ReceiptWarehouse", "MillConfiguration", "ReceiptInspection",
                "ReceiptReports", "ReportHeaders", "ReceiptVerification", "ReceiptArchive", "MillDatabase", "MillJSON",
                "MillSystem", "ReceiptTrust", "ReceiptFormat", "CMemory", "CSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),

        // The package in the folder `receiptmint`, which makes test data and shares no code with
        // the reader that it tests. A dependency by path would keep a released version of this
        // package from being depended upon, so its targets are declared here as well.
        .target(
            name: "ReceiptMint", dependencies: ["MintSigning", "CZlib"], path: "receiptmint/Sources/ReceiptMint",
            swiftSettings: swiftSettings),
        .target(
            name: "MintSigning", dependencies: ["COpenSSL"], path: "receiptmint/Sources/MintSigning",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "MintCommand",
            dependencies: [
                "ReceiptMint", "MintSigning", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "receiptmint/Sources/MintCommand", swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptMintTests", dependencies: ["ReceiptMint", "MintSigning"],
            path: "receiptmint/Tests/ReceiptMintTests", swiftSettings: swiftSettings),
        .testTarget(
            name: "MintSigningTests", dependencies: ["MintSigning"], path: "receiptmint/Tests/MintSigningTests",
            swiftSettings: swiftSettings),

        // What a process of tests sets before anything else runs in it.
        .target(name: "CTestProcess", dependencies: ["CSQLite"], path: "Tests/CTestProcess"),

        // Real receipts where they are at hand, and throw-away ones by openssl.
        .target(
            name: "TestSupport",
            dependencies: [
                "COpenSSL", "CTestProcess",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Tests/TestSupport", swiftSettings: swiftSettings),
        // Fuzzing of what reads hostile bytes; see `make fuzz`.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "ReceiptFormat", "ReceiptTrust", "DatabaseCare", "ReceiptWarehouse", "DecodedLines", "ReceiptVerification",
                "ReceiptArchive", "SignedDataFormat", "MillJSON", "MillSystem",
            ],
            path: "Tests/Fuzz",
            exclude: ["seeds", "make-seeds.py"], swiftSettings: byteReadingSettings),

        .testTarget(
            name: "MillBytesTests", dependencies: ["CBase64", "MillBytes", "TestSupport"],
            swiftSettings: byteReadingSettings),
        .testTarget(
            name: "ReceiptFormatTests",
            dependencies: [
                "ReceiptFormat", "ReceiptMint", "MintSigning", "TestSupport",
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: byteReadingSettings),
        .testTarget(
            name: "ReceiptTrustTests",
            dependencies: [
                "COpenSSL", "ReceiptTrust", "ReceiptFormat", "ReceiptMint", "MintSigning", "TestSupport",
            ],
            swiftSettings: byteReadingSettings),
        .testTarget(
            name: "SignedDataFormatTests",
            dependencies: ["MillJSON", "MillSystem", "ReceiptFormat", "SignedDataFormat", "TestSupport"],
            swiftSettings: byteReadingSettings),
        // A minted archive, a sample database, gzip's own tool.
        .target(
            name: "MillTestSupport",
            dependencies: [
                "MillDatabase", "MillRun", "ReceiptMint", "ReceiptReports", "ReceiptTrust", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ], path: "Tests/MillTestSupport",
            swiftSettings: swiftSettings),

        .testTarget(
            name: "MillSystemTests", dependencies: ["MillSystem"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "MillJSONTests", dependencies: ["MillJSON"],
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
                "ReceiptFormat", "ReceiptMint", "ReceiptReports", "ReceiptVerification", "ReceiptWarehouse",
                "ReportHeaders", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Dashboard/page.html", "HandWorked"],
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
                "MillConfiguration", "ReceiptArchive", "ReceiptVerification", "MillSystem", "ReceiptReports",
                "ReportHeaders", "TestSupport",
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptWarehouseTests",
            dependencies: [
                "DatabaseCare", "DecodedLines", "MillConfiguration", "MillDatabase", "MillJSON", "MillRun",
                "MillSystem",
                "MillBytes", "MillTestSupport", "ReceiptArchive", "ReceiptFormat", "ReceiptMint", "ReceiptSQL",
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
                "DatabaseCare", "MillConfiguration", "MillDatabase", "MillRun", "MillSystem", "MillTestSupport",
                "ReceiptArchive",
                "ReceiptMint", "ReceiptReports", "ReceiptTrust", "ReceiptVerification", "ReceiptWarehouse",
                "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),

        // Runs the built binary as a user does.
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["receiptmill", "ReceiptMint", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")],
            exclude: ["Golden"],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
