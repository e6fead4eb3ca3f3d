/// Where a run stopped on request.
package enum StopPlace: Sendable, Hashable {
    /// Inside an archive, after its last committed line.
    case line(Int64, of: String)
    case betweenArchives
    /// All archives were loaded, but models, reports or moving archives remain to be done.
    case behindArchives
}
