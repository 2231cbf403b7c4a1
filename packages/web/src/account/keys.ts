/** The keys of who is signed in, kept by the tab: another tab does not see them, and they go with it. */

export interface KeptKeys {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly label: string;
}

/** What `sessionStorage` is; null: the browser allows none. */
export type TabStore = Pick<Storage, "getItem" | "setItem" | "removeItem"> | null;

const PLACE = "pricetime.session";
const KEYS_VERSION = 1;

export function keptKeys(store: TabStore): KeptKeys | null {
  try {
    const kept = JSON.parse(store?.getItem(PLACE) ?? "null") as (Partial<KeptKeys> & { version?: number }) | null;
    const { version, apiKey, secretKey, label } = kept ?? {};
    if (version !== KEYS_VERSION) return null;
    if (typeof apiKey !== "string" || typeof secretKey !== "string" || typeof label !== "string") return null;
    return { apiKey, secretKey, label };
  } catch {
    // The stored value is not ours; treat it as absent.
    return null;
  }
}

export function keepKeys(store: TabStore, keys: KeptKeys | null): void {
  try {
    if (keys === null) store?.removeItem(PLACE);
    else store?.setItem(PLACE, JSON.stringify({ version: KEYS_VERSION, ...keys }));
  } catch {
    // A store that is full or forbidden: the session lasts until the page is left.
  }
}
