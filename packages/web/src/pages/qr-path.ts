/** The dark modules of a QR code as the path of an SVG. */
interface Modules {
  readonly size: number;
  get(x: number, y: number): boolean;
}

/** A run of a row at a time. */
export function pathOf(code: Modules): string {
  const { size } = code;
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!code.get(x, y)) continue;
      const from = x;
      while (x + 1 < size && code.get(x + 1, y)) x++;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  }
  return path;
}
