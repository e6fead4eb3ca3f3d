/// Where a run stopped that was asked to.
package enum StopPlace: Sendable, Hashable {
    /// Inside an archive, behind its last line that is committed.
    case line(Int64, of: String)
    case betweenArchives
    /// All archives were loaded before, and models, reports or the moving of archives are left.
    case behindArchives
}
