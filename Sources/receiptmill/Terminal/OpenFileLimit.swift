internal import Foundation
internal import MillSystem

/// The limit on a process's open files.
enum OpenFileLimit {
    /// The minimum number of descriptors with which a load works. If even the descriptors for signals were missing, the
    /// process would end without a message.
    private static let minimum: rlim_t = 32

    /// Refuses a limit under which no command could work.
    static func check() throws(MillError) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < minimum else {
            return
        }
        throw MillError(
            stage: .configuring, what: "a process may open \(limit.rlim_cur) files, and \(minimum) are the least",
            hint: MillError.hintOnOpenFiles(EMFILE), exitStatus: .cannotCreate)
    }
}
