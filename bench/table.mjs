// Medians, ranges and ratios as Markdown.
export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

const shown = (value) => (Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : 1) : "–");

/** A peer's figures over all rounds, and the median of its ratios to the floor's figure of the same round. */
export function paired(rounds, peer, floor) {
  const own = rounds.map((figures) => figures.get(peer));
  const good = own.filter((figure) => !figure.error);
  const ratios = rounds.map(
    (figures) => (figures.get(peer).value ?? Number.NaN) / (figures.get(floor)?.value ?? Number.NaN),
  );
  const width = Math.max(0, ...good.map(({ growth = [] }) => growth.length));
  return {
    values: good.map(({ value }) => value),
    failed: own.length - good.length,
    ratio: median(ratios),
    growth: Array.from({ length: width }, (_, index) => median(good.map(({ growth }) => growth[index]))),
    peakMB: median(good.map((figure) => figure.peakMB)),
  };
}

export function table(unit, rows) {
  const lines = rows.map(({ peer, values, failed, ratio, growth, peakMB }) => {
    const range =
      values.length > 0
        ? `${shown(median(values))} (${shown(Math.min(...values))}–${shown(Math.max(...values))})`
        : "–";
    const runs = failed > 0 ? `${values.length} (+${failed} failed)` : values.length;
    return `| ${peer} | ${runs} | ${range} | ${shown(ratio)}× | ${growth.map(shown).join(" / ")} | ${shown(peakMB)} |`;
  });
  return [
    `| peer | runs | ${unit}, median (min–max) | ratio to floor | in parts | peak MB |`,
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}
