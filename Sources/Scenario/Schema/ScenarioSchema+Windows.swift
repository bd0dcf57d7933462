import Layout
import Metrics
import Systems

/// Schema of picture-in-picture windows, containers of tiles and subscribers' preferences.
extension ScenarioSchema {
  static var tile: Shape {
    Shape.mapping(
      [
        ("participant", who("Participant, or ID/screen for a screen share.")), ("size", .points),
        ("weight", weight),
      ],
      required: ["participant", "size"])
  }

  /// Schema of a tile's weight.
  private static var weight: Shape {
    Shape.number(PlanBuilder.weights).described(
      "Weight of the tile in utilities; by default 1, on the stage 4."
    ).shown("2")
  }

  /// Schema of the large tile of a view.
  static var stage: Shape {
    Shape.any(
      of: .anyText,
      Shape.mapping(
        [("participant", who("Participant.")), ("size", .points), ("weight", weight)],
        required: ["participant"]
      ).with("{size: 640x360}")
    ).described(
      "The participant in the large tile, alone or beside 'tiles' or 'everybody'; 1280x720 points where no size is said. "
        + "A screen share takes its place while it lasts.")
  }

  static var container: Shape {
    Shape.mapping(
      [
        (
          "kind",
          Shape.word(TileContainer.Kind.self).described(
            "list: tiles below each other; row: beside each other; grid: in columns.")
        ),
        ("size", .points),
        (
          "tiles",
          Shape.list(of: tile).described("Tiles of another size.")
            .shown("[{participant: ann, size: 360x640}]")
        ),
        (
          "spacing",
          Shape.integer(0...1000).described("Distance between tiles [points].").withDefault(.integer(8))
            .shown("4")
        ),
        (
          "columns",
          Shape.integer(1...100).described("Columns of a grid.").withDefault(.integer(2)).shown("3")
            .beside("{kind: grid, size: 120x240}")
        ),
        (
          "own-tile",
          Shape.flag.described("Whether the viewer's own tile is the first.").withDefault(.flag(true))
        ),
      ], required: ["kind", "size"],
      rules: [
        .when(
          .has("columns"), .any(of: [.value(of: "kind", isOneOf: ["grid"])]))
      ]
    ).described("A container of all participants that scrolls.")
  }

  static var windowSubject: Shape {
    Shape.anyText.adding("pattern", .text("^([^@].*|@automatic)?$")).ofType("participant's id, or @automatic")
      .described("Participant shown in the window, or @automatic.").examples(.text("@automatic"))
  }

  static var window: Shape {
    Shape.mapping(
      [
        ("participant", windowSubject),
        (
          "size",
          Shape.size.described(
            "The window's size in pixels; no layer beyond it is received, except the lowest encoding."
          ).withDefault(.text("640x480"))
        ),
        (
          "start-from-inline",
          Shape.flag.described("Whether the window starts when the app goes to the background.")
            .withDefault(.flag(true))
        ),
      ], required: ["participant"]
    ).described("The app's picture-in-picture window.").shown("{participant: ann}")
  }

  static var observers: Shape {
    Shape.list(
      of: .mapping(
        [
          ("participant", who("Participant.")),
          (
            "observer",
            Shape.word(ResignObserver.self).described(
              "kept: its video stops in the background; removed: it goes on; automatic: only in the window.")
          ),
        ], required: ["participant", "observer"])
    ).described("Individual subscribers' observers of the app's state.")
      .shown("[{participant: ann, observer: removed}]")
  }

  static var preference: Shape {
    Shape.mapping(
      [
        ("participant", who("Participant; by default all.")),
        (
          "size",
          Shape.any(of: .word(["auto", "none"]), .size).described(
            "Preferred resolution: a ceiling in pixels, as rendered, or none."
          ).shown("640x360")
        ),
        (
          "fps",
          Shape([("enum", .list([.integer(30), .integer(15), .integer(7), .integer(1), .text("none")]))])
            .described("Preferred frame rate: a ceiling, or none.").shown("15")
        ),
      ], rules: [.some(of: ["size", "fps"])]
    ).with("{size: 640x360}").described("Policy vonage: preferred resolution and frame rate of a subscriber.")
  }
}
