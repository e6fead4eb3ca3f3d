internal import ArgumentParser
internal import Foundation
internal import MillRun
internal import MillSystem

/// How a command ends: failures become a message and an exit status.
enum CommandExit {
    /// Ends standard output with the JSON summary of a run that failed.
    static func summarise(_ error: MillError) {
        // The failure decides the exit status, even where this can't be written.
        try? Console.write(error.summaryJSON + "\n")
    }

    /// Does a command's work.
    ///
    /// A reader that closed our output is success. Any failure is reported on the
    /// terminal here, so that the parser only has to exit.
    static func of(_ work: () throws -> Void) throws {
        // A closed pipe then shows as an error of write(2), after which
        // temporary files are still removed.
        signal(SIGPIPE, SIG_IGN)
        do {
            try work()
        } catch is BrokenPipe {
            return
        } catch let error as MillError {
            Console.complain(error.description)
            throw ExitCode(error.exitStatus.rawValue)
        } catch let error as ExitCode {
            throw error
        } catch {
            Console.complain("a fault of ours: \(error)")
            throw ExitCode(ExitStatus.internalFault.rawValue)
        }
    }

    /// Does a run; the failure that ends one goes to the log, and to standard output where a machine reads that.
    static func of(_ log: RunLog, isJSON: Bool, _ run: () throws -> Void) throws {
        do {
            try run()
        } catch let error as MillError {
            log.write(error)
            if isJSON { summarise(error) }
            throw ExitCode(error.exitStatus.rawValue)
        }
    }
}
