// Reads the page's data and shows it.

function main() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.getElementById("page");
  root.replaceChildren();
  if (typeof DecompressionStream === "undefined") {
    root.append(
      make(
        "p",
        { class: "note" },
        "This browser cannot unpack the report: it lacks DecompressionStream. Use one from 2023 or later.",
      ),
    );
    return;
  }
  const page = data.kind === "sweep" ? new SweepPage(root, data) : new RunPage(root, data);
  window.report = page;
}

main();
