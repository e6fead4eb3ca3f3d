import Testing

@testable import MillSystem

@Suite("DiskSpace on disks")
struct DiskSpaceTests {
    /// Two disks: `/data` and `/data/log` are on the first, `/tmp` on the second; of `/nowhere` nothing is known.
    private func space(free: Int64...) -> DiskSpace {
        let devices: [String: UInt64] = ["/data": 0, "/data/log": 0, "/tmp": 1]
        return DiskSpace { folder in devices[folder].map { ($0, free[Int($0)]) } }
    }

    private func fault(_ space: DiskSpace) -> MillError? {
        do throws(MillError) {
            try space.check(or: "buy another")
            return nil
        } catch {
            return error
        }
    }

    @Test("is refused where folders of one disk need more together than it has, with the figures and what to do")
    func together() {
        var space = space(free: 1_500_000, 1_000_000)
        space.need(1_000_000, for: "rows", in: "/data")
        space.need(500_001, for: "a log", in: "/data/log")
        space.need(1_000_000, for: "sorts", in: "/tmp")
        let error = fault(space)
        #expect(error?.path == "/data" && error?.exitStatus == .ioError)
        #expect(
            error?.what
                == "not enough disk space: about 2 MB are needed (1 MB for rows in /data, 1 MB for a log in /data/log), and 2 MB "
                + "are free")
        #expect(error?.hint == "free some; buy another")
    }

    @Test("is enough where each disk has what is needed of it, and not asked where a file system does not say")
    func enough() {
        var space = space(free: 1_500_000, 1_000_000)
        space.need(1_000_000, for: "rows", in: "/data")
        space.need(500_000, for: "a log", in: "/data/log")
        space.need(1_000_000, for: "sorts", in: "/tmp")
        space.need(.max / 2, for: "more", in: "/nowhere")
        #expect(fault(space) == nil)
    }
}
