import Testing
import TextLayout

@Suite("Text columns")
struct TextTableTests {
  @Test(arguments: [("abc", 3), ("", 0), ("é", 1), ("会議", 4), ("a会", 3), ("😀", 2), ("한", 2)])
  func aWideCharacterTakesTwoColumns(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("student", 7, "student"), ("student", 6, "stude…"), ("student", 1, "…"), ("会議室", 6, "会議室"),
    ("会議室", 5, "会議…"), ("会議室", 4, "会…"),
  ])
  func aTruncatedTextEndsWithAnEllipsis(text: String, width: Int, shown: String) {
    #expect(text.truncated(to: width) == shown)
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("one two three", 6, ["one", "two", "three"]),
    ("abcdefg h", 3, ["abc", "def", "g h"]), ("会議 室", 4, ["会議", "室"]), ("", 5, []),
  ])
  func linesBreakAtSpacesAndInLongWords(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(to: width) == lines)
  }

  @Test(arguments: [
    ("one two three", 13, ["one two three"]), ("one two three", 12, ["one two", "  three"]),
    ("one two three", 6, ["one", "  two", "  three"]), ("  a b  c", 4, ["  a", "    b", "    c"]),
    ("/a/long/place: no", 8, ["/a/long/place:", "  no"]), ("会議 室", 6, ["会議", "  室"]), ("", 5, [""]),
  ])
  func furtherLinesAreIndentedAndLongWordsStayWhole(text: String, width: Int, lines: [String]) {
    #expect(text.hanging(by: 2, to: width) == lines)
  }

  @Test func namesThatWouldBeAlikeAreCutInTheirMiddle() {
    #expect(TextTable.truncated(["teacher", "ann"], to: 4) == ["tea…", "ann"])
    #expect(TextTable.truncated(["student-1", "student-2"], to: 5) == ["st…-1", "st…-2"])
  }

  /// Heads of 12 / 3 = 4 columns, then from 12 / 6 = 2 before the 25th character, the first that differs.
  @Test func namesThatDifferInTheirMiddleAreCutOnBothSidesOfIt() {
    #expect(
      TextTable.truncated(
        ["the teacher's camera at 180p for everybody", "the teacher's camera at 360p for everybody", "ann"],
        to: 12)
        == ["the …t 180p…", "the …t 360p…", "ann"])
  }

  @Test func columnsArePaddedToTheirWidestCell() {
    #expect(
      TextTable.aligned([["name", "kbps"], ["会", "5"], ["b", "1500"]], right: [1]) == [
        "name  kbps", "会       5", "b     1500",
      ])
    #expect(TextTable.aligned([["a", ""], ["bb", ""]]) == ["a", "bb"])
    #expect(TextTable.aligned([]) == [])
  }

  @Test func columnsThatDoNotFitStandInBlocksWithTheNames() {
    let rows = [["name", "first", "second"], ["ann", "1", "2"]]
    #expect(
      TextTable.blocks(rows, names: 0..<1, leading: 1, right: [1, 2], width: 19)
        == [["name  first  second", "ann       1       2"]])
    #expect(
      TextTable.blocks(rows, names: 0..<1, leading: 1, right: [1, 2], width: 18)
        == [["name  first", "ann       1"], ["name  second", "ann        2"]])
  }

  /// Names of 15 columns leave room for two columns, 15 + 2 + 5 + 2 + 6 = 30; names of 22 for one, 22 + 2 + 6.
  @Test func namesAreTruncatedInBlocksOnlyIfThatSavesOne() {
    let rows = [["name", "first", "second", "third"], ["the first of all names", "1", "2", "3"]]
    #expect(
      TextTable.blocks(rows, names: 0..<1, leading: 1, right: [], width: 30) == [
        ["name             first  second", "the first of a…  1      2"],
        ["name             third", "the first of a…  3"],
      ])
    #expect(
      TextTable.blocks(rows, names: 0..<1, leading: 1, right: [], width: 28).map { $0[1] } == [
        "the first of all na…  1", "the first of all na…  2", "the first of all na…  3",
      ])
  }
}
