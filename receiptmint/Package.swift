// swift-tools-version: 6.2
import PackageDescription

// The package of ReceiptMill declares these targets, too, and runs their tests with its own:
// a dependency by path would keep a released ReceiptMill from being depended upon.

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "receiptmint",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "receiptmint", targets: ["MintCommand"]),
        .library(name: "ReceiptMint", targets: ["ReceiptMint"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // Two module maps, which ReceiptMill's package has as well: the only files that both share.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Customers, what becomes of their purchases, what the store signs of it, and the truth about all of it.
        .target(name: "ReceiptMint", dependencies: ["COpenSSL", "CZlib"], swiftSettings: swiftSettings),

        // Options and terminal. Not called `receiptmint`, which is `ReceiptMint` on a file
        // system that ignores case.
        .executableTarget(
            name: "MintCommand",
            dependencies: ["ReceiptMint", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: swiftSettings),

        .testTarget(name: "ReceiptMintTests", dependencies: ["ReceiptMint"], swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
