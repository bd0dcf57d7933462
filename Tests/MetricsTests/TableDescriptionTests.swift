import JSON
import Metrics
import Testing

extension JSONValue {
  fileprivate subscript(_ key: String) -> JSONValue? {
    guard case .object(let entries) = self else { return nil }
    return entries.first { $0.0 == key }?.1
  }

  fileprivate var elements: [JSONValue] {
    guard case .list(let values) = self else { return [] }
    return values
  }

  fileprivate var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }
}

@Suite("Descriptions of tables")
struct TableDescriptionTests {
  @Test func everyFileIsDescribedWithItsHeader() throws {
    let package = ResultDescription.dataPackage(name: "Talk")
    let resources = try #require(package["resources"]?.elements)
    #expect(resources.count == ResultTable.allCases.count)
    for (resource, table) in zip(resources, ResultTable.allCases) {
      #expect(resource["path"]?.text == table.fileName)
      let fields = try #require(resource["schema"]?["fields"]?.elements)
      let names = fields.compactMap { $0["name"]?.text }
      #expect(names.joined(separator: ",") + "\n" == table.header)
    }
  }

  @Test func eachTableHasColumnsOfItsOwn() {
    let headers = ResultTable.allCases.map(\.header)
    #expect(Set(headers).count == headers.count)
    for table in ResultTable.allCases {
      let names = table.columns.map(\.name)
      #expect(Set(names).count == names.count, "\(table)")
    }
  }

  /// A unit in the name is the column's unit.
  @Test func suffixesAreUnits() {
    let suffixes: [(String, ColumnUnit)] = [
      ("_pixels_per_s", .pixelsPerSecond), ("_s", .seconds), ("_bps", .bitsPerSecond), ("_px", .pixels),
      ("_fps", .hertz), ("frames_per_second", .hertz), ("_frac", .one), ("_count", .one),
    ]
    var seen = 0
    for column in ResultTable.allCases.flatMap(\.columns) {
      guard let unit = suffixes.first(where: { column.name.hasSuffix($0.0) })?.1 else { continue }
      seen += 1
      #expect(column.unit == unit, "\(column.name)")
    }
    #expect(seen > 30)
  }

  @Test func textHasNoUnitAndNumbersHaveOne() {
    for table in ResultTable.allCases {
      for column in table.columns where (table, column.name) != (.scalars, "value") {
        #expect((column.unit == nil) == [.string, .boolean].contains(column.type), "\(table) \(column.name)")
        #expect(!column.meaning.isEmpty && !column.meaning.contains("["), "\(table) \(column.name)")
      }
    }
  }

  /// Columns that can be empty state the meaning of an empty field, and no others do.
  @Test func emptyFieldsHaveAMeaning() {
    for table in ResultTable.allCases {
      for column in table.columns {
        #expect(column.empty.isEmpty != column.isNullable, "\(table) \(column.name)")
      }
    }
  }

  @Test func keysAreColumns() {
    for table in ResultTable.allCases {
      let names = table.columns.map(\.name)
      let keys = table.description.primaryKey + table.description.foreignKeys.flatMap(\.columns)
      #expect(keys.allSatisfy(names.contains), "\(table)")
      for key in table.description.foreignKeys {
        let other = ResultTable.allCases.first { $0.name == key.table }?.columns.map(\.name) ?? []
        #expect(key.targets.count == key.columns.count && key.targets.allSatisfy(other.contains), "\(table)")
      }
    }
  }

  @Test func aFewWordsAreAnEnumeration() {
    let column = TableColumn(
      name: "state", type: .string, isNullable: true, meaning: "state", empty: "nobody looked",
      values: [ColumnValue("on"), ColumnValue("off", "switched off")])
    #expect(
      column.field.description == """
        {
          "name": "state",
          "type": "string",
          "description": "state; empty: nobody looked",
          "constraints": {
            "enum": [
              "on",
              "off"
            ]
          }
        }

        """)
  }

  /// Two metrics with the same name, statistic and scope could not be distinguished.
  @Test func metricsDiffer() {
    let declared = ScalarMetric.allCases.map(\.declaration)
    let names = declared.flatMap { metric in
      metric.scopes.map { "\($0) \(metric.name) \(metric.stat)" }
    }
    #expect(Set(names).count == names.count)
    #expect(declared.allSatisfy { !$0.scopes.isEmpty && !$0.meaning.isEmpty })
  }

  @Test func fieldsSayUnitAndWhetherTheyMayBeEmpty() {
    let width = TableColumn(
      name: "width_px", type: .integer, unit: .pixels, isNullable: true, meaning: "width of the tile")
    #expect(
      width.field.description == """
        {
          "name": "width_px",
          "type": "integer",
          "description": "width of the tile [px]",
          "unit": "px"
        }

        """)
    let loss = TableColumn(name: "loss", type: .number, unit: .one, isNullable: false, meaning: "share lost")
    #expect(
      loss.field.description == """
        {
          "name": "loss",
          "type": "number",
          "description": "share lost",
          "unit": "1",
          "constraints": {
            "required": true
          }
        }

        """)
    let name = TableColumn(name: "id", type: .string, meaning: "who")
    #expect(
      name.field.description == """
        {
          "name": "id",
          "type": "string",
          "description": "who"
        }

        """)
  }
}
