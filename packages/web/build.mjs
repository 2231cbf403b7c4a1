/**
 * Builds the terminal, the console and the customers' pages into `dist`, from which the node serves them: at `npm ci` (`--if-possible`), and by
 * `npm run build:web`. It runs on every Node that `npm ci` does, which is why it is not TypeScript.
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const isAsked = !process.argv.includes("--if-possible");

try {
  // Not there where only what runs was installed: such a node tells how they are built.
  const { build } = await import("vite");
  await build({ root, configFile: `${root}/vite.config.ts`, logLevel: "warn" });
  // The terminal's build empties the folder.
  await build({ configFile: `${root}/vite.console.config.ts`, logLevel: "warn" });
  await build({ configFile: `${root}/vite.account.config.ts`, logLevel: "warn" });
} catch (error) {
  if (isAsked) throw error;
  // The exchange runs without it.
  const isInstalled = error.code !== "ERR_MODULE_NOT_FOUND";
  if (isInstalled) console.error(`Terminal, console and account pages were not built (npm run build:web tells more): ${error.message}`);
}
