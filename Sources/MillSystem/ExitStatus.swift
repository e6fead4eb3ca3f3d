internal import Foundation

/// The process exit status that a failure ends as, named and numbered after
/// sysexits(3).
package enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    /// The command was used wrongly.
    case usage = 64
    /// Input is damaged or not what it should be.
    case badData = 65
    /// An input is missing or can't be read.
    case missingInput = 66
    /// A fault of this program.
    case internalFault = 70
    /// An output can't be made.
    case cannotCreate = 73
    /// Reading or writing failed midway.
    case ioError = 74
    /// Another run holds what this one needs; later it may succeed.
    case tryLater = 75
    /// A configuration that makes no sense.
    case configuration = 78

    /// The code of an error that says no more than its status.
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

    /// The status of a failure to write, by its errno: a disk that is full or fails
    /// has another status than a file that can't be made.
    package static func writing(_ code: Int32) -> ExitStatus {
        [ENOSPC, EDQUOT, EFBIG, EIO].contains(code) ? .ioError : .cannotCreate
    }
}
