import ReceiptArchive

#if FUZZING || DEBUG
    import Foundation
    @testable import MillSystem
    @testable import ReceiptArchive

    extension FuzzTarget {
        /// What is read of an archive, and whether all of it is.
        private struct Reading: Equatable {
            /// Joined: where it is cut depends on how much is inflated at once.
            var text: [UInt8] = []
            var overlong: [Int] = []
            var damage: String?
            var isDamaged: Bool { damage != nil }

            /// Damage may be noticed later by one than by the other: what stands
            /// before that is text for it.
            func agrees(with other: Reading) -> Bool {
                guard isDamaged, other.isDamaged else { return self == other }
                return text.starts(with: other.text) || other.text.starts(with: text)
            }

            /// What zlib says of a code that leaves bits without a meaning (RFC 1951,
            /// 3.2.7). ISA-L reads on, as far as the bits that occur have one.
            static let incompleteCodes = [
                "invalid code lengths set", "invalid literal/lengths set", "invalid distances set",
            ]

            /// Whether zlib stopped at a code that ISA-L takes, and at nothing else.
            func endsAtIncompleteCode(before other: Reading) -> Bool {
                damage.map(Self.incompleteCodes.contains) == true && other.text.starts(with: text)
            }
        }

        /// An archive is the same read at once and a few bytes at a time: no
        /// input is as long as what is read at once of an archive of some size.
        func readArchive(_ bytes: [UInt8]) {
            let path = file(of: bytes)
            var method = ByteSource.Method()
            let whole = reading(path, method)
            // Of every length, and the same for one input in every run.
            method.inputCapacity = 4 + bytes.count % 29
            let parts = reading(path, method)
            precondition(whole.agrees(with: parts), "read differently \(method.inputCapacity) bytes at a time")
        }

        #if ISAL
            /// An archive is the same whatever inflates it.
            func compareInflaters(_ bytes: [UInt8]) {
                let path = file(of: bytes)
                for inputCapacity in [1 << 17, 4 + bytes.count % 29] {
                    let zlib = reading(path, .init(inflater: ZlibInflater.self, inputCapacity: inputCapacity))
                    let isal = reading(path, .init(inflater: ISALInflater.self, inputCapacity: inputCapacity))
                    precondition(
                        zlib.agrees(with: isal) || zlib.endsAtIncompleteCode(before: isal),
                        "read differently by zlib and by ISA-L")
                }
            }
        #endif

        private func file(of bytes: [UInt8]) -> String {
            let path = "/dev/shm/receiptmill-fuzz-\(getpid())"
            _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
            return path
        }

        private func reading(_ path: String, _ method: ByteSource.Method) -> Reading {
            var limits = Limits()
            limits.lineBytes = 1 << 16
            var found = Reading()
            guard let file = try? InputFile(path: path),
                var reader = try? ArchiveReader(file: file, limits: limits, batchSize: 1 << 12, method: method)
            else { return found }
            // A quarter of a megabyte: more is only more of the same.
            for _ in 0..<64 {
                guard let piece = try? reader.next() else { break }
                switch piece {
                case .lines(let text):
                    precondition(!text.isEmpty)
                    found.text += text
                case .overlongLine(let bytes): found.overlong.append(bytes)
                }
            }
            found.damage = reader.damage
            return found
        }
    }
#endif
