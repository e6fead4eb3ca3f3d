import Testing

@testable import MillSystem

@Suite("The parts of a path")
struct PathPartsTests {
    /// As dirname(1) and basename(1) of coreutils print them.
    @Test(
        "are those of dirname and basename",
        arguments: [
            ("a", ".", "a"), ("?", ".", "?"), ("é", ".", "é"), ("ab", ".", "ab"), ("a/", ".", "a"), ("a/b", "a", "b"),
            ("/a", "/", "a"), ("//a", "/", "a"), ("/", "/", "/"), ("//", "/", "/"), ("a//b//", "a", "b"),
            ("/a/b", "/a", "b"), (".", ".", "."), ("..", ".", ".."), ("a/..", "a", ".."), ("a/../b", "a/..", "b"),
            ("", ".", ""), ("./a", ".", "a"), ("a/é/e\u{301}", "a/é", "e\u{301}"),
        ])
    func parts(path: String, folder: String, name: String) {
        #expect(Array(PathParts.folder(of: path).utf8) == Array(folder.utf8))
        #expect(Array(PathParts.name(of: path).utf8) == Array(name.utf8))
    }
}
