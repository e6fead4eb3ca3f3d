internal import Foundation
internal import MillSystem

/// The limit on a process's open files.
enum OpenFileLimit {
    /// Descriptors that a load needs at least: where even those for signals can't be had, the process
    /// would end without a word.
    private static let least: rlim_t = 32

    /// Refuses a limit under which no command could do its work.
    static func check() throws(MillError) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < least else {
            return
        }
        throw MillError(
            stage: .configuring, what: "a process may open \(limit.rlim_cur) files, and \(least) are the least",
            hint: MillError.hintOnOpenFiles(EMFILE), exitStatus: .cannotCreate)
    }
}
