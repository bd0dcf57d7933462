import Testing

/// Tiles share a row of the summary if their shares differ by at most one percent.
@Suite("Rows of alike tiles")
struct GroupedTileTests {
  /// One of seven users has 98.6 % of the screen's pixels, which is 99 %, the others 98.2 %, which is 98.
  @Test func tilesAPercentApartShareARow() throws {
    let run = try Program.shell(
      """
      "$meetsim" run scenarios/agora-17-default-low.yaml --by tile --format csv | cut -d, -f2,9 | grep -E "user-1[0-9]"
      COLUMNS=140 "$meetsim" run scenarios/agora-17-default-low.yaml --by tile | grep "^me "
      """)
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 9, "\(run.output)")
    #expect(Set(lines[..<7]) == Set((10...16).map { "user-\($0),\($0 == 14 ? 0.986 : 0.982)" }))
    let cells = lines[7].split(separator: " ").map(String.init)
    #expect(cells[1...2] == ["user-10…16", "(7)"] && cells[5...6] == ["98…99", "%"])
    #expect(lines[8].contains(" user-1…9 (9) ") && lines[8].contains(" 100 % "))
  }

  /// Fifteen tiles have 19 or 20 % of the pixels requested; one with 21 % stands alone, before two with 22 and 23.
  @Test func noRowSpansMore() throws {
    let run = try Program.shell(
      "COLUMNS=200 \"$meetsim\" run scenarios/remote-education-narrow.yaml --by tile --all | grep ^inspector")
    let lines = run.output.split(separator: "\n")
    try #require(lines.count > 5, "\(run.output)")
    #expect(lines[0].contains("student-10…24 (15) ") && lines[0].contains(" 19…20 % "))
    #expect(lines[1].contains(" student-9 ") && lines[1].contains(" 21 % "))
    #expect(lines[2].contains(" student-7…8 (2) ") && lines[2].contains(" 22…23 % "))
    for line in lines {
      let words = line.split(separator: " ")
      for (word, next) in zip(words, words.dropFirst()) where next == "%" && word.contains("…") {
        let ends = word.split(separator: "…").compactMap { Int($0) }
        #expect(ends.count == 2 && ends[1] - ends[0] == 1, "\(line)")
      }
    }
  }

  /// The large tile has a quarter of its pixels: that of p-2 at the first viewer, that of p-1 at the second.
  @Test func theWorstTilesOfARowAreListedByNumber() throws {
    let run = try Program.shell(
      """
      cat > $TMPOUT/a.yaml <<END
      name: a
      duration: 8s
      policy: janus
      participants:
        - {id: p-1, publish: {camera: 360p15}}
        - {id: p-2, publish: {camera: 360p15}}
        - {id: v-1, view: {tiles: {p-1: 320x180, p-2: 1280x720}}}
        - {id: v-2, view: {tiles: {p-1: 1280x720, p-2: 320x180}}}
      END
      COLUMNS=140 "$meetsim" run $TMPOUT/a.yaml --set estimator=oracle | grep "^v-1…2 (2) "
      """)
    #expect(run.output.contains(" p-1…2 (2)   360p15 of 720p30 "), "\(run.output)\(run.error)")
  }
}
