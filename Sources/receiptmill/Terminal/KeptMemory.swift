internal import CMemory
internal import CSQLite

/// Settings of the allocator for freed memory, and of SQLite's count of memory.
enum KeptMemory {
    /// A batch's buffers, some hundred kilobytes each, are freed and soon needed again. If their memory went back to
    /// the system meanwhile, each page would cost a page fault and be zeroed again.
    private static let largestKept: Int32 = 4 << 20
    private static let mostKept: Int32 = 32 << 20

    /// Makes glibc keep the memory of freed buffers for the next batch. By default, glibc adjusts its thresholds to the
    /// sizes of freed blocks (mallopt(3)), so that the order in which they are freed decides what is kept. Other
    /// allocators are left as they are.
    static func set() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, largestKept)
            _ = mallopt(M_TRIM_THRESHOLD, mostKept)
        #endif
        // SQLite would count memory under one lock for all connections, and nothing reads the count.
        _ = receiptmill_count_no_memory()
    }
}
