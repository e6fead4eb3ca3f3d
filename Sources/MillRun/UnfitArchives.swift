internal import MillSystem

extension Preflight {
    /// Finds archives that can't be loaded, so that one of them does not end the whole run: archives that consist
    /// mostly of holes, and archives that are too large for the free disk space even by themselves.
    ///
    /// - Returns: one fault for each archive that can't be loaded.
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
        let hasSpace = (try? check(growth: growths.reduce(0) { $0 + $1.growth })) != nil
        guard !hasSpace else { return faults }
        for (path, growth) in growths {
            do throws(MillError) {
                try check(growth: growth)
            } catch {
                faults.append(
                    MillError(
                        stage: .reading, path: path, what: "can't be loaded: \(error.what)",
                        hint: "free disk space, or move the archive away; others are loaded as far as the space allows",
                        exitStatus: .badData))
            }
        }
        return faults
    }
}
