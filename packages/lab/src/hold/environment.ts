/** The variables by which a held bot knows its lab. */
export const HELD = {
  /** The admin URL: `http://127.0.0.1:8081`. */
  url: "PRICETIME_LAB",
  token: "PRICETIME_LAB_TOKEN",
  /** The name under which the clock waits for it. */
  client: "PRICETIME_LAB_CLIENT",
  /** The seed of its dice. */
  seed: "PRICETIME_LAB_SEED",
  /** What each moment's thinking is charged, in milliseconds of the lab; nothing by default. */
  tookMs: "PRICETIME_LAB_TOOK_MS",
  /** The number of an open file on which the bot says that a signal has reached it; nothing by default. */
  signalsFile: "PRICETIME_LAB_SIGNALS_FILE",
} as const;
