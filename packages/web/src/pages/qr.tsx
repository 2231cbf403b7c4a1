/** A text as a QR code: one path of an SVG, dark on white in every theme, as cameras want it. */
import { generate } from "lean-qr";
import { useMemo } from "preact/hooks";
import { pathOf } from "./qr-path.ts";

/** The white around the code, in modules, as ISO 18004 asks for. */
const QUIET = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    return { size: code.size, path: pathOf(code) };
  }, [text]);
  const whole = size + 2 * QUIET;
  return (
    <svg class="qr" viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`} role="img" aria-label={label}>
      <rect class="qr-ground" x={-QUIET} y={-QUIET} width={whole} height={whole} />
      <path class="qr-dark" d={path} shape-rendering="crispEdges" />
    </svg>
  );
}
