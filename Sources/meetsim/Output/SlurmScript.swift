import Files

/// A batch script for Slurm (sbatch(1)): an array of shards, then a merge.
struct SlurmScript {
  var name: String
  var sweep: String
  var output: String
  var shards: Int
  var cpus: Int
  var time: String
  var memory: String
  var partition: String?

  var text: String {
    let partition = partition.map { " --partition=\($0)" } ?? ""
    return """
      #!/bin/bash
      # Runs the sweep '\(name)' in \(shards) shards and merges them:  bash SCRIPT
      # Submit again to execute missing runs: finished runs are kept.
      # Set MEETSIM if the program is not on the path; the working directory must be shared by all nodes.
      set -u
      meetsim=${MEETSIM:-meetsim}
      sweep=\(sweep.quotedForShell)
      output=\(output.quotedForShell)
      shards=\(shards)

      case ${1:-submit} in
        submit)
          mkdir -p "$output" || exit 3
          # SIGTERM is sent a minute before the limit: the shard then writes its tables and exits, and resumes if requeued.
          array=$(sbatch --parsable --job-name=\(name) --array=1-$shards --cpus-per-task=\(cpus) --mem=\(memory) \\
            --time=\(time)\(partition) --signal=B:TERM@60 --requeue --open-mode=append \\
            --output="$output/shard-%a.log" "$0" shard) || exit 3
          merge=$(sbatch --parsable --job-name=\(name)-merge --dependency=afterany:"$array" --mem=\(memory) \\
            --time=\(time)\(partition) --output="$output/merge.log" "$0" merge) || exit 3
          echo "submitted array $array and merge $merge; results will be in $output/merged"
          ;;
        shard)
          exec "$meetsim" sweep "$sweep" -o "$output/shard-$SLURM_ARRAY_TASK_ID" --resume \\
            --shard "$SLURM_ARRAY_TASK_ID/$shards" -j "${SLURM_CPUS_PER_TASK:-1}"
          ;;
        merge)
          # Exits with 3 when runs are missing; then run the script again.
          exec "$meetsim" merge "$output"/shard-*[0-9] -o "$output/merged" --force
          ;;
        *)
          echo "usage: bash $0 [submit]" >&2
          exit 2
          ;;
      esac

      """
  }
}

extension String {
  /// The text as a quoted shell word; with unprintable characters, it is escaped byte by byte.
  var quotedForShell: String {
    guard printable == self else {
      return "$'" + utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
    return "'" + replacing("'", with: "'\\''") + "'"
  }
}
