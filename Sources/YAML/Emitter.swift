import CYAML

extension Node {
  /// YAML document in block style, with the keys of each mapping sorted.
  package var text: String {
    let output = Output()
    return withExtendedLifetime(output) {
      var emitter = Emitter(output)
      emitter.emit(self)
      return String(decoding: output.bytes, as: UTF8.self)
    }
  }
}

/// Output buffer of libyaml's emitter.
private final class Output {
  var bytes: [UInt8] = []
}

/// Emits a node through libyaml; the events are well formed by construction, so emission fails only when out of memory.
private struct Emitter: ~Copyable {
  private let emitter: UnsafeMutablePointer<yaml_emitter_t>

  /// Creates an emitter; the output must outlive it.
  init(_ output: Output) {
    emitter = .allocate(capacity: 1)
    yaml_emitter_initialize(emitter)
    yaml_emitter_set_unicode(emitter, 1)
    yaml_emitter_set_width(emitter, -1)
    let context = Unmanaged.passUnretained(output).toOpaque()
    yaml_emitter_set_output(
      emitter,
      { context, bytes, count in
        guard let context, let bytes else { return 0 }
        let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
        output.bytes += UnsafeBufferPointer(start: bytes, count: count)
        return 1
      }, context)
  }

  deinit {
    yaml_emitter_delete(emitter)
    emitter.deallocate()
  }

  mutating func emit(_ root: Node) {
    var event = yaml_event_t()
    yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)
    yaml_emitter_emit(emitter, &event)
    yaml_document_start_event_initialize(&event, nil, nil, nil, 1)
    yaml_emitter_emit(emitter, &event)
    append(root)
    yaml_document_end_event_initialize(&event, 1)
    yaml_emitter_emit(emitter, &event)
    yaml_stream_end_event_initialize(&event)
    yaml_emitter_emit(emitter, &event)
  }

  private mutating func append(_ node: Node) {
    var event = yaml_event_t()
    switch node {
    case .scalar(let scalar):
      let bytes = Array(scalar.string.utf8)
      yaml_scalar_event_initialize(
        &event, nil, nil, bytes, Int32(bytes.count), 1, 1, Self.style(of: scalar.style))
      yaml_emitter_emit(emitter, &event)
    case .sequence(let sequence):
      yaml_sequence_start_event_initialize(&event, nil, nil, 1, YAML_BLOCK_SEQUENCE_STYLE)
      yaml_emitter_emit(emitter, &event)
      for element in sequence { append(element) }
      yaml_sequence_end_event_initialize(&event)
      yaml_emitter_emit(emitter, &event)
    case .mapping(let mapping):
      yaml_mapping_start_event_initialize(&event, nil, nil, 1, YAML_BLOCK_MAPPING_STYLE)
      yaml_emitter_emit(emitter, &event)
      for (key, value) in mapping.sorted(by: { ($0.key.string ?? "") < ($1.key.string ?? "") }) {
        append(key)
        append(value)
      }
      yaml_mapping_end_event_initialize(&event)
      yaml_emitter_emit(emitter, &event)
    }
  }

  private static func style(of style: Node.Scalar.Style) -> yaml_scalar_style_t {
    switch style {
    case .plain: YAML_ANY_SCALAR_STYLE
    case .singleQuoted: YAML_SINGLE_QUOTED_SCALAR_STYLE
    case .doubleQuoted: YAML_DOUBLE_QUOTED_SCALAR_STYLE
    case .literal: YAML_LITERAL_SCALAR_STYLE
    case .folded: YAML_FOLDED_SCALAR_STYLE
    }
  }
}
