/// The user's settings for an app.
package struct AppSetting: Sendable, Hashable {
    package enum Platform: String, Sendable, CaseIterable {
        case ios, macos, tvos, visionos
    }

    package var bundleID = ""
    /// The first version that was free; nil if the app was always free, or is still paid.
    package var firstFreeVersion: String?
    package var platform: Platform?
    /// The versions that were released; none if any version is expected.
    package var versions: [String] = []

    package init() {}

    package init(bundleID: String, firstFreeVersion: String?, platform: Platform?) {
        self.bundleID = bundleID
        self.firstFreeVersion = firstFreeVersion
        self.platform = platform
    }

    /// Reads a text of the form `BUNDLE:FIRST_FREE_VERSION[:PLATFORM]`; the version may be empty.
    package init?(parsing text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), !parts[0].isEmpty else { return nil }
        let version = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        // A word would sort after every version, so all owners would count as having paid.
        if let first = version?.first, !("0"..."9").contains(first) { return nil }
        let platform = parts.count > 2 ? Platform(rawValue: parts[2]) : nil
        if parts.count > 2, platform == nil { return nil }
        self.init(bundleID: parts[0], firstFreeVersion: version, platform: platform)
    }

    /// A bundle with two settings for one platform, or with settings for all platforms and for one; nil if there is
    /// none.
    package static func contradiction(in settings: [AppSetting]) -> String? {
        var platforms: [String: [Platform?]] = [:]
        for setting in settings {
            let former = platforms[setting.bundleID, default: []]
            let isOfAll = setting.platform == nil || former.contains(nil)
            if former.contains(setting.platform) || isOfAll && !former.isEmpty { return setting.bundleID }
            platforms[setting.bundleID] = former + [setting.platform]
        }
        return nil
    }
}
