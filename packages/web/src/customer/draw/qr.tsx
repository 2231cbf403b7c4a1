/** A text as a QR code: one path of an SVG, dark on white in every theme, as cameras want it. */
import { generate } from "lean-qr";
import { useMemo } from "preact/hooks";

/** The white around the code, in modules, as ISO 18004 asks for. */
const QUIET = 4;

interface Modules {
  readonly size: number;
  readonly get: (x: number, y: number) => boolean;
}

/** The dark modules as a path, a run of a row at a time. */
export function pathOf({ size, get }: Modules): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!get(x, y)) continue;
      const from = x;
      while (x + 1 < size && get(x + 1, y)) x++;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  }
  return path;
}

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    return { size: code.size, path: pathOf({ size: code.size, get: (x, y) => code.get(x, y) }) };
  }, [text]);
  const whole = size + 2 * QUIET;
  return (
    <svg class="qr" viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`} role="img" aria-label={label}>
      <rect class="qr-ground" x={-QUIET} y={-QUIET} width={whole} height={whole} />
      <path class="qr-dark" d={path} shape-rendering="crispEdges" />
    </svg>
  );
}
