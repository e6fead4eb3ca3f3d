/// What the user says of an app.
package struct AppSetting: Sendable, Hashable {
    package enum Platform: String, Sendable, CaseIterable {
        case ios, macos
    }

    package let bundleID: String
    /// The first version that cost nothing; nil where the app was never paid for,
    /// or still is.
    package let firstFreeVersion: String?
    package let platform: Platform?

    package init(bundleID: String, firstFreeVersion: String?, platform: Platform?) {
        self.bundleID = bundleID
        self.firstFreeVersion = firstFreeVersion
        self.platform = platform
    }

    /// Reads `BUNDLE:FIRST_FREE_VERSION[:ios|macos]`; the version may be empty.
    package init?(parsing text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), !parts[0].isEmpty else { return nil }
        bundleID = parts[0]
        firstFreeVersion = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        // A word would sort after every version and make all owners paid ones.
        if let first = firstFreeVersion?.first, !("0"..."9").contains(first) { return nil }
        if parts.count > 2 {
            guard let platform = Platform(rawValue: parts[2]) else { return nil }
            self.platform = platform
        } else {
            platform = nil
        }
    }
}
