internal import ArgumentParser
internal import Foundation
internal import MillRun
internal import MillSystem

/// Ends commands: a failure becomes a message and an exit status.
enum CommandExit {
    /// Writes the JSON summary of a run that failed to standard output.
    static func summarise(_ error: MillError) {
        // The failure decides the exit status, even if the summary can't be written.
        try? Console.write(error.summaryJSON + "\n")
    }

    /// Does a command's work. It is no failure if the reader has closed standard output. Any failure is reported on the
    /// terminal here, so that the parser only has to exit.
    static func of(_ work: () throws -> Void) throws {
        // With SIGPIPE ignored, writing to a closed pipe fails and temporary files are still removed; by default the
        // signal would end the process.
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
            Console.complain("internal error: \(error)")
            throw ExitCode(ExitStatus.internalFault.rawValue)
        }
    }

    /// Performs a run. A failure that ends the run goes to the log, and to standard output if the summary is JSON.
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
