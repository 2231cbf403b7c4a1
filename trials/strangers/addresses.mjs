/**
 * `node --import addresses.mjs bot.js`: while the bot and its client library are loaded, texts in their sources are
 * replaced: addresses by those of a lab, and settings by the user's. READDRESSED maps old texts to new ones, as JSON.
 */
import { registerHooks } from "node:module";

const changes = Object.entries(JSON.parse(process.env.READDRESSED ?? "{}"));
const NO_CODE = new Set(["json", "wasm", "builtin", "addon"]);

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (NO_CODE.has(loaded.format) || loaded.source === undefined || loaded.source === null) return loaded;
    let source = Buffer.from(loaded.source).toString("utf8");
    for (const [from, to] of changes) source = source.replaceAll(from, to);
    return { ...loaded, source };
  },
});
