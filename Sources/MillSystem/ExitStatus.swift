internal import Foundation

/// The exit status of the process after a failure, named and numbered as in sysexits(3).
package enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    /// The command was used incorrectly.
    case usage = 64
    /// An input is damaged, or of another kind than the command expects.
    case badData = 65
    /// An input is missing or can't be read.
    case missingInput = 66
    /// An internal error of the program.
    case internalFault = 70
    /// An output file can't be created.
    case cannotCreate = 73
    /// Reading or writing failed after it had begun.
    case ioError = 74
    /// Another run holds the database or a file; a later attempt may succeed.
    case tryLater = 75
    /// The configuration contradicts itself.
    case configuration = 78

    /// The code of an error for which no more specific code exists.
    package var code: MillError.Code {
        switch self {
        case .usage: .usage
        case .badData: .badData
        case .missingInput: .missingInput
        case .internalFault: .internalFault
        case .cannotCreate: .cannotCreate
        case .ioError: .ioError
        case .tryLater: .tryLater
        case .configuration: .configuration
        }
    }

    /// The status for a failure to write, by its errno: a full or failing disk has another status than a file that
    /// can't be created.
    package static func writing(_ code: Int32) -> ExitStatus {
        [ENOSPC, EDQUOT, EFBIG, EIO].contains(code) ? .ioError : .cannotCreate
    }
}
