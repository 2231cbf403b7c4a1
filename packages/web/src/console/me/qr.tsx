/** A text as a QR code: a path of squares, drawn dark on light whatever the theme, or cameras do not read it. */
import { encode } from "uqr";

/** So many modules stay free around it, as readers need. */
const QUIET = 4;

export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect class="light" width={size} height={size} />
      <path class="dark" d={path} />
    </svg>
  );
}
