internal import MillSystem

extension Preflight {
    /// The faults of archives that can't be loaded, so that no night ends for one of them: archives that are mostly holes,
    /// and archives for which alone the disks lack space.
    ///
    /// - Returns: by path, in the order given.
    func unfit(_ paths: [String]) throws(MillError) -> [MillError] {
        var faults: [MillError] = []
        var rest: [String] = []
        for path in paths {
            if let (bytes, written) = FileHoles.most(of: path) {
                faults.append(
                    MillError(
                        stage: .reading, path: path,
                        what: "is mostly holes: \(bytes) bytes long, of which the disk has \(written)",
                        hint: "have it delivered again, and remove it", exitStatus: .badData))
            } else {
                rest.append(path)
            }
        }
        guard configuration.checksDiskSpace else { return faults }
        let growths = try growths(by: rest)
        let hasRoom = (try? check(growth: growths.reduce(0) { $0 + $1.growth })) != nil
        guard !hasRoom else { return faults }
        for (path, growth) in growths {
            do throws(MillError) {
                try check(growth: growth)
            } catch {
                faults.append(
                    MillError(
                        stage: .reading, path: path, what: "can't be loaded: \(error.what)",
                        hint: "free some, or move it away; others are loaded as far as there is room",
                        exitStatus: .badData))
            }
        }
        return faults
    }
}
