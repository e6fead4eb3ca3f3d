internal import Foundation
package import MillSystem
internal import ReceiptArchive

extension ArchiveSource {
    /// The archives that exist, in the order of loading. A path without wildcards is returned even if no file is there,
    /// because opening it then reports that the archive is missing. Links that other users made are left out
    /// (``searchFaults()``).
    ///
    /// - Parameter moved: real paths of the folders to which archives are moved. Archives there must not be found
    ///   again, even through a link.
    package func paths(outside moved: Set<String> = []) -> [String] {
        var links = ForeignLinks(of: self)
        guard isPattern else { return links.maker(of: path) == nil ? [path] : [] }
        let found = found(path).filter { links.maker(of: $0) == nil }
        return moved.isEmpty ? found : found.filter { !moved.contains(RealPath.ofFolder($0)) }
    }

    /// The archives that a command names. A name that no file has may be a pattern: a command line can't hold tens of
    /// thousands of names.
    package static func paths(named names: [String]) -> [String] {
        names.flatMap { name in
            let source = ArchiveSource(path: name)
            guard source.isPattern, FileStamp(path: name) == nil else { return [name] }
            // Links of other users are not left out, because a person has named the archives.
            let found = source.found(name)
            return found.isEmpty ? [name] : found
        }
    }

    /// Folders that match the pattern. The files in them do not count as archives of the pattern.
    ///
    /// - Parameter moved: real paths of the folders to which archives are moved, which may lie among the archives.
    package func folders(outside moved: Set<String> = []) -> [String] {
        guard isPattern else { return [] }
        return Self.glob(path) { Self.isFolder($0) ? String(validatingCString: $0) : nil }
            .filter { !moved.contains(RealPath.of($0)) }.sorted()
    }

    /// Folders that match a pattern which a command names.
    package static func folders(named names: [String]) -> [String] {
        names.filter { FileStamp(path: $0) == nil }.flatMap { ArchiveSource(path: $0).folders() }
    }

    /// Whether the path or pattern would find archives that were moved to the folder.
    package func looks(into folder: String) -> Bool {
        fnmatch(RealPath.ofFolder(path), RealPath.of(folder), FNM_PATHNAME | FNM_PERIOD) == 0
    }

    /// Whether a file in the folder of moved archives may have been an archive of this source.
    package func isMoved(name: String) -> Bool {
        matches(name: name) || MovedName.original(of: name).map(matches) == true
    }

    /// The folders to which archives are moved.
    package var foldersOfMoved: [String] { [destination, quarantine].compactMap(\.self) }

    /// The real paths of the folders to which archives are moved. If another user's link has the name of such a folder,
    /// no file was moved there, and the link's target is not included.
    package var realFoldersOfMoved: [String] {
        foldersOfMoved.filter { OpenFolder.fault(of: $0) == nil }.map(RealPath.of)
    }

    /// The errors that prevent existing archives from being found or moved: folders that can't be read, names that
    /// can't be represented in a path, links of other users, and folders for moved archives that another user may have
    /// made.
    package func searchFaults() -> [MillError] {
        let foreign = foldersOfMoved.compactMap(OpenFolder.fault)
        guard isPattern else { return foreign + ForeignLinks.faults(among: [path], of: self) }
        let unnamed = Self.glob(path) {
            String(validatingCString: $0) == nil && !Self.isFolder($0) ? Self.escaped($0) : nil
        }
        return foreign + (folderFault().map { [$0] } ?? []) + ForeignLinks.faults(among: found(path), of: self)
            + unnamed.sorted().map { name in
                MillError(
                    stage: .reading, path: name, what: "its name, or its folder's, is not UTF-8, and can't be stored",
                    hint:
                        "rename it (mv, or convmv for many): \\x stands before a byte of the name that is no character",
                    exitStatus: .missingInput)
            }
    }

    private func folderFault() -> MillError? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.firstIndex(where: Self.isPattern) else { return nil }
        // The part of the pattern before its first wildcard, as glob(7) reads it.
        let named = parts[..<first].joined(separator: "/")
        let top = first == 0 ? "." : named.isEmpty ? "/" : named.replacing(#/\\(.)/#) { $0.1 }
        if let fault = Self.fault(ofFolder: top, listed: true) { return searchFault(top, fault) }
        // glob(3) ignores subfolders that can't be read.
        for index in parts.indices.dropFirst(first + 1) {
            for folder in Self.glob(parts[..<index].joined(separator: "/") + "/") {
                guard let fault = Self.fault(ofFolder: folder, listed: Self.isPattern(parts[index])),
                    fault != ENOENT, fault != ENOTDIR
                else { continue }
                return searchFault(String(folder.dropLast()), fault)
            }
        }
        return nil
    }

    /// The errno of a folder that can't be searched; nil if it can.
    ///
    /// - Parameter isListed: whether the folder has to be listed; otherwise only a known name is looked up in it.
    private static func fault(ofFolder folder: String, listed isListed: Bool) -> Int32? {
        guard isListed else { return faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS) == 0 ? nil : errno }
        guard let opened = opendir(folder) else { return errno }
        closedir(opened)
        return nil
    }

    private func searchFault(_ folder: String, _ code: Int32) -> MillError {
        MillError(
            stage: .reading, path: path, what: "the folder \(folder) can't be read: \(String(cString: strerror(code)))",
            hint: "check the path, what is mounted, and the permissions", exitStatus: .missingInput)
    }

    package var isPattern: Bool { Self.isPattern(path) }

    static func isPattern(_ text: some StringProtocol) -> Bool { text.contains { "*?[".contains($0) } }

    /// The paths that a pattern of glob(7) matches, in no order.
    package static func glob(_ pattern: String) -> [String] { glob(pattern) { String(validatingCString: $0) } }

    /// - Parameter take: called with each name as the file system has it, whatever its bytes.
    private static func glob(_ pattern: String, _ take: (UnsafePointer<CChar>) -> String?) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard Foundation.glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in found.gl_pathv[index].flatMap { take($0) } }
    }

    private static func isFolder(_ path: UnsafePointer<CChar>) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The name, with bytes that are not valid UTF-8 written as `\xE9`.
    private static func escaped(_ name: UnsafePointer<CChar>) -> String {
        var text = ""
        var rest = UnsafeBufferPointer(start: name, count: strlen(name)).map(UInt8.init(bitPattern:))[...]
        while let first = rest.first {
            // A character has up to four bytes.
            if let length = (1...4).first(where: { String(validating: rest.prefix($0), as: UTF8.self) != nil }) {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
            } else {
                text += String(format: "\\x%02X", first)
                rest = rest.dropFirst()
            }
        }
        return text
    }

    private func found(_ pattern: String) -> [String] {
        let files = Self.glob(pattern).compactMap { path -> (seconds: Int, nanoseconds: Int, path: String)? in
            // A link that leads nowhere counts as a missing archive.
            var status = stat()
            guard stat(path, &status) == 0 || lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR
            else { return nil }
            guard order == .modified else { return (0, 0, path) }
            let stamp = FileStamp(status)
            return (stamp.writtenSeconds, stamp.writtenNanoseconds, path)
        }
        return files.sorted { $0 < $1 }.map(\.path)
    }

    /// Whether a file of this name, without its folder, may be an archive of this source.
    package func matches(name: String) -> Bool {
        fnmatch(PathParts.name(of: path), name, 0) == 0
    }
}
