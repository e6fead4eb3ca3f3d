internal import CZlib

#if ISAL
    internal import CISAL
#endif

/// The libraries that inflate archives.
package enum InflationLibraries {
    /// The version of zlib that the process uses.
    package static var zlibVersion: String { String(cString: CZlib.zlibVersion()) }

    /// The version of ISA-L with which the binary was built; nil in a build without ISA-L.
    package static var isalVersion: String? {
        #if ISAL
            "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)"
        #else
            nil
        #endif
    }
}
