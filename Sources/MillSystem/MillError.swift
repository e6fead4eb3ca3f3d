internal import Foundation

/// The reason why a stage could not do its work, in words that tell a person what to do.
///
/// A `MillError` stops a run. A fault in one line of an archive is never a `MillError`; it is a value and becomes a
/// row.
package struct MillError: Error, Sendable, Hashable {
    /// The code, for programs; it is also in JSON. The text is for people.
    package enum Code: String, Sendable, Hashable {
        case usage
        case badData = "bad_data"
        case missingInput = "missing_input"
        case internalFault = "internal_fault"
        case cannotCreate = "cannot_create"
        case ioError = "io_error"
        case tryLater = "try_later"
        case configuration
        /// Another run holds the database.
        case databaseHeld = "database_held"
        /// Another program held a lock of the database for the whole time that the run waited.
        case databaseLocked = "database_locked"
        /// The database is damaged.
        case databaseDamaged = "database_damaged"
        /// A query was interrupted because the run was cancelled.
        case interrupted
    }

    package var code: Code
    /// The stage that failed.
    package var stage: Stage
    /// The file that the failure is about.
    package var path: String?
    /// The line of that file, from 1.
    package var line: Int?
    /// The fault, as a phrase without a full stop.
    package var what: String
    /// The advice that follows the message.
    package var hint: String?
    /// The exit status of the process if the error is not handled.
    package var exitStatus: ExitStatus
    /// What the failure means for the database; nil if the database is not at fault.
    package var databaseFault: DatabaseFault?

    /// A fault of the database. Whichever stage meets it, the run does not move or delete any archive.
    package enum DatabaseFault: Sendable, Hashable {
        /// The database is locked or its disk is full, so that it can't be written or read now. Committed rows are
        /// safe.
        case refusing
        /// The database is damaged or its disk failed, so that committed rows don't count as safe until the database is
        /// checked.
        case doubtful
    }

    package init(
        _ code: Code? = nil, stage: Stage, path: String? = nil, line: Int? = nil, what: String, hint: String? = nil,
        exitStatus: ExitStatus
    ) {
        self.code = code ?? exitStatus.code
        self.stage = stage
        self.path = path
        self.line = line
        self.what = what
        self.hint = hint
        self.exitStatus = exitStatus
    }
}

/// An error of a library with advice for the user.
package protocol AdvisedError: Error {
    var advice: String { get }
}

extension MillError: CustomStringConvertible {
    /// The text `path:line: what`, then `hint: …` on a separate line; unknown parts are left out. The stage is only in
    /// summaries and logs.
    package var description: String {
        let position =
            path.map { PathParts.shown($0) + (line.map { ":\($0)" } ?? "") + ": " } ?? line.map { "line \($0): " } ?? ""
        return position + what + (hint.map { "\nhint: \($0)" } ?? "")
    }
}

extension MillError {
    /// The advice for an errno that reports too many open files; nil for any other errno.
    ///
    /// - Parameter code: the errno.
    package static func hintOnOpenFiles(_ code: Int32) -> String? {
        switch code {
        case EMFILE: "raise the limit on open files of a process (ulimit -n, LimitNOFILE= in a unit)"
        case ENFILE: "raise the system's limit on open files (sysctl fs.file-max)"
        default: nil
        }
    }

    /// Converts a failure of OpenSSL, which no input can cause, into a `MillError`.
    ///
    /// - Parameter stage: the stage that called OpenSSL, usually verifying.
    package static func wrapping<Result, Failure: Error>(
        at stage: Stage = .verifying, _ work: () throws(Failure) -> Result
    ) throws(MillError) -> Result {
        do throws(Failure) {
            return try work()
        } catch {
            throw MillError(
                stage: stage, what: "OpenSSL: \(error)", hint: (error as? any AdvisedError)?.advice,
                exitStatus: .internalFault)
        }
    }
}
