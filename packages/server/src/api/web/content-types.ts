/** What files are, by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html;charset=UTF-8",
  css: "text/css;charset=UTF-8",
  js: "text/javascript;charset=UTF-8",
  svg: "image/svg+xml",
  ico: "image/x-icon",
  png: "image/png",
  woff2: "font/woff2",
  py: "text/x-python;charset=UTF-8",
};

export function contentTypeOf(file: string): string {
  return TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
