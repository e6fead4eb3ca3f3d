internal import Foundation

/// The process exit status that a failure ends as, named and numbered after
/// sysexits(3).
package enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    /// The command was used wrongly.
    case usage = 64
    /// An input is damaged, or of another kind than the command reads.
    case badData = 65
    /// An input is missing or can't be read.
    case missingInput = 66
    /// The program itself is at fault.
    case internalFault = 70
    /// An output file can't be made.
    case cannotCreate = 73
    /// Reading or writing failed midway.
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

    /// The status of a failure to write, by its errno: a full or failing disk has another status
    /// than a file that can't be made.
    package static func writing(_ code: Int32) -> ExitStatus {
        [ENOSPC, EDQUOT, EFBIG, EIO].contains(code) ? .ioError : .cannotCreate
    }
}
