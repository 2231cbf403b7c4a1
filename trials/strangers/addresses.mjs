/**
 * `node --import addresses.mjs bot.js`: as the bot and the client under it are loaded, addresses in their text become those
 * of a lab, and what their authors tell users to set is set. READDRESSED is the JSON of old texts and new ones.
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
