/** The environment variables that connect a bot under lock step with its lab. */
export const HELD = {
  /** The admin URL, for example `http://127.0.0.1:8081`. */
  url: "PRICETIME_LAB",
  token: "PRICETIME_LAB_TOKEN",
  /** The bot's name as a client of the clock. */
  client: "PRICETIME_LAB_CLIENT",
  /** The seed of the bot's random source. */
  seed: "PRICETIME_LAB_SEED",
  /** The processing time of each step of the bot, in milliseconds of the lab's clock. No processing time if absent. */
  tookMs: "PRICETIME_LAB_TOOK_MS",
  /** The number of an open file to which the bot writes when it has received a signal. No report if absent. */
  signalsFile: "PRICETIME_LAB_SIGNALS_FILE",
} as const;
