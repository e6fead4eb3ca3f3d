internal import CMemory
internal import CSQLite

/// Settings of the allocator for freed memory, and of SQLite's count of memory.
enum KeptMemory {
    /// Buffers of a batch, some hundred kilobytes each, are freed and wanted again
    /// a moment later. Given back to the system in between, each of their pages
    /// costs a fault, and is zeroed.
    private static let largestKept: Int32 = 4 << 20
    private static let mostKept: Int32 = 32 << 20

    /// Has glibc keep such buffers, which it otherwise does or not as sizes happen
    /// to come (mallopt(3)); other allocators are left as they are.
    static func set() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, largestKept)
            _ = mallopt(M_TRIM_THRESHOLD, mostKept)
        #endif
        // SQLite would count memory under one lock for all connections; nobody reads the count.
        _ = receiptmill_count_no_memory()
    }
}
