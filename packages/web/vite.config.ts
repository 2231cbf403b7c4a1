/** How the terminal is built: one page and its files, whose names change with what is in them. */
import { defineConfig } from "vite";

export default defineConfig({
  // Addresses relative to the page: it may stand behind a reverse proxy, under a path of its own.
  base: "./",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // The node serves files of this folder as ones that never change (packages/server/src/web/terminal).
    assetsDir: "terminal",
    // The page's policy forbids what stands in the markup itself, and data addresses but for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
});
