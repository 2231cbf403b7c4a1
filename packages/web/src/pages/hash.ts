/** What stands behind the `#` of an address: `#/withdraw?coin=BTC`. */
export interface Hash {
  /** Without its first slash. */
  readonly path: string;
  readonly asked: Readonly<Record<string, string>>;
}

export function readHash(hash: string): Hash {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?");
  return { path, asked: Object.fromEntries(new URLSearchParams(query)) };
}

/** What is asked with an empty text is not asked. */
export function writeHash({ path, asked }: Hash): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return `#/${path}${query === "" ? "" : `?${query}`}`;
}
