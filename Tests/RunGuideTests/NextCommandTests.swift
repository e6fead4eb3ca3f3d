import Testing

@testable import RunGuide

@Suite("The command that comes next")
struct NextCommandTests {
    private func next(
        _ change: (inout FinishedLoad) -> Void = { _ in }, _ store: (inout StoredFacts) -> Void = { _ in }
    ) -> String? {
        var outcome = FinishedLoad(database: "mill.sqlite")
        (outcome.newReceipts, outcome.again, outcome.takesApps) = (100, ["ingest", "a.gz", "-d", "mill.sqlite"], true)
        change(&outcome)
        var stored = StoredFacts()
        store(&stored)
        return NextCommand.after(outcome, stored)?.joined(separator: " ")
    }

    @Test("shows what was rejected, why")
    func rejected() {
        #expect(
            next({ ($0.rejected, $0.untrusted) = (1, 1) })
                == "report archive-loads --database mill.sqlite by=reason")
    }

    @Test("shows fraud where some documents are not trusted, and verdicts where most are not")
    func untrusted() {
        #expect(next({ $0.untrusted = 50 }) == "report fraud-signals --database mill.sqlite found=last-run")
        #expect(
            next({ ($0.untrusted, $0.rejected) = (51, 1) })
                == "report coverage --database mill.sqlite by=verdict")
    }

    @Test("refreshes models first where they are outdated")
    func outdated() {
        #expect(next({ $0.rejected = 1 }, { $0.hasCurrentModels = false }) == "refresh --database mill.sqlite")
    }

    @Test("sets apps where none is set, and shows strangers' receipts where some are")
    func apps() {
        let unknown: (inout StoredFacts) -> Void = { $0.unknownApps = ["a.b", "c"] }
        #expect(next({ _ in }, unknown) == "ingest a.gz -d mill.sqlite --app a.b: --app c:")
        #expect(next({ $0.takesApps = false }, unknown) == "report coverage --database mill.sqlite")
        #expect(next({ $0.again = nil }, unknown) == "report coverage --database mill.sqlite")
        #expect(
            next({ _ in }, { ($0.unknownApps, $0.hasAppSettings) = (["a.b"], true) })
                == "report fraud-signals --database mill.sqlite signal=unexpected_bundle by=line")
        // Documents of a stranger's app that an earlier run brought are no news.
        #expect(
            next({ $0.newReceipts = 0 }, { ($0.unknownApps, $0.hasAppSettings) = (["a.b"], true) })
                == "report coverage --database mill.sqlite")
    }

    @Test("is a report that fits the data where nothing is wrong")
    func fitting() {
        #expect(next() == "report coverage --database mill.sqlite")
        #expect(next({ _ in }, { $0.hasOwnersByEra = true }) == "report freemium-migration --database mill.sqlite")
        #expect(
            next({ _ in }, { ($0.hasOwnersByEra, $0.hasPricedSubscriptions) = (true, true) })
                == "report recurring-revenue --database mill.sqlite")
        #expect(
            next({ $0.storeRows = 3 }) == "report reconciliation --database mill.sqlite class=differences")
    }

    @Test("is the same command where it was stopped, and nothing where that can't be copied or nothing is known")
    func stopped() {
        #expect(next({ $0.isStopped = true }) == "ingest a.gz -d mill.sqlite")
        #expect(next({ ($0.isStopped, $0.again) = (true, nil) }) == nil)
        #expect(NextCommand.after(FinishedLoad(database: "mill.sqlite"), nil) == nil)
    }
}
