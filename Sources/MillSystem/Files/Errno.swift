internal import Foundation

/// An error of the operating system.
package struct Errno: Error {
    package let code: Int32

    package init(_ code: Int32 = errno) { self.code = code }

    package var text: String { String(cString: strerror(code)) }
}
