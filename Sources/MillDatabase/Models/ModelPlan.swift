internal import MillSystem

/// The order in which a refresh by slices computes the models. A slice is the set of rows that new documents affect.
struct ModelPlan: Sendable {
    /// Models that are computed from all rows, and that models of slices read.
    let first: [Model]
    /// Models of which only a slice is computed, and temporary models that these read.
    let sliced: [Model]
    /// Models whose rows are sums over models of slices.
    let sums: [Model]
    /// Temporary models that sums read.
    let summed: [Model]
    /// All other models, and temporary models that these read; they are computed from all rows.
    let last: [Model]

    var count: Int { first.count + summed.count + sliced.count + sums.count + last.count }

    static func present() throws -> ModelPlan { try result.get() }

    private static let result = Result { try ModelPlan(ModelCatalog.all()) }

    init(_ models: [Model]) throws(MillError) {
        /// The names of everything that models read, directly or through views and temporary models.
        func sources(of readers: [Model]) -> Set<String> {
            var (names, rest): (Set<String>, [Model]) = ([], readers)
            while let reader = rest.popLast() {
                names.formUnion(reader.allSources)
                let temporary = models.filter { !$0.isKept && reader.allSources.contains($0.name) }
                rest += temporary
            }
            return names
        }
        let parts = models.filter(\.isPart)
        let readByParts = sources(of: parts)
        let sums = models.filter { $0.sums != nil }
        let first = models.filter { $0.isKept && !$0.isPart && readByParts.contains($0.name) }
        let done = Set((parts + sums + first).map(\.name))
        let others = models.filter { $0.isKept && !done.contains($0.name) }
        let readByOthers = sources(of: others)
        let readBySums = sources(of: sums)
        summed = models.filter { !$0.isKept && readBySums.contains($0.name) }
        let readBySlices = readByParts.union(readBySums)
        sliced = models.filter { $0.isPart || (!$0.isKept && readBySlices.contains($0.name)) }
        last = models.filter { !done.contains($0.name) && ($0.isKept || readByOthers.contains($0.name)) }
        (self.first, self.sums) = (first, sums)
        for model in parts where !model.slice.isEmpty && SliceKey.with(columns: model.slice) == nil {
            throw Model.fault(model.name, "no key of slices has the columns \(model.slice.joined(separator: ", "))")
        }
        // A refresh subtracts the entries of the rows that it replaces, so these rows must still exist.
        for model in models
        where model.isKept && !model.isPart && readBySums.contains(model.name) && !done.contains(model.name) {
            throw Model.fault(model.name, "is summed by a model, and keeps no slices")
        }
    }
}

extension Model {
    /// Whether a refresh computes only a part of the model: the rows of a slice, or the numbers of new keys.
    fileprivate var isPart: Bool { !slice.isEmpty || numbered != nil }

    /// The tables, views and models that a model reads, also through views.
    var allSources: Set<String> {
        var (names, rest): (Set<String>, [String]) = ([], Array(sources))
        while let name = rest.popLast() {
            guard names.insert(name).inserted else { continue }
            if let view = ModelCatalog.views[name] { rest += TableNames.read(by: view) }
        }
        return names
    }
}
