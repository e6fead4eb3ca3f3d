import Testing

@testable import MillSystem

@Suite("Room on disks")
struct RoomTests {
    /// Two disks: `/data` and `/data/log` are on the first, `/tmp` on the second; of `/nowhere` nothing is known.
    private func room(free: Int64...) -> Room {
        let devices: [String: UInt64] = ["/data": 0, "/data/log": 0, "/tmp": 1]
        return Room { folder in devices[folder].map { ($0, free[Int($0)]) } }
    }

    private func fault(_ room: Room) -> MillError? {
        do throws(MillError) {
            try room.check(or: "buy another")
            return nil
        } catch {
            return error
        }
    }

    @Test("is refused where folders of one disk need more together than it has, with the figures and what to do")
    func together() {
        var room = room(free: 1_500_000, 1_000_000)
        room.need(1_000_000, for: "rows", in: "/data")
        room.need(500_001, for: "a log", in: "/data/log")
        room.need(1_000_000, for: "sorts", in: "/tmp")
        let error = fault(room)
        #expect(error?.path == "/data" && error?.exitStatus == .ioError)
        #expect(
            error?.what
                == "not enough room: about 2 MB are needed (1 MB for rows in /data, 1 MB for a log in /data/log), and 2 MB "
                + "are free")
        #expect(error?.hint == "free some; buy another")
    }

    @Test("is enough where each disk has what is needed of it, and not asked where a file system does not say")
    func enough() {
        var room = room(free: 1_500_000, 1_000_000)
        room.need(1_000_000, for: "rows", in: "/data")
        room.need(500_000, for: "a log", in: "/data/log")
        room.need(1_000_000, for: "sorts", in: "/tmp")
        room.need(.max / 2, for: "more", in: "/nowhere")
        #expect(fault(room) == nil)
    }
}
