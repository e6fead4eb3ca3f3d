// Coverage-guided fuzzing of what reads hostile bytes, with LLVM's libFuzzer.
//
// Built by `make fuzz` alone, which defines FUZZING and links libFuzzer; an
// ordinary build makes a program that says so, a debug one of all but this file.
// FUZZ_TARGET chooses what is fed. A finding is a trap, a sanitizer's report, or
// an input that takes longer than the time limit.
#if FUZZING
    import Foundation
    @testable import ReceiptFormat

    @_silgen_name("LLVMFuzzerRunDriver")
    func runFuzzer(
        _ argumentCount: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    @_cdecl("Fuzz_main")
    public func fuzzMain(
        _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> CInt {
        var argumentCount = argumentCount
        var arguments = arguments
        return withUnsafeMutablePointer(to: &arguments) { pointer in
            pointer.withMemoryRebound(
                to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1
            ) { arguments in
                runFuzzer(&argumentCount, arguments) { start, count in
                    FuzzTarget.chosen.feed(Array(UnsafeBufferPointer(start: start, count: count)))
                    return 0
                }
            }
        }
    }
#else
    @main
    struct Fuzz {
        static func main() {
            print("Built without libFuzzer: use make fuzz.")
        }
    }
#endif
