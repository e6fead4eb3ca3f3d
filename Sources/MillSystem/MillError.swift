internal import Foundation

/// Why a stage could not do its work, in words that a person can act on.
///
/// This is for what stops a run. What is wrong with one line of an archive is a
/// value and becomes a row, never a `MillError`.
package struct MillError: Error, Sendable, Hashable {
    /// What a program decides by, and what JSON states; the text is for people.
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
        /// Another program holds a lock of the database's, and held it as long as it was waited for.
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
    /// The line of that file, counted from 1.
    package var line: Int?
    /// What is wrong, as a phrase without a full stop.
    package var what: String
    /// What to do about it.
    package var hint: String?
    /// What the process ends with if the error is not handled.
    package var exitStatus: ExitStatus
    /// What the failure says of the database; nil of one that is no fault of the database.
    package var databaseFault: DatabaseFault?

    /// A fault of the database: whatever stage met it, the run gives no archive away.
    package enum DatabaseFault: Sendable, Hashable {
        /// It took no more, or could not be read now: it is locked, or its disk is full. What was committed stands.
        case refusing
        /// It is damaged, or its disk failed: nothing that was committed counts as safe before it was checked.
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

/// An error of a library that says what to do about it.
package protocol AdvisedError: Error {
    var advice: String { get }
}

extension MillError: CustomStringConvertible {
    /// `path:line: what`, then `hint: …` on a line of its own; what is unknown
    /// is left out. The stage is for summaries and logs, not for this text.
    package var description: String {
        let position =
            path.map { PathParts.shown($0) + (line.map { ":\($0)" } ?? "") + ": " } ?? line.map { "line \($0): " } ?? ""
        return position + what + (hint.map { "\nhint: \($0)" } ?? "")
    }
}

extension MillError {
    /// What to do where the system gives out no more descriptors; nil of other faults.
    ///
    /// - Parameter code: as errno has it.
    package static func hintOnOpenFiles(_ code: Int32) -> String? {
        switch code {
        case EMFILE: "raise the limit on open files of a process (ulimit -n, LimitNOFILE= in a unit)"
        case ENFILE: "raise the system's limit on open files (sysctl fs.file-max)"
        default: nil
        }
    }

    /// Turns a failure of OpenSSL, which no input can cause, into a `MillError`.
    ///
    /// - Parameter stage: the one that called OpenSSL: verifying does most of it.
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
