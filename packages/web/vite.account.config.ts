/** How the customers' pages are built: one page and its files, which the node serves below `/account/`. After the terminal, which empties `dist`. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL("account", import.meta.url)),
  // As the terminal's: it may stand under a path of its own.
  base: "./",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: "../dist/account",
    emptyOutDir: true,
    // The node serves files of this folder as ones that never change.
    assetsDir: "files",
    // The page's policy forbids what stands in the markup itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
